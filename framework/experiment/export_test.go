package experiment

// Ahead is what CompileAhead compiles, and how many at a time.
var Ahead = (*Experiment).ahead

// WithRoom is for how many compilers a machine has room.
var WithRoom = withRoom
