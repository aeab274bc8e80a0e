"""Reading files and splitting them: from bytes on disk to text with exact positions."""
