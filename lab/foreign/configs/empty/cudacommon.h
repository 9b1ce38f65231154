// SHOC's is for the host alone.
