"""concurrent: its one part is futures."""
