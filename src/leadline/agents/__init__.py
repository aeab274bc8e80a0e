"""The loops that turn a question into an answer."""
