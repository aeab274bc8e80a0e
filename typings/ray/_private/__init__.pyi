from ray._private import worker as worker
