package history

import (
	"errors"
	"fmt"
	"math"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
)

// entryFormat changes when an older tool can no longer read the lines.
const entryFormat = 1

// Entry is a line of the file: the result of a point in a run.
type Entry struct {
	Format int `json:"format"` // 1
	// Started is when the run began, by which the results are ordered.
	Started  time.Time `json:"started"`
	Revision string    `json:"revision"` // of the source that was measured
	// Tool is the program that measured.
	Tool        string              `json:"tool"`
	Config      string              `json:"config"`                                  // base name of the config's file
	ConfigHash  string              `json:"config_sha256"`                           // start of the SHA-256 of its text and of what --set replaced
	Machine     string              `json:"machine"`                                 // fingerprint of board, CPU, memory and GPU
	MachineName string              `json:"machine_name"`                            // what it is, in words
	Algorithm   string              `json:"algorithm"`                               // its name
	Version     string              `json:"version"`                                 // its name
	Processor   framework.Processor `json:"processor"`                               // CPU or GPU
	Device      string              `json:"device"`                                  // "cpu", "cuda:0"
	PowerMode   string              `json:"power_mode,omitempty"`                    // the board's
	Params      framework.Values    `json:"params,omitempty" unit:"the parameter's"` // all parameters
	Tunables    framework.Values    `json:"tunables,omitempty"`                      // all tunables of the version
	Swept       []string            `json:"swept,omitempty"`                         // tunables that the config sweeps: they tell points apart
	// Surroundings are what may change a result beside the code, by name.
	Surroundings map[string]string `json:"surroundings,omitempty"`
	Clock        float64           `json:"sm_clock_Hz,omitempty"` // mean SM clock around the samples
	Status       record.Status     `json:"status"`                // as in docs/csv.md
	Reason       string            `json:"reason,omitempty"`      // why the status is not ok
	// Shared is what shows that others used the GPU meanwhile (docs/csv.md): such a result is kept, and not
	// judged.
	Shared  string              `json:"gpu_shared,omitempty"`
	Metrics map[string]Estimate `json:"metrics,omitempty"` // what was measured: "time" and "latency" in s, "energy" in J
}

// Estimate is a value with its 95 % interval.
type Estimate struct {
	Value float64 `json:"value" unit:"the metric's"`          // as in docs/csv.md
	Low   float64 `json:"low,omitempty" unit:"the metric's"`  // lower end of its 95 % interval; 0: unknown
	High  float64 `json:"high,omitempty" unit:"the metric's"` // upper end of it
}

// normal95 is the normal distribution's 97.5 % quantile.
const normal95 = 1.959964

// sigma is the standard error of the logarithm; 0: unknown.
func (e Estimate) sigma() float64 {
	if e.Low > 0 && e.High > e.Low {
		return math.Log(e.High/e.Low) / (2 * normal95)
	}
	return 0
}

// parse reads a line. The error says what is wrong with it.
func parse(line []byte) (e Entry, err error) {
	if err := bounded.Unmarshal(line, &e); err != nil {
		var date *time.ParseError
		if errors.As(err, &date) {
			return e, fmt.Errorf("its started is %q; want a date with its zone, such as \"2026-03-31T18:00:00+02:00\"", date.Value)
		}
		return e, fmt.Errorf("not a line of a history: %w", err)
	}
	switch {
	case e.Format > entryFormat:
		return e, fmt.Errorf("its format is %d, this bench reads format %d", e.Format, entryFormat)
	case e.Format < 1:
		return e, fmt.Errorf("not a line of a history: its format is %d, want %d", e.Format, entryFormat)
	case e.Started.IsZero():
		return e, fmt.Errorf("it lacks the time when its run started")
	case e.Algorithm == "" || e.Version == "" || e.Processor == "" || e.Machine == "":
		return e, fmt.Errorf("it lacks algorithm, version, processor or machine")
	case e.Revision == "":
		return e, fmt.Errorf("it lacks the revision")
	case e.Status == "":
		return e, fmt.Errorf("it lacks the status")
	}
	for name, m := range e.Metrics {
		if !(m.Value > 0) || math.IsInf(m.Value, 0) {
			return e, fmt.Errorf("its %.100s is %v; want a number above 0", name, m.Value)
		}
		if isTime(name) {
			if err := framework.CheckSeconds(m.Value); err != nil {
				return e, fmt.Errorf("its %.100s %w", name, err)
			}
		}
	}
	return e, nil
}
