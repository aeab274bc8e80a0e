"""Find chunks for a query, several ways at once."""
