"""Fakes and builders for tests of Leadline and of what is built on it."""
