package powermode

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"example.org/bench/framework/machine"
	"example.org/bench/gpu/cuda/nvml"
)

// gpuDevice is what GPU reads and sets of a device; *nvml.Device is one.
type gpuDevice interface {
	UUID() (string, error)
	ConfiguredLimit() (float64, error)
	DefaultLimit() (float64, error)
	Limits() (least, most float64, err error)
	SMClocks() ([]float64, error)
	Clock(nvml.Domain) (float64, error)
	MaxClock(nvml.Domain) (float64, error)
	SetLimit(watts float64) error
	LockClock(hz float64) error
	UnlockClock() error
}

// GPU controls a server GPU's power limit and SM clock through NVML. Its modes
// are "default" (the limit that the GPU starts with, the clock free), a limit
// such as "300W", and a clock such as "1200MHz" under the default limit.
type GPU struct {
	device gpuDevice
	close  func() error
	uuid   string

	least, most, standard float64 // limits, W
	clocks                []float64
	locked                bool // by Set
	settle                time.Duration
}

// OpenGPU opens the GPU with that UUID or PCI address, or the first one if
// both are empty.
func OpenGPU(uuid, pci string) (*GPU, error) {
	lib, err := nvml.Open()
	if err != nil {
		return nil, err
	}
	var d *nvml.Device
	if uuid == "" && pci == "" {
		d, err = lib.Device(0)
	} else {
		d, err = lib.Find(uuid, pci)
	}
	if err != nil {
		return nil, errors.Join(err, lib.Close())
	}
	g, err := newGPU(d, lib.Close)
	if err != nil {
		return nil, errors.Join(err, lib.Close())
	}
	return g, nil
}

func newGPU(d gpuDevice, close func() error) (*GPU, error) {
	g := &GPU{device: d, close: close, settle: settleTime}
	var err error
	if g.uuid, err = d.UUID(); err != nil {
		return nil, err
	}
	if g.least, g.most, err = d.Limits(); err != nil {
		return nil, fmt.Errorf("the GPU has no power limit to set: %w", err)
	}
	if g.standard, err = d.DefaultLimit(); err != nil {
		return nil, err
	}
	g.clocks, _ = d.SMClocks() // none: only limits
	return g, nil
}

// Close ends NVML.
func (g *GPU) Close() error { return g.close() }

// Name returns "nvml".
func (g *GPU) Name() string { return "nvml" }

// Modes returns the default, four evenly spaced limits, and four clocks. Parse also accepts any other
// limit or clock within range.
func (g *GPU) Modes() []Mode {
	modes := []Mode{g.limit("default", g.standard)}
	modes[0].Default = true
	const steps = 4
	for i := range steps {
		w := math.Round(g.least + float64(i)*(g.most-g.least)/(steps-1))
		if w != g.standard {
			modes = append(modes, g.limit(fmt.Sprintf("%gW", w), w))
		}
	}
	for i := range steps {
		if n := len(g.clocks); n > 0 {
			hz := g.clocks[(n-1)*(i+1)/steps]
			modes = append(modes, g.clock(hz))
		}
	}
	return modes
}

func (g *GPU) limit(id string, watts float64) Mode {
	return Mode{ID: id, Name: id, Limits: []Limit{{"power", "W", watts}}}
}

func (g *GPU) clock(hz float64) Mode {
	m := g.limit(fmt.Sprintf("%gMHz", hz/1e6), g.standard)
	m.Limits = append(m.Limits, Limit{"SM", "Hz", hz})
	return m
}

// Parse reads a mode such as "350W" or "1410MHz".
func (g *GPU) Parse(word string) (Mode, error) {
	number := func(unit string) (float64, bool) {
		digits, ok := strings.CutSuffix(word, unit)
		v, err := strconv.ParseFloat(digits, 64)
		return v, ok && err == nil
	}
	if hz, ok := number("MHz"); ok {
		for _, c := range g.clocks {
			if c == hz*1e6 {
				return g.clock(c), nil
			}
		}
		if len(g.clocks) == 0 {
			return Mode{}, fmt.Errorf("power mode %q: the GPU reports no clock that can be locked", word)
		}
		return Mode{}, fmt.Errorf("power mode %q: the GPU cannot lock this clock; want one of its %d clocks from %gMHz to %gMHz",
			word, len(g.clocks), g.clocks[0]/1e6, g.clocks[len(g.clocks)-1]/1e6)
	}
	if w, ok := number("W"); ok {
		if w < g.least || w > g.most {
			return Mode{}, fmt.Errorf("power mode %q: want a limit from %gW to %gW", word, g.least, g.most)
		}
		return g.limit(word, w), nil
	}
	return Mode{}, fmt.Errorf("no power mode %q; want default, a limit as %gW or a clock as 1200MHz", word, g.most)
}

// Current returns the power limit that is set. NVML does not report whether a clock is locked.
func (g *GPU) Current() (Mode, error) {
	w, err := g.device.ConfiguredLimit()
	if err != nil {
		return Mode{}, err
	}
	if w == g.standard {
		return g.limit("default", w), nil
	}
	return g.limit(fmt.Sprintf("%gW", w), w), nil
}

// Clocks returns the present SM and memory clocks.
func (g *GPU) Clocks() []machine.Clock {
	var all []machine.Clock
	for _, d := range []nvml.Domain{nvml.SM, nvml.Memory} {
		now, err := g.device.Clock(d)
		if err != nil {
			continue
		}
		most, _ := g.device.MaxClock(d)
		all = append(all, machine.Clock{Name: d.String(), Max: most, Current: now})
	}
	return all
}

// Boot returns an empty string: limits and locks take effect at once.
func (g *GPU) Boot(Mode) string { return "" }

// Allowed sets the power limit to its present value.
func (g *GPU) Allowed() error {
	w, err := g.device.ConfiguredLimit()
	if err != nil {
		return err
	}
	if err := g.device.SetLimit(w); errors.Is(err, nvml.ErrNoPermission) {
		return fmt.Errorf("switching power modes: %w: power limits and clocks are root's to set; run with sudo", ErrPermission)
	} else if err != nil {
		return fmt.Errorf("switching power modes: %w", err)
	}
	return nil
}

// clockTolerance is how far in Hz a locked clock may be from its target.
const clockTolerance = 20e6

// Set sets limit and clock and reads both back. A lower clock is accepted,
// because an idle GPU lowers it: the lock takes effect under load.
func (g *GPU) Set(m Mode) error {
	locked := 0.0
	for _, l := range m.Limits {
		var err error
		if l.Unit == "W" {
			err = g.device.SetLimit(l.Most)
		} else {
			locked = l.Most
		}
		if err != nil {
			return fmt.Errorf("power mode %s: %w", m.ID, err)
		}
	}
	var err error
	if locked > 0 {
		g.locked = true
		err = g.device.LockClock(locked)
	} else if g.locked { // by a mode before, not by others
		err = g.device.UnlockClock()
	}
	if err != nil {
		return fmt.Errorf("power mode %s: %w", m.ID, err)
	}
	if err := await(g.settle, func() error { return g.verify(m) }); err != nil {
		return fmt.Errorf("power mode %s did not take: %w", m.ID, err)
	}
	return nil
}

func (g *GPU) verify(m Mode) error {
	for _, l := range m.Limits {
		if l.Unit == "W" {
			w, err := g.device.ConfiguredLimit()
			if err != nil {
				return err
			}
			if math.Abs(w-l.Most) > 0.5 {
				return fmt.Errorf("the power limit is %g W, want %g", w, l.Most)
			}
			continue
		}
		hz, err := g.device.Clock(nvml.SM)
		if err != nil {
			return err
		}
		if hz > l.Most+clockTolerance {
			return fmt.Errorf("the SM clock is %g MHz, want %g", hz/1e6, l.Most/1e6)
		}
	}
	return nil
}

// State returns the power limit that is set.
func (g *GPU) State() (State, error) {
	w, err := g.device.ConfiguredLimit()
	return State{Control: g.Name(), GPU: g.uuid, Limit: w}, err
}

// Restore sets the power limit, and unlocks the clock if modes locked it: NVML
// does not report how it was locked before.
func (g *GPU) Restore(s State) error {
	err := g.device.SetLimit(s.Limit)
	if s.Unlock {
		err = errors.Join(err, g.device.UnlockClock())
	}
	if err != nil {
		return fmt.Errorf("restore the GPU's power limit of %g W: %w", s.Limit, err)
	}
	return nil
}
