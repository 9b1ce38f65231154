// Package bench holds what the program's algorithms and its way of measuring are
// built from, so that another build of the same is known by its fingerprint
// (docs/journal.md).
package bench

import "embed"

// Sources are the sources of all that decides what a point's figures are:
// algorithms, CUDA, sensors, and the framework as far as a worker measures with it.
// Command line, plans, results' files, tuning, plots and documentation are no part of it.
//
//go:embed algorithms/*.go algorithms/*/*.go algorithms/*/*.s algorithms/*/*.h algorithms/*/*.cu algorithms/*/*.cuh algorithms/*/*.cl algorithms/*/kernels
//go:embed gpu/*.go gpu/*.h gpu/opencl/*.go gpu/cuda/*/*.go gpu/cuda/*/*.cuh gpu/cuda/sim/cpp gpu/cuda/standard/include sensors/*.go sensors/*/*.go
//go:embed framework/*.go framework/answer framework/ceilings framework/config/*.go framework/digest framework/engine framework/graph framework/machine framework/measure/*.go framework/measure/*.cu framework/measure/*.cl framework/neighbours framework/inputs framework/mismatch framework/perf framework/probes framework/rails framework/stats
//go:embed internal/bounded internal/diskcache internal/dynlib internal/half internal/lazy internal/linux internal/npy internal/pages internal/terminal/*.go internal/terminal/digits internal/textfile internal/workers
var Sources embed.FS
