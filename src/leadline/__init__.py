"""Leadline answers hard questions from your own documents, and every sentence names the passage it rests on."""

__version__ = "0.1.0"
