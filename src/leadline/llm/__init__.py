"""Language models: one call at a time, through small wrappers, and what can be read from a reply."""
