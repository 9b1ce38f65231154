// Package sim is a CUDA device that runs kernels on the CPU, to check their results without a GPU. It
// measures no times.
//
// The kernel source is the one that NVRTC gets. g++ compiles it with a header that provides CUDA's names,
// and every thread becomes a fiber. The threads of a block take turns on one operating-system thread,
// each until it has to wait for others; blocks start in the order of their index, several at a time on
// several cores. Barriers and warp operations count arrivals, so a barrier that not all threads reach is
// an error that names the kernel, the block and the place.
//
// Between barriers, warps and the lanes of a warp run in an order drawn from the seed: a kernel that
// lacks a barrier computes wrong results for nearly every seed. Shared and global memory start as NaN
// bytes (0xff). Accesses outside an allocation or outside dynamic shared memory fault.
//
// A kernel must observe the following:
//   - BENCH_SIM is defined here. Inline PTX cannot run and is guarded by
//     #ifndef BENCH_SIM; asynchronous copies become plain ones there.
//   - Clusters: bench_cluster_rank(), bench_cluster_size(),
//     bench_cluster_sync(), bench_cluster_map(pointer, rank) and
//     bench_cluster_store(pointer, value) exist under BENCH_SIM.
//   - A shuffle from a lane that takes no part returns NaN.
//   - Waiting for another block works: a spinning thread is interrupted, or
//     yields by itself where its accesses are checked. The number of blocks
//     that run at once is limited (Resident), as on a GPU.
//
// With the option Checks, kernels announce every access to memory, and a mistake is reported with its
// line whether or not it shows in the answer (cpp/checks.cpp). Static __shared__ arrays then lie apart,
// so that the bytes next to an array belong to no other.
//
// A block of 1024 threads with 20 shuffles and 2 barriers takes 0.5 ms on one core of an AMD EPYC of 2024
// (family 26) by
//
//	go test -run - -bench ScanBlock ./gpu/cuda/sim
package sim

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"example.org/bench/gpu"
	"example.org/bench/internal/linux"
)

// Device is a simulated GPU. It shares its memory with all devices that its WithSeed returns.
type Device struct {
	facts   gpu.Facts
	seed    uint64
	workers int
	// resident is the number of blocks that may run at once.
	resident int
	checks   bool
	limit    time.Duration // of a launch; 0 for none
	// suspicions are the compiler's warnings about local variables that are read before they are written.
	suspicions *[]string
	warnings   *[]string  // of launches, each once
	modules    *[]*module // loaded ones
	memory     *memory
	compiler   *compiler
	run        func(*launch) int32
}

// stackBytes is the size of each thread's stack, which holds its local arrays.
const stackBytes = 64 << 10

// Option configures a device at Open.
type Option func(*Device) error

// Workers sets the number of cores that run blocks; the default is all.
func Workers(n int) Option {
	return func(d *Device) error {
		if n < 1 {
			return fmt.Errorf("sim: %d workers: at least 1 is needed", n)
		}
		d.workers = n
		return nil
	}
}

// Resident sets the number of blocks that may run at once, for kernels whose blocks wait for each other.
// The default is one block per multiprocessor.
func Resident(blocks int) Option {
	return func(d *Device) error {
		if blocks < 1 {
			return fmt.Errorf("sim: %d resident blocks: at least 1 is needed", blocks)
		}
		d.resident = blocks
		return nil
	}
}

// Checks makes a launch fail at its first mistake, with the line of the kernel's source. Mistakes are an
// access outside a variable or an allocation, a read of memory that was never written, a write to a
// constant, two unordered accesses of which one writes, an index outside its array, a misaligned vector,
// and a shuffle from a lane that takes no part. Kernels are recompiled for it and run up to three times
// slower.
func Checks() Option {
	return func(d *Device) error {
		d.checks = true
		return nil
	}
}

// Limit ends a launch that takes longer than limit, with an error that wraps ErrLimit and names the line
// that was running.
func Limit(limit time.Duration) Option {
	return func(d *Device) error {
		if limit <= 0 {
			return fmt.Errorf("sim: limit of %v: a positive duration is needed", limit)
		}
		d.limit = limit
		return nil
	}
}

// Fault is the error of a launch whose behaviour CUDA does not define.
type Fault struct{ text string }

func (f *Fault) Error() string { return f.text }

// Left reports whether the kernel read what an earlier run left.
func (f *Fault) Left() bool { return strings.Contains(f.text, "reads what an earlier run left") }

// ErrLimit is wrapped by the error of a launch that took longer than Limit.
var ErrLimit = errors.New("takes too long")

// Open returns a device with a recent GPU's limits: 1024 threads and 227 KiB of shared memory per block,
// compute capability 9.0, clusters.
func Open(seed uint64, options ...Option) (gpu.Device, error) {
	return OpenAs(gpu.Facts{
		Name:            "simulator",
		ComputeMajor:    9,
		Multiprocessors: 16,
		WarpSize:        32,
		MaxThreadsPerSM: 2048,
		MaxBlocksPerSM:  32,
		MaxThreadsBlock: 1024,
		RegistersPerSM:  65536,
		RegistersBlock:  65536,
		SharedPerSM:     228 << 10,
		SharedPerBlock:  48 << 10,
		SharedOptIn:     227 << 10,
		SharedReserved:  1 << 10,
		L2Bytes:         1 << 20,
		Cooperative:     true,
	}, seed, options...)
}

// OpenAs returns a device with the limits of facts. Its memory is facts' GlobalBytes, but at most half of
// the machine's memory.
func OpenAs(facts gpu.Facts, seed uint64, options ...Option) (gpu.Device, error) {
	var info linux.Sysinfo
	if err := linux.SystemInfo(&info); err != nil {
		return nil, fmt.Errorf("sim: size of memory: %w", err)
	}
	half := int64(uint64(info.Totalram) * uint64(info.Unit) / 2)
	if facts.GlobalBytes <= 0 || facts.GlobalBytes > half {
		facts.GlobalBytes = half
	}
	if facts.MaxThreadsBlock < 1 || facts.MaxThreadsBlock > 1024 || facts.WarpSize != 32 {
		return nil, fmt.Errorf("sim: facts of %q: %d threads per block and a warp of %d: up to 1024 and 32 can be simulated",
			facts.Name, facts.MaxThreadsBlock, facts.WarpSize)
	}
	facts.Simulated = true
	d := &Device{
		facts:    facts,
		seed:     seed,
		workers:  runtime.NumCPU(),
		resident: max(facts.Multiprocessors, 1),
	}
	for _, o := range options {
		if err := o(d); err != nil {
			return nil, err
		}
	}
	d.memory, d.suspicions, d.warnings, d.modules = newMemory(facts.GlobalBytes, d.checks), new([]string), new([]string), new([]*module)
	c, err := findCompiler()
	if err != nil {
		return nil, err
	}
	if d.run, err = c.launcher(d.workers); err != nil {
		return nil, err
	}
	d.compiler = c
	d.facts.CompilerVersion = c.version
	return d, nil
}

// WithSeed returns a device that runs the kernels it compiles in another order. It shares d's memory;
// closing either device frees it.
func (d *Device) WithSeed(seed uint64) *Device {
	other := *d
	other.seed = seed
	return &other
}

// Suspicions returns possible causes of a wrong answer, in kernels that were compiled with Checks since
// the last call: local variables that are read before they are written, by line.
func (d *Device) Suspicions() []string {
	list := *d.suspicions
	*d.suspicions = nil
	return list
}

// Warnings returns what was noticed since the last call and is no error, each once: behaviour that CUDA
// does not define and GPUs tolerate, a barrier that some threads of a block never reach because they
// return, and what a kernel's Warn adds.
func (d *Device) Warnings() []string {
	list := *d.warnings
	*d.warnings = nil
	return list
}

func (d *Device) warn(text string) {
	if !slices.Contains(*d.warnings, text) {
		*d.warnings = append(*d.warnings, text)
	}
}

// ID returns "sim".
func (d *Device) ID() string { return "sim" }

// Facts returns the limits that launches must respect.
func (d *Device) Facts() gpu.Facts { return d.facts }

// Bind does nothing: any thread may use the device.
func (d *Device) Bind() error { return nil }

// Alloc returns memory filled with 0xff bytes. It ends at an inaccessible page, except for alignment to
// 16 bytes.
func (d *Device) Alloc(bytes int64) (gpu.Pointer, error) { return d.memory.alloc(bytes) }

// Free frees memory that Alloc returned.
func (d *Device) Free(p gpu.Pointer) error { return d.memory.free(p) }

// Synchronize has nothing to wait for: a launch returns when it is done.
func (d *Device) Synchronize(s gpu.Stream) error { return checkStream(s) }

// Close frees the device's memory.
func (d *Device) Close() error { return d.memory.close() }

func checkStream(s gpu.Stream) error {
	if s != 0 {
		return errors.New("sim: there is only the default stream, 0")
	}
	return nil
}

// NextRun says that the next launches belong to a run that must find nothing of earlier runs. A kernel
// that reads a value that those left in a variable of its module is then an error, if the variable did
// not hold the value at first. Without Checks it does nothing.
func (d *Device) NextRun() {
	if !d.checks {
		return
	}
	for _, m := range *d.modules {
		m.variables.nextRun(m.adopted)
	}
}
