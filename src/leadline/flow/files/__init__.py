"""Flow files: read, checked, built, drawn. Nothing in one is evaluated."""
