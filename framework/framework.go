// Package framework is the contract between the runner and what plugs into
// it: algorithms (Factory, Problem, BaseAlgorithm) and sensors (Sensor). It
// imports no plugin.
package framework

import (
	"errors"
	"fmt"

	"bench/cuda"
)

// Processor says where a version runs and so how it is timed: CPU versions by
// the monotonic clock, GPU versions by CUDA events.
type Processor string

// The two processors.
const (
	CPU Processor = "CPU"
	GPU Processor = "GPU"
)

// UnmarshalText takes one of the two processors, of a table or a document.
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
	// Source is the literature or library behind it, by title.
	Source string
	Params []Param
	// Check refuses settings that are in range but do not fit together or
	// cannot be computed (such as an N that is not a power of two). The
	// error says what would be right.
	Check func(Values) error
	// Inputs refuses kinds of inputs that make no problem of the parameters, in a line; it is not
	// asked about random ones. nil: there are no others, and no parameter for them (InputsParam).
	Inputs func(kind Inputs, params Values) error
	// Items names the unit of throughput ("points", "rows", …); may be empty.
	Items    string
	Formulas []Formula
	Versions []Version
	// NewProblem makes the inputs for one sweep point. Random inputs come from
	// env.Seed, so that the same seed gives the same inputs.
	NewProblem func(env Env, params Values) (Problem, error)
	// Keep makes what answers a Keeper's questions about problems (net/rpc); nil: it needs none.
	Keep func(env Env) any
	// External marks external programs: the runner opens no device for
	// them.
	External bool
	// Verification lists the problems that `bench verify` checks every version
	// on, over sizes, odd batches and edges, for a device ("cpu", "sim",
	// "cuda:0"); the simulator needs small ones.
	Verification func(device string) []Values
	// HostBytes is the host memory that a problem with its reference answer
	// takes.
	HostBytes func(params Values) int64
}

// Formula is a counted quantity as shown by `bench list`.
type Formula struct{ Name, Text string }

// Param is a problem parameter, one possible axis of a sweep. Its name is the
// JSON key and the CSV column.
type Param struct {
	Name    string
	Doc     string
	Unit    string // empty for a count
	Kind    Kind
	Default Value
	// DefaultGPU replaces Default for GPU versions; the zero Value does not.
	DefaultGPU Value
	Min, Max   float64  // of an Int or Float; both 0 means unbounded
	Choices    []string // of a Text; words that a Float takes beside numbers
}

// Tunable is a whole-number parameter of a version's implementation. Its name
// is the -D macro, the JSON key and the CSV column.
type Tunable struct {
	Name   string
	Doc    string
	Values []int64 // what a search may try, ascending
}

// Version is one implementation of an algorithm.
type Version struct {
	Name      string
	Doc       string
	Source    string // paper or document, by title
	Processor Processor
	// Peer marks another library's implementation.
	Peer     bool
	Tunables []Tunable
	// Defaults are the tunables used if the config sets none. facts is the
	// zero value for CPU versions.
	Defaults func(params Values, facts cuda.Facts) Values
	// Valid refuses tunables that cannot run for this problem on this device,
	// before anything is compiled; nil accepts all.
	Valid func(params, tunables Values, facts cuda.Facts) error
	// Supports refuses problems that this version cannot solve at all (a size
	// beyond one block, a missing precision); such a point is skipped with
	// this reason. nil accepts all.
	Supports func(params Values, facts cuda.Facts) error
	// Available says why the version cannot run on this machine (a library
	// that is not installed, a symbol that it lacks) and how to get it. A
	// nil function means always available.
	Available func() error
	// DeviceBytes is the device memory that the version allocates; nil for CPU
	// versions.
	DeviceBytes func(params, tunables Values) int64
	// HostBytes is the host memory that a point of the version takes at most: inputs,
	// what its answer is checked by (full: the whole reference), and its own arrays;
	// nil: Factory.Memory counts what it may be.
	HostBytes func(params, tunables Values, full bool) int64
	New       func(env Env, problem Problem, tunables Values) (BaseAlgorithm, error)
}

// Env is what a problem or a version gets from the runner.
type Env struct {
	Seed    uint64
	Workers int         // threads that a CPU version may use
	Device  cuda.Device // nil for CPU versions
	Stream  cuda.Stream
	// Sanitized is set under a tool that finds reads of memory that nothing wrote: a
	// version then leaves outputs and scratch memory as they were allocated.
	Sanitized bool
	// Keeper is asked for inputs, and what answers are, where the version is not to see what
	// they are compared with; nil: it is in this process.
	Keeper Keeper
	// Set is which of the problem's inputs a Keeper gives: 0, or 1 for others.
	Set int
	// Note records a remark with the point (what a peer chose, a fallback).
	Note func(format string, args ...any)
}

// Keeper is the other process that has seeds and right answers of what runs here: a method of
// what Factory.Keep makes there is called.
type Keeper interface {
	Call(method string, question, answer any) error
}

// Problem owns the inputs of one sweep point and, once asked for, the
// reference answer, for all versions that run there.
type Problem interface {
	// Close releases its memory.
	Close()
}

// ErrTimeout is wrapped by the error of an algorithm that ended what it ran
// because it took too long: the point's status is then timeout.
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
	// Verify compares the answer of the last Run with the reference. Errors
	// beyond their bounds make the point wrong; an error return makes it
	// failed. The runner has synchronized the stream before.
	Verify() ([]Check, error)
	PostRun() error
	// Work counts one Run. It is valid after PreRun.
	Work() Work
}

// FastVerifier is implemented by a version whose whole answer can be checked for
// less than its reference answer costs. The runner then calls VerifyFast in place
// of Verify, unless full verification is asked for.
type FastVerifier interface {
	BaseAlgorithm
	// VerifyFast checks every element of the last Run's answer: by the problem's
	// definition, or by identities with random numbers that an error of the size
	// refused by Verify escapes with a stated probability at most. It refuses no
	// answer that Verify takes. ErrNoFastCheck asks for Verify instead.
	VerifyFast() ([]Check, error)
}

// Rechecker is implemented by a version that verifies its last answer again after it
// was timed: what is right once may be wrong later.
type Rechecker interface {
	Recheck() ([]Check, error)
}

// Renewer is implemented by a version of foreign code: Renew brings it to where PreRun left it,
// its code loaded anew and its memory elsewhere, so that nothing is left of earlier runs. The runner calls it between Verify
// and the timed runs.
type Renewer interface {
	Renew() error
}

// Writer is implemented by a version that says how much it writes at least.
type Writer interface {
	// Written is the bytes of the answer that each Run writes, valid after PreRun; 0: not known.
	Written() int64
}

// Alternator is implemented by a version that can compute on other inputs of the same point
// between its timed runs, so that no run can do with what an earlier one left.
type Alternator interface {
	// Alternate makes a second set of inputs ready; false where there is none.
	Alternate() (bool, error)
	// Sets is how many sets are ready.
	Sets() int
	// Use puts a set of inputs in place, 0 the point's own or 1, on the stream for a GPU version,
	// and answers are compared with the right one of that set. Of a Resetter, Reset follows.
	Use(set int) error
}

// Refresher is an Alternator of which a run can have inputs that none had before.
type Refresher interface {
	Alternator
	// Fresh puts such inputs in place, for which no right answer is made. It leaves those that are
	// there where they would take too much memory, or are too few to be drawn unlike. Use follows.
	Fresh() error
}

// CodeKeeper is implemented by a version whose machine code what else is loaded into its process
// could change.
type CodeKeeper interface {
	// Intact is ErrCodeChanged where that has happened.
	Intact() error
}

// ErrCodeChanged is the error of a version that another one of its process has changed.
var ErrCodeChanged = errors.New("its machine code was changed while it was loaded")

// ErrNoFastCheck is the error of a VerifyFast that does not fit the problem.
var ErrNoFastCheck = errors.New("no fast check")

// Verification says how a point's answer was checked.
type Verification string

// The ways of checking. One that reports no checks, as a program that times itself
// may, has none.
const (
	FullVerification Verification = "full" // by BaseAlgorithm.Verify
	FastVerification Verification = "fast" // by FastVerifier.VerifyFast
	NoVerification   Verification = "none"
)

// CPUAlgorithm is timed by the monotonic clock.
type CPUAlgorithm interface {
	BaseAlgorithm
	// Workers is how many threads Run computes with; 0: it waits for a GPU.
	Workers() int
}

// GPUAlgorithm is timed by CUDA events around the work that Run enqueues.
type GPUAlgorithm interface {
	BaseAlgorithm
	// Stream is where Run enqueues.
	Stream() cuda.Stream
}

// SelfTimed is implemented by an algorithm that measures itself, as an
// external program does; Run then is one complete execution.
type SelfTimed interface {
	BaseAlgorithm
	// Times runs the timed repeats and returns the seconds of each run, or the
	// single mean that the program reports.
	Times() ([]float64, error)
}

// RunCounter is implemented by a SelfTimed whose Times may report one mean of
// several runs.
type RunCounter interface {
	// Runs is how many runs the last Times made.
	Runs() int64
}

// Resetter is implemented by versions that change their inputs: Reset
// restores them before each Run, outside the timed region (on the stream for
// a GPU version).
type Resetter interface{ Reset() error }

// Check is one measure of an answer's error.
type Check struct {
	Metric string  `json:"metric"` // e.g. "relative L2 error"
	Error  float64 `json:"error"`
	Bound  float64 `json:"bound"`
	// Where says where a wrong answer is wrong, and how; empty where it is right.
	Where string `json:"where,omitempty"`
}

// OK is false for an error beyond the bound and for NaN.
func (c Check) OK() bool { return c.Error <= c.Bound }

// Work counts one Run. The nominal counts come from the problem's definition
// and are the same for every version, so that rates can be compared. The
// others are what this version's code executes and requests from memory,
// counted by hand; they are zero if they cannot be known (a closed library).
type Work struct {
	NominalFLOPs int64 `json:"nominal_flops"`
	NominalBytes int64 `json:"nominal_bytes"` // inputs read once, outputs written once
	FLOPs        int64 `json:"flops"`
	LoadBytes    int64 `json:"load_bytes"`
	StoreBytes   int64 `json:"store_bytes"`
	// ClusterBytes are stored into the shared memory of other blocks of a
	// cluster. A profiler counts them with StoreBytes.
	ClusterBytes int64 `json:"cluster_bytes,omitempty"`
	Items        int64 `json:"items"` // in the factory's Items
	// CopiedIn and CopiedOut are copied from and to the host's memory within the timed
	// part; 0 where that is the kernels alone.
	CopiedIn  int64 `json:"copied_in_bytes,omitempty"`
	CopiedOut int64 `json:"copied_out_bytes,omitempty"`
}
