"""`python -m leadline`, where the `leadline` script is not on the path."""

from leadline.apps.cli.entry import main

main()
