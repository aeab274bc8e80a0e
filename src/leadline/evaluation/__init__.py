"""Measure retrieval and answers over sets of questions whose supporting passages are known."""
