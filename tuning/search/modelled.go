package search

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
)

// Modelled is the space of a version's tunables at one point of a run, with the model's times. None of the
// times was measured.
type Modelled struct {
	*recorded.Space
	Algorithm, Version string
	Settings           string
	Points             int    // of the whole space
	Missing            string // why points have no time by the model; empty: all that were tried have one
}

// Title returns the version with what is swept.
func (m *Modelled) Title() string { return strings.TrimSpace(m.Version + " " + m.Settings) }

// RunModel returns the model's times of a row of a run with other tunables, on the GPU and at the clock of
// that run. workers tunables are modelled in parallel. done gets each time by its index, in any order, one at
// a time: 0 seconds if the model has no time, and why.
type RunModel func(ctx context.Context, s experiment.Subject, run *record.Run, row *record.Row, tunables []framework.Values, workers int, done func(i int, seconds float64, missing string)) error

// ModelledSpaces models the times of each version's tunables at every point of a run on a GPU. step gets the
// number of points of a space that have been modelled, from 0 on, and done gets each finished space.
func ModelledSpaces(ctx context.Context, s experiment.Subject, run *record.Run, versions []string, says RunModel, step func(title string, modelled, all int), done func(Modelled) error) error {
	seen := map[string]bool{}
	for i := range run.Rows {
		r := &run.Rows[i]
		v := s.Factory.VersionOn(r.Version, framework.GPU)
		if v == nil || len(v.Tunables) == 0 || r.Processor != framework.GPU || r.Status != record.OK || len(versions) > 0 && !slices.Contains(versions, r.Version) {
			continue
		}
		m := Modelled{Algorithm: r.Algorithm, Version: r.Version, Settings: settingsOf(run, r)}
		if key := r.Device + " " + r.Version + " " + m.Settings; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		if err := m.model(ctx, s, run, r, v, says, step); err != nil {
			return err
		}
		if err := done(m); err != nil {
			return err
		}
	}
	if len(seen) == 0 {
		return errors.New("no point to explain: want points of a GPU that are ok, of versions with tunables")
	}
	return nil
}

// settingsOf returns the parameters of a row that differ between the run's rows.
func settingsOf(run *record.Run, r *record.Row) string {
	var words []string
	for _, c := range run.Columns.Params {
		if slices.ContainsFunc(run.Rows, func(o record.Row) bool { return o.Params.Get(c.Name) != r.Params.Get(c.Name) }) {
			words = append(words, c.Name+" "+r.Params.Get(c.Name).String())
		}
	}
	return strings.Join(words, " ")
}

func (m *Modelled) model(ctx context.Context, s experiment.Subject, run *record.Run, r *record.Row, v *framework.Version, says RunModel, step func(string, int, int)) error {
	var names []string
	for _, t := range v.Tunables {
		names = append(names, t.Name)
	}
	all := *s.Config
	all.Tunables = slices.DeleteFunc(slices.Clone(all.Tunables), func(a config.Axis) bool { return !slices.Contains(names, a.Name) })
	ranges, err := rangesOf(&all, s.Factory, &plan.Plan{Points: []plan.Point{{Version: v.Name, Processor: v.Processor}}})
	if err != nil {
		return err
	}
	var facts gpu.Facts
	device := r.Device
	for _, d := range run.Info.Devices {
		if d.ID == r.Device && d.Facts != nil {
			facts, device = *d.Facts, d.Facts.Name
		}
	}
	space, err := tuning.VersionSpace(ctx, v, r.Params.Values(), facts, ranges)
	if err != nil {
		return err
	}
	m.Points = space.Len()
	points := rand.New(rand.NewPCG(1, 0)).Perm(m.Points)
	points = points[:min(len(points), mostModelled)]
	slices.Sort(points)
	tunables := make([]framework.Values, len(points))
	for i, p := range points {
		tunables[i] = space.Tunables(p)
	}
	times := make([]float64, len(points))
	modelled := 0
	step(m.Title(), 0, len(points))
	err = says(ctx, s, run, r, tunables, runtime.NumCPU(), func(i int, seconds float64, missing string) {
		if times[i] = seconds; seconds <= 0 {
			m.Missing = cmp.Or(missing, "the model has no time of it")
		}
		modelled++
		step(m.Title(), modelled, len(points))
	})
	if err != nil {
		return err
	}
	var known []framework.Values
	var costs []float64
	for i, t := range times {
		if t > 0 {
			known, costs = append(known, tunables[i]), append(costs, t)
		}
	}
	if len(known) > 0 {
		m.Space, err = spaceOf(recordedName(m.Algorithm, m.Version, m.Settings, device)+recorded.ModelSuffix, names, known, costs)
	}
	return err
}
