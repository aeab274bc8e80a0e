"""Work spread over the processes of a cluster, none of it lost and none of it done twice."""
