struct Node { int starting; int no_of_edges; };
