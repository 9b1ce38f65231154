// Package powermode switches a machine's power mode and restores the previous
// one: the modes of a Jetson (nvpmodel), power limits and locked clocks of a
// server GPU (NVML).
//
// A switch counts only when the clocks show it: what nvpmodel says about its
// own state is not proof.
package powermode

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.org/bench/framework/machine"
)

// ErrPermission is wrapped by errors about a user who may not switch.
var ErrPermission = errors.New("not permitted")

// Mode is one way to limit the machine.
type Mode struct {
	ID      string  `json:"id"`                // as in --power-modes: nvpmodel's number, or "300W"
	Name    string  `json:"name"`              // the board's
	Default bool    `json:"default,omitempty"` // true: on after a start
	CPUs    string  `json:"cpus,omitempty"`    // those that are on, as the kernel lists them; empty if the mode leaves them alone
	Limits  []Limit `json:"limits,omitempty"`  // highest that it allows
	// Masks say which units of the GPU are off, by their names in nvpmodel.conf: each mask as the file writes
	// it.
	Masks map[string]string `json:"masks,omitempty"`
	Boot  string            `json:"boot,omitempty"` // why the machine must boot into the mode; absent: it need not

	arguments []argument
}

// Number returns nvpmodel's number, or the megahertz or watts that name a GPU's mode: the same wherever
// the mode is offered.
func (m Mode) Number() float64 {
	if n, err := strconv.ParseFloat(m.ID, 64); err == nil {
		return n
	}
	number := 0.0
	for _, l := range m.Limits {
		if number = l.Most; l.Unit == "Hz" {
			return l.Most / 1e6
		}
	}
	return number
}

// Limit is the highest value that a mode allows.
type Limit struct {
	What string  `json:"what"`                 // the clock's name, or "power"
	Unit string  `json:"unit"`                 // "Hz" or W
	Most float64 `json:"most" unit:"its unit"` // 0: no limit
}

// Control is one way to switch a machine.
type Control interface {
	// Name returns "nvpmodel" or "nvml".
	Name() string
	Modes() []Mode
	// Current returns the mode that the machine says it is in.
	Current() (Mode, error)
	// Boot returns the reason why the machine must boot into the mode; it is empty where it need not.
	Boot(Mode) string
	// Clocks returns the present clocks.
	Clocks() []machine.Clock
	// Allowed returns an error wrapping ErrPermission if this user may not
	// switch.
	Allowed() error
	// Set switches and returns when the clocks show the mode; its error says
	// what they show instead.
	Set(Mode) error
	// State returns what Restore needs to restore the present state.
	State() (State, error)
	Restore(State) error
}

const (
	// settleTime is the time for which the clocks may show another mode after a switch; pollTime is the
	// time between two reads of them.
	settleTime = 3 * time.Second
	pollTime   = 50 * time.Millisecond
)

// await asks until the machine shows what was set, for settle at most, and returns what it still lacks.
func await(settle time.Duration, shows func() error) error {
	for deadline := time.Now().Add(settle); ; time.Sleep(pollTime) {
		if err := shows(); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// State is how a machine was set before it was switched.
type State struct {
	Control string            `json:"control"`
	Root    string            `json:"root,omitempty"`
	Mode    string            `json:"mode,omitempty"`          // of nvpmodel
	Files   map[string]string `json:"files,omitempty"`         // content by path, without root
	GPU     string            `json:"gpu,omitempty"`           // UUID
	Limit   float64           `json:"power_limit_W,omitempty"` // of the GPU
	Unlock  bool              `json:"unlock_clock,omitempty"`  // modes lock the GPU's clock
}

// Find returns the modes that a list names by IDs or names, such as "0,2"
// or "MAXN,300W", or all of them.
func Find(c Control, list string) ([]Mode, error) {
	all := c.Modes()
	if list == "all" {
		return all, nil
	}
	var found []Mode
	var known []string
	for _, m := range all {
		known = append(known, m.ID)
	}
	for word := range strings.SplitSeq(list, ",") {
		m, ok := lookUp(all, strings.TrimSpace(word))
		if parser, can := c.(interface{ Parse(string) (Mode, error) }); !ok && can {
			var err error
			if m, err = parser.Parse(strings.TrimSpace(word)); err != nil {
				return nil, err
			}
			ok = true
		}
		if !ok {
			return nil, fmt.Errorf("no power mode %q; there are %s (bench modes shows them)", word, strings.Join(known, ", "))
		}
		for _, had := range found {
			if had.ID == m.ID {
				return nil, fmt.Errorf("power mode %s is listed twice", m.ID)
			}
		}
		found = append(found, m)
	}
	return found, nil
}

func lookUp(modes []Mode, word string) (Mode, bool) {
	for _, m := range modes {
		if m.ID == word {
			return m, true
		}
	}
	for _, m := range modes {
		if m.Name == word {
			return m, true
		}
	}
	return Mode{}, false
}
