"""What predictions and data can tell: measures and filters on plain arrays and frames, of any library's models."""
