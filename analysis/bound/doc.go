// Package bound says what bounds a point of a run, and what would make it faster: from
// the device's measured ceilings, what a few executed blocks of its kernels do (package
// analysis/trace), their machine code's resources, the measured time, and the GPU's counters
// where the run has them.
//
// The class is the part of the GPU that is busy for the largest share of the measured time. What a change
// would gain comes from a model: a multiprocessor that executes the recorded instructions, as they are and
// with the change.
package bound
