"""Operators: functions from a stream of rows to a stream of rows."""
