"""Read files into documents, and split them into sections and chunks."""
