"""Where rows go: one file for each kind of sink."""
