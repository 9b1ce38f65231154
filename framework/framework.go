// Package framework defines the contract between the runner and its plugins: algorithms (Factory,
// Problem, BaseAlgorithm) and sensors (Sensor). It imports no plugin.
package framework

import (
	"errors"
	"fmt"

	"example.org/bench/gpu"
)

// Processor is where a version runs, and thereby how it is timed: CPU versions by the monotonic
// clock, GPU versions by CUDA events.
type Processor string

// The two processors.
const (
	CPU Processor = "CPU"
	GPU Processor = "GPU"
)

// UnmarshalText accepts only the names of the two processors.
func (p *Processor) UnmarshalText(text []byte) error {
	if x := Processor(text); x != CPU && x != GPU {
		return fmt.Errorf("processor is %q, want CPU or GPU", text)
	}
	*p = Processor(text)
	return nil
}

// Factory describes one algorithm and makes its problems.
type Factory struct {
	Name string
	Doc  string // one line
	// Source is the title of the literature or library behind the algorithm.
	Source string
	Params []Param
	// Check returns an error for settings that are in range but do not fit together or cannot be
	// computed (such as an N that is not a power of two). The error says what would be right.
	Check func(Values) error
	// Inputs returns an error of one line for a kind of inputs that the parameters do not allow. It
	// is not called for random ones. If it is nil, the algorithm has only random inputs and no
	// InputsParam.
	Inputs func(kind Inputs, params Values) error
	// Items names the unit of throughput ("points", "rows", …); may be empty.
	Items    string
	Formulas []Formula
	Versions []Version
	// NewProblem makes the inputs for one sweep point. Random inputs come from env.Seed: the same
	// seed gives the same inputs.
	NewProblem func(env Env, params Values) (Problem, error)
	// Keep makes the receiver (net/rpc) of a Keeper's questions about problems; nil if none is
	// needed.
	Keep func(env Env) any
	// External is set for external programs. The runner opens no device for them.
	External bool
	// Verification lists the problems on which `bench verify` checks every version: sizes, odd
	// batches and edges, for a device ("cpu", "sim", "cuda:0"). The simulator needs small ones.
	Verification func(device string) []Values
	// HostBytes is the host memory that a problem takes, with its reference answer.
	HostBytes func(params Values) int64
}

// Formula is the formula of a count, as `bench list` shows it.
type Formula struct{ Name, Text string }

// Param is a problem parameter, and thus a possible axis of a sweep. Its name is the JSON key and
// the CSV column.
type Param struct {
	Name    string
	Doc     string
	Unit    string // empty for a count
	Kind    Kind
	Default Value
	// DefaultGPU, if set, replaces Default for GPU versions.
	DefaultGPU Value
	Min, Max   float64  // of an Int or Float; both 0: unbounded
	Choices    []string // of a Text; for a Float, words that it takes beside numbers
}

// Tunable is a parameter of a version's implementation. Its name is the -D macro, the JSON key and
// the CSV column.
type Tunable struct {
	Name   string
	Doc    string
	Values []int64 // what a search may try, ascending
	// Settings are what a search may try instead of whole numbers: words, or numbers with a fraction
	// in ascending order. Values then are their places, 0, 1, 2, ….
	Settings []Value
}

// Version is one implementation of an algorithm.
type Version struct {
	Name      string
	Doc       string
	Source    string // paper or document, by title
	Processor Processor
	// OpenCL is set if the kernels of a GPU version are OpenCL C. It runs on devices of OpenCL, and on
	// no others.
	OpenCL bool
	// Portable is set if the version has kernels in CUDA C++ and in OpenCL C, with the same tunables and
	// counts. What the device's facts say decides which ones New compiles (gpu.Facts.OpenCL).
	Portable bool
	// Peer marks another library's implementation.
	Peer     bool
	Tunables []Tunable
	// Defaults returns the tunables used if the config sets none. facts is the zero value for CPU
	// versions.
	Defaults func(params Values, facts gpu.Facts) Values
	// Valid returns an error for tunables that cannot run for this problem on this device, before
	// anything is compiled. If it is nil, all can.
	Valid func(params, tunables Values, facts gpu.Facts) error
	// Supports returns an error for a problem that the version cannot solve at all (a size beyond
	// one block, a missing precision). Such a point is skipped for this reason. If it is nil, the
	// version solves all.
	Supports func(params Values, facts gpu.Facts) error
	// Available returns an error that says why the version cannot run on this machine (a library
	// that is not installed, a symbol that it lacks) and how to get what is missing. If it is nil,
	// the version is always available.
	Available func() error
	// DeviceBytes is the device memory that the version allocates; nil for CPU
	// versions.
	DeviceBytes func(params, tunables Values) int64
	// HostBytes is the most host memory that a point of the version takes: inputs, what the answer
	// is checked by (full: the whole reference), and the version's own arrays. If it is nil,
	// Factory.Memory assumes the most that is possible.
	HostBytes func(params, tunables Values, full bool) int64
	New       func(env Env, problem Problem, tunables Values) (BaseAlgorithm, error)
}

// Env is what the runner gives to a problem or a version.
type Env struct {
	Seed    uint64
	Workers int        // threads that a CPU version may use
	Device  gpu.Device // nil for CPU versions
	Stream  gpu.Stream
	// Sanitized is set under a tool that finds reads of unwritten memory. A version then leaves
	// outputs and scratch memory as they were allocated.
	Sanitized bool
	// Keeper, if not nil, is asked for inputs and told answers, because the version must not see
	// what its answers are compared with. If it is nil, this process makes and compares them.
	Keeper Keeper
	// Set is the set of inputs to ask a Keeper for: 0, the problem's own, or 1, others.
	Set int
	// Note records a remark with the point (what a peer chose, a fallback).
	Note func(format string, args ...any)
}

// Keeper is another process that has the seeds and the right answers of what runs here. A call is a
// call of a method of the receiver that Factory.Keep made there.
type Keeper interface {
	Call(method string, question, answer any) error
}

// Problem owns the inputs of one sweep point, and the reference answer once it is asked for. All
// versions at that point share it.
type Problem interface {
	// Close releases the problem's memory.
	Close()
}

// ErrTimeout is wrapped by the error of an algorithm that ended its program because that took too
// long. The point's status is then timeout.
var ErrTimeout = errors.New("was ended")

// BaseAlgorithm is one version at one point. The runner calls PreRun, then
// Run and Verify once, then Run many times, then PostRun, all on one
// operating-system thread.
type BaseAlgorithm interface {
	// PreRun allocates, compiles, plans and uploads. It is not timed.
	PreRun() error
	// Run computes the answer once from the unchanged inputs. A GPU version
	// only enqueues its work on Env.Stream.
	Run() error
	// Verify compares the answer of the last Run with the reference. A Check beyond its bound makes
	// the point wrong; an error makes it failed. The runner has synchronized the stream before.
	Verify() ([]Check, error)
	PostRun() error
	// Work returns the counts of one Run. It is valid after PreRun.
	Work() Work
}

// FastVerifier is implemented by a version whose whole answer can be checked at less than the cost
// of the reference answer. The runner then calls VerifyFast in place of Verify, unless full
// verification is asked for.
type FastVerifier interface {
	BaseAlgorithm
	// VerifyFast checks every element of the last Run's answer, by the problem's definition or by
	// identities with random numbers. An error that Verify refuses escapes the identities with at
	// most a stated probability. VerifyFast refuses no answer that Verify accepts. ErrNoFastCheck
	// asks for Verify instead.
	VerifyFast() ([]Check, error)
}

// Rechecker is implemented by a version that verifies its last answer again after the timing, since
// what was right once may be wrong later.
type Rechecker interface {
	Recheck() ([]Check, error)
}

// Renewer is implemented by a version of foreign code. Renew restores the state after PreRun with
// the code loaded anew and the memory elsewhere, so that nothing is left of earlier runs. The
// runner calls it between Verify and the timed runs.
type Renewer interface {
	Renew() error
}

// Writer is implemented by a version that knows how much it writes at least.
type Writer interface {
	// Written returns how many bytes of the answer each Run writes, or 0 if that is unknown. It is
	// valid after PreRun.
	Written() int64
}

// Alternator is implemented by a version that can change to other inputs of the same point between
// timed runs, so that no run can use what an earlier one left.
type Alternator interface {
	// Alternate prepares a second set of inputs and reports whether there is one.
	Alternate() (bool, error)
	// Sets returns how many sets are ready.
	Sets() int
	// Use selects a set of inputs: 0, the point's own, or 1. Answers are then compared with the
	// right one of that set. A GPU version works on the stream. If the version is a Resetter, the
	// runner calls Reset afterwards.
	Use(set int) error
}

// Refresher is an Alternator that can give a run inputs that no run had before.
type Refresher interface {
	Alternator
	// Fresh puts new inputs in place, without making their right answer. It keeps the present
	// inputs where new ones would take too much memory, or where the inputs are too few to be drawn
	// differently. The runner calls Use afterwards.
	Fresh() error
}

// FreshVerifier is a Refresher that can verify an answer to such inputs, too.
type FreshVerifier interface {
	Refresher
	// VerifyFresh verifies the answer of the last run to the inputs that the last Fresh put in place. It
	// computes the right answer.
	VerifyFresh() ([]Check, error)
}

// CodeKeeper is implemented by a version whose machine code could be changed by other code in its
// process.
type CodeKeeper interface {
	// Intact returns ErrCodeChanged if the machine code was changed.
	Intact() error
}

// ErrCodeChanged is the error of a version whose machine code another version in its process
// changed.
var ErrCodeChanged = errors.New("its machine code was changed while it was loaded")

// ErrNoFastCheck is the error of VerifyFast for a problem that it does not support.
var ErrNoFastCheck = errors.New("no fast check")

// Verification is how a point's answer was checked.
type Verification string

// The ways of checking. A version that reports no checks, as a program that times itself may, has
// none.
const (
	FullVerification Verification = "full" // by BaseAlgorithm.Verify
	FastVerification Verification = "fast" // by FastVerifier.VerifyFast
	NoVerification   Verification = "none"
)

// CPUAlgorithm is an algorithm timed by the monotonic clock.
type CPUAlgorithm interface {
	BaseAlgorithm
	// Workers returns how many threads Run computes with; 0 if it waits for a GPU.
	Workers() int
}

// GPUAlgorithm is an algorithm timed by CUDA events around the work that Run enqueues.
type GPUAlgorithm interface {
	BaseAlgorithm
	// Stream returns the stream on which Run enqueues.
	Stream() gpu.Stream
}

// SelfTimed is implemented by an algorithm that measures itself, as an external program does. Run
// is then one complete execution.
type SelfTimed interface {
	BaseAlgorithm
	// Times runs the timed repeats and returns the seconds of each run, or only the mean that the
	// program reports.
	Times() ([]float64, error)
}

// RunCounter is implemented by a SelfTimed whose Times may report one mean of
// several runs.
type RunCounter interface {
	// Runs returns how many runs the last Times made.
	Runs() int64
}

// Resetter is implemented by versions that change their inputs. Reset restores the inputs before
// each Run, outside the timed region (on the stream for a GPU version).
type Resetter interface{ Reset() error }

// Check is one measure of an answer's error.
type Check struct {
	Metric string  `json:"metric"` // what is compared, e.g. "relative L2 error"
	Error  float64 `json:"error"`  // in JSON null where it is not finite
	Bound  float64 `json:"bound"`  // largest that is right
	// Where says where and how the answer is wrong; empty if it is right.
	Where string `json:"where,omitempty"`
}

// OK reports whether the error is within the bound. It is false for NaN.
func (c Check) OK() bool { return c.Error <= c.Bound }

// Work counts one Run. The nominal counts come from the problem's definition and are the same for
// every version, so that rates can be compared. The others count what the version's code executes
// and requests from memory, by hand; they are zero if unknown (a closed library).
type Work struct {
	NominalFLOPs int64 `json:"nominal_flops"`
	NominalBytes int64 `json:"nominal_bytes"` // inputs read once, outputs written once
	FLOPs        int64 `json:"flops"`
	LoadBytes    int64 `json:"load_bytes"`
	StoreBytes   int64 `json:"store_bytes"`
	// ClusterBytes is stored into the shared memory of other blocks of a cluster. A profiler counts
	// it in StoreBytes.
	ClusterBytes int64 `json:"cluster_bytes,omitempty"`
	Items        int64 `json:"items"` // in the factory's Items
	// CopiedIn and CopiedOut are the bytes copied from and to the host's memory within the timed
	// part; 0 if only the kernels are timed.
	CopiedIn  int64 `json:"copied_in_bytes,omitempty"`
	CopiedOut int64 `json:"copied_out_bytes,omitempty"`
}
