"""One file per family of formats; each has `read(source) -> Extracted` and is imported only when needed."""
