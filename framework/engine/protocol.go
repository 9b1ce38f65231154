package engine

import (
	"encoding/json"

	"example.org/bench/framework/plan"
	"example.org/bench/framework/probes"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/offline"
)

// The parent writes one request per line to the worker's standard input. The worker answers on file
// descriptor 3 with any number of progress replies and one final reply.

type request struct {
	// Number counts a worker's requests from 1. Every reply repeats it.
	Number uint64 `json:"number"`
	Op     string `json:"op"` // one of answers, or an Operation's name
	// Setup comes with the first request of each engine.
	Setup *setup      `json:"setup,omitempty"`
	Point *plan.Point `json:"point,omitempty"`
	// Start gives the highest temperatures, in degrees Celsius by sensor, that the point's device
	// may have before power is measured.
	Start map[string]float64 `json:"start,omitempty"`
	// Pair is what "ab" compares.
	Pair *Pair `json:"pair,omitempty"`
	// Device is what "device" and "ceilings" ask about: "cpu", "cuda:0", "sim".
	Device string `json:"device,omitempty"`
	// Process is the worker of a keeper.
	Process int `json:"process,omitempty"`
	// Facts describe the GPU that "compile" compiles for.
	Facts *gpu.Facts `json:"facts,omitempty"`
	// In is the input of an Operation.
	In json.RawMessage `json:"in,omitempty"`
}

// setup is what a worker must know of an engine.
type setup struct {
	Options
	// Confined is set for a worker whose code is not trusted; Options.Apart then is for its keeper.
	Confined bool
	// GPU and PCI name the GPU whose power counts if the worker opens none (Options.Measured).
	GPU, PCI string
	// Parent is the asking process. Processes that it started do not count as neighbours.
	Parent int
}

type reply struct {
	Number    uint64          `json:"number"`
	Phase     string          `json:"phase,omitempty"` // progress; not final
	Result    *record.Result  `json:"result,omitempty"`
	Facts     *gpu.Facts      `json:"facts,omitempty"`
	GPUs      []gpu.Facts     `json:"gpus,omitempty"`
	Described *record.Device  `json:"device,omitempty"` // of "ceilings"
	Turns     *Turns          `json:"turns,omitempty"`
	Sensors   []record.Sensor `json:"sensors,omitempty"`
	// Probes are the results of probing sensors with duty cycles.
	Probes []probes.Probe `json:"probes,omitempty"`
	// Launches are the resources of the launches of a compiled point.
	Launches []offline.Launch `json:"launches,omitempty"`
	// Ran is set if the run of a profiled point began.
	Ran bool `json:"ran,omitempty"`
	// Unsound is set if the device no longer works. The worker must then be replaced.
	Unsound bool `json:"unsound,omitempty"`
	// Temperatures are degrees Celsius by sensor.
	Temperatures map[string]float64 `json:"temperatures,omitempty"`
	// Out is what an Operation returned.
	Out   json.RawMessage `json:"out,omitempty"`
	Error string          `json:"error,omitempty" lines:"kept"`
	// Stood is how many seconds the worker stood still since the request came.
	Stood float64 `json:"stood_s,omitempty"`
	// Counters are the answer to "counters".
	Counters *record.Counters `json:"counters,omitempty"`
	// CannotRun is set if Error is a CannotRun, or if no point has counters.
	CannotRun bool `json:"cannot_run,omitempty"`

	// Kept is the answer to "kept".
	Kept *Kept `json:"kept,omitempty"`

	bad   error    // why the input is no reply; set by the reader
	again []string // notes on earlier answers, which the worker measured while it stood still; set by Engine.ask
}

// measures reports whether the answer to a request has samples, which a standstill would spoil.
func (r request) measures() bool { return r.Op == "point" || r.Op == "ab" }

func (r *reply) final() bool { return r.Phase == "" }

// failed reports whether something went wrong, perhaps with the device.
func (r *reply) failed() bool {
	return r.Error != "" || r.Result != nil && r.Result.Status == record.Failed || r.Turns != nil && r.Turns.Status == record.Failed
}

// Phases of a point, as shown in the progress display.
const (
	PhasePrepare = record.PreparePhase
	PhaseVerify  = record.VerifyPhase
	PhaseCold    = "time cold"
	PhaseHot     = "time"
	PhaseRate    = "rate"
	PhasePower   = "power"
	PhaseStages  = "stages"
	PhaseCool    = "cool down"
)
