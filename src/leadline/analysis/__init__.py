"""The one text analyser: scripts, terms, sentences, names, numbers and dates.

Store, retrieval, citing and the offline reasoner all read text through this room, so that a word counts
as the same word everywhere.
"""
