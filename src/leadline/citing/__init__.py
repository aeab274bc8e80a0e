"""Check claims against the text they cite, and show answers."""
