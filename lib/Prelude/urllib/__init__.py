"""urllib: a package."""
