package search

import (
	"math"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/safefile"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/wisdom"
)

// notInNames are characters that the names of recorded spaces must not have.
var notInNames = lazy.Regexp(`[^A-Za-z0-9.]+`)

// recordedName returns the name of a version's recorded space at a sweep point, which may be empty, on a
// device.
func recordedName(algorithm, version, point, device string) string {
	name := algorithm + "_" + version
	if point != "" {
		name += "_" + notInNames().ReplaceAllString(point, "_")
	}
	return name + "-" + notInNames().ReplaceAllString(device, "_")
}

// recordSpaces writes a recorded space for each task whose points were all measured.
func (s *Search) recordSpaces(dir *safefile.Folder) error {
	if s.Objective != Time && s.Objective != Front {
		return nil
	}
	for _, v := range s.Versions {
		for _, t := range v.Tasks {
			trials := s.trialsOf(t)
			if len(trials) < t.Space.Len() {
				continue
			}
			n := t.Space.Len()
			costs, compile, run := make([]float64, n), make([]float64, n), make([]float64, n)
			var energies []float64
			if s.Objective == Front {
				energies = make([]float64, n)
			}
			for _, x := range trials {
				if costs[x.Point] = x.Cost; !x.OK {
					costs[x.Point] = math.NaN()
				}
				if energies != nil {
					energies[x.Point] = x.Second
				}
				compile[x.Point], run[x.Point] = x.CompileSeconds, x.RunSeconds
			}
			t.recorded = recordedName(t.Base.Algorithm, t.Base.Version, t.Name, s.Place.Name)
			r := &recorded.Space{Name: t.recorded, Space: t.Space.Numbers(), Costs: costs, Energies: energies, Compile: compile, Run: run}
			r.ForgetUnknown()
			if err := writeSpace(dir, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeSpace(dir *safefile.Folder, r *recorded.Space) error {
	spaces, err := dir.Make(SpacesDir)
	if err != nil {
		return err
	}
	defer spaces.Close()
	return r.WriteFile(spaces)
}

// entries returns an entry for each end of a front.
func (f *FrontReport) entries(e wisdom.Entry) (all []wisdom.Entry) {
	ends := f.ends()
	for _, objective := range []Objective{Time, Energy} {
		end := ends[objective]
		cost := func(p FrontPoint) float64 {
			if objective == Time {
				return p.Time.Value
			}
			return p.Energy.Value
		}
		e.Objective, e.Tunables, e.PowerMode, e.Cost, e.DefaultCost = string(objective), end.Tunables, end.PowerMode, cost(end), 0
		if f.Defaults != nil && f.Defaults.PowerMode == end.PowerMode {
			e.DefaultCost = cost(*f.Defaults)
		}
		all = append(all, e)
	}
	return all
}

// Kept says which entries a search added to the wisdom file.
type Kept struct {
	Added    int
	Better   []wisdom.Entry // of earlier searches, which stay
	Defaults []wisdom.Entry // of those added: the defaults' own, since the best was not faster
}

// KeepWisdom adds the best to the wisdom file, or the defaults if these cost no more, measured beside it.
func (s *Search) KeepWisdom(r *Report) (kept Kept, err error) {
	var entries []wisdom.Entry
	for _, t := range r.Tasks {
		if t.Tunables == nil {
			continue
		}
		e := wisdom.Entry{Algorithm: t.Algorithm, Version: t.Version, Processor: t.Processor, Device: s.Place, Params: t.Params,
			Objective: string(s.Objective), Tunables: t.Tunables, Cost: t.Cost, Strategy: s.Strategy.Name, Evaluations: t.Evaluations,
			Points: t.Points, Tool: record.ThisTool().String(), Found: r.Info.Ended}
		if f := t.Final; f != nil {
			e.Cost = f.Best.Value
			if f.Default != nil && t.DefaultsMode == t.PowerMode {
				e.DefaultCost = f.Default.Value
			}
		}
		own := []wisdom.Entry{e}
		switch {
		case t.Front != nil:
			own = t.Front.entries(e)
		case s.modes != nil:
			own = s.entriesByMode(t, e)
		}
		for _, e := range own {
			if e.DefaultCost > 0 && e.DefaultCost <= e.Cost && t.Defaults != nil && !sameTunables(e.Tunables, t.Defaults) {
				e.Tunables, e.Cost = t.Defaults, e.DefaultCost
				kept.Defaults = append(kept.Defaults, e)
			}
			entries = append(entries, e)
		}
	}
	if s.modes != nil {
		for i := range entries { // a run without switching is in this one
			if entries[i].PowerMode == s.modes.Present() {
				entries[i].PowerMode = ""
			}
		}
	}
	if s.Wisdom == "" || len(entries) == 0 {
		return Kept{}, nil
	}
	kept.Better, err = wisdom.Keep(s.Wisdom, entries)
	kept.Added = len(entries) - len(kept.Better)
	kept.Defaults = slices.DeleteFunc(kept.Defaults, func(e wisdom.Entry) bool { return slices.ContainsFunc(kept.Better, e.Same) })
	return kept, err
}

func sameTunables(a, b framework.Values) bool {
	d, comparable := wisdom.Distance(a, b)
	return comparable && d == 0
}
