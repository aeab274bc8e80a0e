"""Steps that think, search and write."""
