package experiment

// Ahead is what CompileAhead compiles, and how many at a time.
var Ahead = (*Experiment).ahead
