package why

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/energy"
	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
)

// ErrNoEnergy is the error of a run without a point by whose energy a GPU can be calibrated.
var ErrNoEnergy = errors.New("no point with energy")

// smClock is the channel of NVML that has the clock of the multiprocessors.
const smClock = "sm_clock"

// clocks returns the mean clocks of the multiprocessors during the measurement of energy, by point.
func clocks(run *record.Run, folder string) map[int]float64 {
	samples, err := record.ReadPowerSamples(folder, run)
	if err != nil {
		return nil // of a run whose samples were not kept
	}
	windows := map[int]float64{}
	for i := range run.Rows {
		windows[run.Rows[i].Point] = run.Rows[i].Power.Get().Window.Float()
	}
	sum, n := map[int]float64{}, map[int]float64{}
	for _, x := range samples {
		if t := x.Time.Float(); x.Channel == smClock && t >= 0 && t <= windows[x.Point] && x.Value.Float() > 0 {
			sum[x.Point] += x.Value.Float()
			n[x.Point]++
		}
	}
	for point := range sum {
		sum[point] /= n[point]
	}
	return sum
}

// observed returns the measured values of a row, whose energy may be missing.
func observed(r *record.Row, w bound.Why, clock float64) energy.Observation {
	o := energy.Observation{Name: r.Version, Work: w.Work, Time: w.Time, Clock: clock}
	if o.Clock == 0 && r.Time.Clock.IsSet() {
		o.Clock = r.Time.Clock.Float()
	}
	if n := r.Energy.Get(); n.Total.IsSet() && n.Total.Float() > 0 && n.RunTime.Float() > 0 {
		o.Energy, o.Time, o.Idle = n.Total.Float(), n.RunTime.Float(), r.Power.Get().Idle.Float()
	}
	o.Work = w.Work.Within(o.Time)
	return o
}

// deviceOf returns a row's device; nil if the run has no facts of it.
func deviceOf(run *record.Run, r *record.Row) *record.Device {
	for i, d := range run.Info.Devices {
		if d.ID == r.Device && d.Facts != nil && (d.PowerMode == "" || d.PowerMode == r.PowerMode) {
			return &run.Info.Devices[i]
		}
	}
	return nil
}

// Energies explains the energies of a run's points.
type Energies struct {
	run    *record.Run
	given  *energy.Model // replaces what is kept
	clocks map[int]float64
	kept   map[string]*energy.Model // by identity; nil: none is
}

// NewEnergies explains the energies of a run that folder keeps, by a calibration or, if that is nil, by those
// kept here for each GPU.
func NewEnergies(run *record.Run, folder string, calibration *energy.Model) *Energies {
	return &Energies{run: run, given: calibration, clocks: clocks(run, folder), kept: map[string]*energy.Model{}}
}

// Of returns what the energy of a row goes to; nil if it was not measured and nothing tells it.
func (x *Energies) Of(r *record.Row, w bound.Why) *energy.Why {
	d := deviceOf(x.run, r)
	if d == nil || d.Facts.OpenCL != nil {
		return nil
	}
	o := observed(r, w, x.clocks[r.Point])
	half := r.Energy.Get().Uncertainty.Float()
	if !(half > 0) {
		half = 0
	}
	m := x.given
	if m == nil {
		identity := energy.IdentityOf(*d, r.PowerMode)
		known, looked := x.kept[identity]
		if !looked {
			if found, ok := energy.Kept(identity); ok {
				known = &found
			}
			x.kept[identity] = known
		}
		m = known
	}
	switch {
	case m != nil:
		y := m.Explain(o, half, w)
		return &y
	case o.Energy > 0:
		return &energy.Why{Measured: o.Energy, MeasuredUncertainty: half, Shares: []energy.Part{}, Groups: []energy.Part{}, Changes: []energy.Change{},
			Missing: fmt.Sprintf("no calibration of this %s is kept here: bench why --calibrate on its machine measures one, --calibration FILE takes it from there", d.Facts.Name)}
	}
	return nil
}

// aboveCeiling is the factor by which a load may exceed the device's ceiling of the L2 cache.
const aboveCeiling = 1.2

// Calibrate fits what the energy of a GPU goes to, by a run of its loads (energy.KeepLoads) that folder
// keeps.
func Calibrate(ctx context.Context, s experiment.Subject, run *record.Run, folder string) (m energy.Model, err error) {
	x := newExplainer(s, run)
	x.timed = true // the effects of changes are not needed
	defer x.engine.Close()
	clocks := clocks(run, folder)
	var list []energy.Observation
	var of *record.Row
	var without []string
	for i := range run.Rows {
		r := &run.Rows[i]
		if r.Processor != framework.GPU || r.Status != record.OK || deviceOf(run, r) == nil {
			continue
		}
		if of != nil && (r.Device != of.Device || r.PowerMode != of.PowerMode) {
			return m, fmt.Errorf("loads of %s and of %s: want one GPU in one power mode", of.Device+of.PowerMode, r.Device+r.PowerMode)
		}
		of = r
		name := r.Params.Get("LOAD").String()
		if n := r.Energy.Get(); !n.Total.IsSet() || n.Total.Float() <= 0 || !r.Power.Get().Idle.IsSet() || len(r.Doubts) > 0 {
			without = append(without, name)
			continue
		}
		w, err := x.of(ctx, r)
		if err != nil {
			return m, err
		}
		if len(w.Work.Amounts) == 0 {
			return m, fmt.Errorf("load %s: %s", name, w.Missing)
		}
		o := observed(r, w, clocks[r.Point])
		o.Name = name
		if most := deviceOf(run, r).Ceilings.L2; most > 0 && o.Work.Amounts[bound.L2Bytes] > aboveCeiling*most*o.Time {
			without = append(without, name) // its machine code does not do what is counted
			continue
		}
		list = append(list, o)
	}
	if len(list) == 0 {
		reason := ""
		if of != nil {
			reason = ": " + of.Power.Get().Absent
		}
		return m, fmt.Errorf("%w%s", ErrNoEnergy, reason)
	}
	if m, err = energy.Fit(list); err != nil {
		if len(without) > 0 {
			err = fmt.Errorf("%w (no energy, or a doubtful one, of %s)", err, slices.Compact(without))
		}
		return m, err
	}
	d := deviceOf(run, of)
	m.Identity, m.Device, m.Measured = energy.IdentityOf(*d, of.PowerMode), d.Facts.Name, run.Info.Started
	return m, nil
}

// CalibrateFrom does what CalibrateText does for the run that a folder keeps. The run's config must be here.
func CalibrateFrom(ctx context.Context, folder, config string, factory experiment.FactoryOf, out io.Writer) error {
	run, err := record.Read(folder)
	if err != nil {
		return err
	}
	if len(run.Rows) == 0 || run.Rows[0].Algorithm != energy.Loads {
		return errors.New("it is no run of bench why --calibrate --out")
	}
	run.Info.Config.Path = config
	s, _, err := experiment.SubjectOf(run, factory)
	if err != nil {
		return err
	}
	return CalibrateText(ctx, s, run, folder, out)
}

// CalibrationFile is the name of the file that CalibrateText writes into a run's folder.
const CalibrationFile = "energy.json"

// CalibrateText calibrates a GPU by a run of its loads, and prints the calibration. It keeps the calibration
// for this machine and, unless folder is empty, in folder.
func CalibrateText(ctx context.Context, s experiment.Subject, run *record.Run, folder string, out io.Writer) error {
	m, err := Calibrate(ctx, s, run, folder)
	if err != nil {
		return err
	}
	if err = energy.Keep(m); folder != "" {
		text, bad := m.JSON()
		err = errors.Join(err, bad, safefile.Write(filepath.Join(folder, CalibrationFile), bytes.NewReader(append(text, '\n'))))
	}
	_, told := io.WriteString(out, m.Text())
	return errors.Join(err, told)
}
