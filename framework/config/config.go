package config

import (
	"encoding/json"

	"example.org/bench/framework"
)

// Config is one experiment file.
type Config struct {
	// Path is the file's path as given on the command line.
	Path string `json:"path"`
	// Hash is the SHA-256, in hexadecimal, of the file's JSON without the space between its tokens
	// and of the other files that define the algorithm (Extend). OldHash is of the file's bytes
	// instead, as runs up to 0.9 hold it.
	Hash    string `json:"hash"`
	OldHash string `json:"old_hash,omitempty"`
	// Text is the file's content.
	Text string `json:"text,omitempty"`

	// Files are the contents of the files that define the algorithm, by path, as they were once
	// read; nil if they are to be read. If Closed is set, no other file is read.
	Files  map[string][]byte `json:"files,omitempty"`
	Closed bool              `json:"closed,omitempty"`

	// Algorithm is the name of a built-in or of CUDA, or empty if Executable is set.
	Algorithm string `json:"algorithm,omitempty"`
	// CUDA is the content of "algorithm": {"cuda": …} as JSON, with every range of values written
	// out; nil for a built-in or an executable.
	CUDA json.RawMessage `json:"cuda,omitempty"`
	// OpenCL is likewise that of "algorithm": {"opencl": …}.
	OpenCL json.RawMessage `json:"opencl,omitempty"`
	// Executable is the path of a program run as the algorithm, relative to the working directory
	// or else to the config's folder.
	Executable string `json:"executable,omitempty"`
	// Processor is CPU, GPU, or empty for all that the versions support and the machine has.
	Processor framework.Processor `json:"processor,omitempty"`
	// Command is a program and its arguments, given on the command line instead of a
	// file.
	Command []string `json:"command,omitempty"`
	// Kernel is "kernel_name", the version column's label for an executable.
	Kernel string `json:"kernel_name,omitempty"`
	// Prefix is "output_file_prefix". Its default is the config's base name.
	Prefix string `json:"output_file_prefix"`
	// Versions are the versions to run; empty for all.
	Versions []string `json:"versions,omitempty"`
	// Static are the arguments of "static_args" in the order of the file. Sweep are the axes of
	// "sweep_arg", which multiply; the first varies slowest.
	Static []Argument `json:"static_args,omitempty"`
	Sweep  []Axis     `json:"sweep_arg,omitempty"`
	// Tunables are axes over tunables, for the versions that have them.
	Tunables []Axis `json:"tunables,omitempty"`
	// Constraints are the "tuning_constraints" that a search respects.
	Constraints []string `json:"tuning_constraints,omitempty"`
	// One and Many are "run_arg", the arguments for an executable when it counts and when it is
	// timed. For a built-in, a number in Many is the least number of samples.
	One  []Argument `json:"one,omitempty"`
	Many []Argument `json:"many,omitempty"`
	// Sensors are names of sensors; nil for all that are found, empty for none.
	Sensors []string `json:"sensors"`
	// External is the source of the sensor "external", if Sensors has it.
	External *framework.ExternalPower `json:"external,omitempty"`
	// Counters are the names of GPU metrics and CPU events to count after the timing.
	Counters []string `json:"counters,omitempty"`
	// Calibration is what is known about sensors beyond what they tell, by sensor and channel, as
	// in "nvml power", or by sensor alone.
	Calibration map[string]framework.Calibration `json:"calibration,omitempty"`
	Measure     Measure                          `json:"measure"`
	// Judge is what a candidate is held against; nil if the file does not say.
	Judge *Judge `json:"judge,omitempty"`
	// Assignments are the assignments that Set applied, each NAME=V,V… without dashes.
	Assignments []string `json:"set,omitempty"`

	positions map[string]Position // of keys and list items, by JSON path
}

// Kernels returns the description of the config's own kernels, and its key in the file: "cuda" or "opencl".
// Without any it returns nil.
func (c *Config) Kernels() (text json.RawMessage, key string) {
	if c.OpenCL != nil {
		return c.OpenCL, "opencl"
	}
	return c.CUDA, "cuda"
}

// HasKernels reports whether the config describes kernels of its own.
func (c *Config) HasKernels() bool { return c.CUDA != nil || c.OpenCL != nil }

// PositionOf returns the position of the value at a JSON path such as "versions[1]". For a path
// that is not in the file, the position has only the path.
func (c *Config) PositionOf(path string) Position {
	if p, ok := c.positions[path]; ok {
		return p
	}
	return Position{Path: path}
}

// Argument is one ["--name", value] pair. Name is as written, dashes included.
type Argument struct {
	Name  string          `json:"name"`
	Value framework.Value `json:"value"`
	Pos   Position        `json:"-"` // of the name, or of the key that is the name

	at Position // of the value
}

// NewArgument returns an argument whose value is at a position in the file.
func NewArgument(name string, v framework.Value, at Position) Argument {
	return Argument{Name: name, Value: v, Pos: at, at: at}
}

// ValuePos returns the position of the value in the file.
func (s Argument) ValuePos() Position { return s.at }

// Axis is one swept name and its values.
type Axis struct {
	Name   string            `json:"name"`
	Values []framework.Value `json:"values"`
	// Geometric is set for a {"from","to","factor"} range, and for a list whose values grow by one
	// factor. Plots then use a log axis.
	Geometric bool     `json:"geometric"`
	Pos       Position `json:"-"` // of the name, or of the key that is the name

	at []Position // of each value; a single one for a range
}

// ValuePos returns the position of value i in the file.
func (a Axis) ValuePos(i int) Position {
	switch {
	case i < len(a.at):
		return a.at[i]
	case len(a.at) > 0:
		return a.at[0]
	}
	return a.Pos
}

// Position is a place in the file; Line and Column count from 1.
type Position struct {
	Line, Column int
	Path         string // JSON path, e.g. sweep_arg.values[2]
}

// Flush is what the flush before a cold sample leaves in a GPU's L2 cache.
type Flush string

// FlushClean leaves lines that were read. FlushDirty leaves lines that a memset wrote:
// the version timed next pays for writing them back.
const (
	FlushClean Flush = "clean"
	FlushDirty Flush = "dirty"
	// FlushNothing is what happens on a device whose caches are not known; no config asks for it.
	FlushNothing Flush = "nothing"
)

// Caches is the state of the caches when a version starts.
type Caches string

// Cold is after a flush that reads other data, ColdDirty after a GPU's flush by memset, and Hot as
// the run before left the caches.
const (
	Cold      Caches = "cold"
	ColdDirty Caches = "cold-dirty"
	Hot       Caches = "hot"
)

// Caches returns the state of the caches for a GPU version after the flush. An empty Flush is from
// a run of an earlier version of the tool, which always wrote.
func (f Flush) Caches() Caches {
	switch f {
	case FlushClean:
		return Cold
	case FlushNothing:
		return Hot
	}
	return ColdDirty
}

// Affinity is where the threads of a CPU version run, on as many CPUs as it has workers.
type Affinity string

// Shared lets each thread run on any of these CPUs. Pinned gives each thread one CPU.
const (
	Shared Affinity = "shared"
	Pinned Affinity = "pinned"
)

// Measure says how points are measured. Load fills in the defaults; only FlushBytes and CoolDown
// may be zero.
type Measure struct {
	Repeats       int      `json:"repeats"`         // instances of each point, each in a new process; default 1
	MinSamples    int      `json:"min_samples"`     // default 10
	MinTime       float64  `json:"min_time_s"`      // default 0.5
	Noise         float64  `json:"noise"`           // default 0.005
	Timeout       float64  `json:"timeout_s"`       // of one series of samples; default 15
	Releases      int      `json:"releases"`        // least number of releases at a rate for which timeout_s must have room; default 10000
	MissShare     float64  `json:"miss_share"`      // share of releases that may miss their deadline at the highest rate; default 0
	PointTimeout  float64  `json:"point_timeout_s"` // of a whole point; default 60
	PowerWindow   float64  `json:"power_window_s"`  // least length of the sustained run; default 2
	CoolDown      float64  `json:"cooldown_s"`      // longest wait for the start's temperature between points with power; default 10, 0: none
	FlushBytes    int64    `json:"flush_bytes"`     // read, or written, between cold samples to flush the cache; 0: the device's default
	Flush         Flush    `json:"flush"`           // what a GPU's flush leaves in the cache; default FlushClean
	CPUCaches     Caches   `json:"cpu_caches"`      // how CPU versions are timed; default Hot
	CPUAffinity   Affinity `json:"cpu_affinity"`    // where CPU versions' threads run; default Shared
	ClockFraction float64  `json:"clock_fraction"`  // samples below this share of the highest SM clock are dropped; default 0.75
	Ceilings      bool     `json:"ceilings"`        // whether the device's ceilings are measured; default true
	Stages        bool     `json:"stages"`          // whether each stage of a run on a GPU is measured alone; default false
}
