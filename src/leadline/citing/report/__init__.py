"""A research answer as a report: Markdown, HTML, Word, PDF."""
