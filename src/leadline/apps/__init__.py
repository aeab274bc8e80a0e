"""The doors: each parses, calls one method, renders."""
