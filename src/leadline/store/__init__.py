"""Keep collections of documents and chunks, and search them."""
