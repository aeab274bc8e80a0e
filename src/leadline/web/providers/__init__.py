"""Search providers: each one's way of being asked, and what it gives, as results."""
