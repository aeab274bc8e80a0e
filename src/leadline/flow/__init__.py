"""Flows: rows through steps, on one machine or many, with nothing lost."""
