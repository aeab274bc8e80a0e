"""The small language of conditions and values over the fields of a row."""
