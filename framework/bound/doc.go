// Package bound says what bounds a point of a run, and what would make it faster. It needs the device's
// measured ceilings, what a few executed blocks of the point's kernels do (package gpu/cuda/trace), the
// resources of their machine code, and the measured time. It reads no counter of the GPU.
//
// The class is the part of the GPU that is busy for the largest share of the measured time. What a change
// would gain comes from a model: a multiprocessor that executes the recorded instructions, as they are and
// with the change.
package bound
