"""Renderings of an answer: terminal, Markdown, HTML, JSON."""
