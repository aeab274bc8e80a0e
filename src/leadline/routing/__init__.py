"""Deciding which agent takes a question."""
