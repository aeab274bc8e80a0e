"""A run of a flow: segments, outer rows, journal, engines."""
