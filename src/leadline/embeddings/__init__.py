"""Turn text into vectors."""
