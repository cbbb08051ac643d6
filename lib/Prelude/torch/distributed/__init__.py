"""torch.distributed: one process. What is available is an answer about the world."""
