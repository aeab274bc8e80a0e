"""Measure retrieval and answers."""
