package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/workers"
)

// Session is the part of a run that one process measures.
type Session struct {
	*Experiment
	Info record.Info
	// Results are those of the journal, and then those of this process.
	Results []record.Result

	warn, note func(format string, args ...any)
	journal    *record.Journal
	done       map[string]bool // by key
	modes      bool            // the points are in several power modes
}

// RunInfo returns the content of run.json for a run of the experiment that begins now.
func (x *Experiment) RunInfo() record.Info {
	files, about, copied := machine.Tree(x.options.Root), machine.Tree(x.options.Root), ""
	warnings := machine.Warnings()
	if !files.IsLive() {
		of, _ := files.Facts()
		about, copied = machine.Live, cmp.Or(of.Board, "a board that they do not name")
		warnings = append(warnings, fmt.Sprintf("sensors, power modes, temperatures and clocks are read from copied files of %s (--root); the times are this machine's", copied))
	}
	facts, _ := about.Facts()
	return record.Info{
		Tool:     record.ThisTool(),
		Command:  append([]string{filepath.Base(os.Args[0])}, os.Args[1:]...), // where the program lies names a machine or a user
		Config:   record.ConfigOf(x.Config),
		Seed:     x.options.Seed,
		Started:  record.Now(),
		Machine:  facts,
		LeftOut:  x.Plan.LeftOut,
		Smaller:  x.Plan.Smaller,
		Warnings: warnings,

		CopiedFiles: copied,
	}
}

// Header returns the journal's header for a run of the plan. selection is record.Header.Selection.
func (x *Experiment) Header(selection string) record.Header {
	h := record.HeaderOf(x.Config, x.options.Seed, selection)
	h.Points, h.Total, h.Prefix, h.Axes = plan.Hash(x.Plan.Points), len(x.Plan.Points), x.Config.Prefix, x.Plan.Axes
	return h
}

// Session begins a run or, with the results that its journal has, continues one. It calls warn
// with what may spoil a figure, and note with what else a user should know, a line each.
func (x *Experiment) Session(journal *record.Journal, earlier []record.Result, info record.Info, warn, note func(format string, args ...any)) *Session {
	s := &Session{Experiment: x, Info: info, Results: earlier, journal: journal, done: map[string]bool{}, warn: warn, note: note}
	for _, r := range earlier {
		s.done[r.Point.Key()] = true
	}
	if s.Complete() { // nothing will be measured
		s.Info.Warnings = nil
	}
	return s
}

// Complete reports whether every point was measured by earlier processes.
func (s *Session) Complete() bool {
	return len(s.journal.Sessions()) > 0 && len(s.done) == len(s.Plan.Points)
}

// Done reports whether an earlier process measured the point.
func (s *Session) Done(p plan.Point) bool { return s.done[p.Key()] }

// ToGo returns the points still to be measured.
func (s *Session) ToGo() []plan.Point { return slices.DeleteFunc(slices.Clone(s.Plan.Points), s.Done) }

// Duration estimates how long measuring takes. It knows whether power is measured after Ceilings.
func (s *Session) Duration() time.Duration {
	power := slices.ContainsFunc(s.Info.Sensors, func(s record.Sensor) bool { return s.Absent == "" })
	return Duration(s.Config, s.ToGo(), power) / time.Duration(s.Crew.Together())
}

// Ceilings measures what the devices of the plan can do, and puts it with the state of their sensors in Info
// and the journal. mode is the power mode switched to; empty if the run does not switch. A ceiling that cannot
// be measured is a warning. The error is engine.ErrInterrupted when ctx ends.
func (s *Session) Ceilings(ctx context.Context, mode string) error {
	seen := map[string]bool{"sim": true}
	var devices []string
	for _, p := range s.Plan.Points {
		for _, d := range s.Crew.Devices(p) {
			if p.Skip == "" && !seen[d] {
				seen[d] = true
				devices = append(devices, d)
			}
		}
	}
	type described struct {
		device  record.Device
		sensors []record.Sensor
		err     error
	}
	list := make([]described, len(devices))
	workers.Split(s.Crew.Together(), len(devices), func(i int) {
		if d, e := &list[i], s.Crew.Of(devices[i]); s.Factory.External { // of whose device only the power is known
			d.sensors, d.err = e.Sensors(ctx, devices[i])
		} else {
			d.device, d.sensors, d.err = e.Ceilings(ctx, devices[i])
		}
	})
	for i, d := range list {
		switch {
		case errors.Is(d.err, engine.ErrInterrupted), d.err != nil && s.Factory.External:
			return d.err
		case d.err != nil:
			s.warn("the ceilings of %s could not be measured: %v", devices[i], d.err)
		}
		again := false
		if !s.Factory.External {
			if off := d.device.TimerRate; off != 0 && math.Abs(off-1) > measure.TimerOff {
				s.note("the timer of %s counts %.3g s in one second: SM clocks are scaled", devices[i], off)
			}
			d.device.PowerMode = mode
			again = slices.ContainsFunc(s.Info.Devices, func(had record.Device) bool { return had.ID == devices[i] })
			s.Info.Devices = append(s.Info.Devices, d.device)
		}
		if !again {
			s.sensors(devices[i], d.sensors)
		}
	}
	return s.journal.Begin(s.Info)
}

// sensors adds the state of a device's sensors to Info.
func (s *Session) sensors(device string, list []record.Sensor) {
	for _, x := range list {
		x.Device = device
		s.Info.Sensors = append(s.Info.Sensors, x)
	}
	why := engine.NoPower(list)
	if s.Config.Sensors == nil && why != "" { // the config names none
		why = engine.NoPowerBriefly(list) + " (bench doctor)"
	}
	if why != "" {
		s.note("no power and energy for %s: %s", device, why)
	}
}

// InModes makes Run call enter, which switches the machine, before the first point of each power mode. The
// ceilings are then measured in that mode.
func (s *Session) InModes(enter func(mode string) error) {
	s.modes = true
	s.Engine.EnterMode(enter, s.Ceilings)
}

// Run measures the points to go and adds their results to Results, also if it fails. From the time of the
// first it compiles the others ahead. The error is engine.ErrInterrupted when ctx ends.
func (s *Session) Run(ctx context.Context, observer engine.Observer) error {
	ahead := &aheadObserver{Observer: observer, toGo: s.ToGo(), begin: func(points []plan.Point) func() { return s.CompileAhead(ctx, points) }}
	defer ahead.close()
	results, err := s.Crew.Run(ctx, s.Plan.Points, s.Facts, s.done, ahead, s.journal)
	s.Results = append(s.Results, results...)
	return err
}

// MeasureAll measures ceilings, points and counters, and shows nothing. The error is engine.ErrInterrupted or
// a RunError.
func (s *Session) MeasureAll(ctx context.Context) error {
	err := s.Ceilings(ctx, "")
	if err == nil {
		err = s.Run(ctx, engine.Unseen{})
	}
	if err == nil {
		err = s.Count(ctx)
	}
	return ran(err)
}

// Record returns the whole run, including what earlier processes measured.
func (s *Session) Record() *record.Run {
	s.Info.Resume(s.journal.Sessions())
	s.Info.Ended = record.Ended(s.Results)
	return record.NewRun(s.Info, s.Config.Prefix, s.Plan.Axes, s.Results)
}
