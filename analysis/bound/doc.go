// Package bound says what bounds a point of a run, and what would make it faster. It uses the device's
// measured ceilings, a few executed blocks of the point's kernels (package analysis/trace), the resources of
// their machine code, the measured time, and the GPU's counters if the run has them.
//
// The class is the part of the GPU that is busy for the largest share of the measured time. The gain of a
// change comes from a model: a multiprocessor that executes the recorded instructions, as they are and with
// the change.
package bound
