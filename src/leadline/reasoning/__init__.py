"""The thinking of an agent: plan, judge, reflect, write."""
