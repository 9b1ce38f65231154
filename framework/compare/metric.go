package compare

import (
	"errors"
	"fmt"
	"slices"

	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
)

// Metric is one measured quantity and which way is better.
type Metric struct {
	Name   string `json:"name"`             // as in --metric
	Title  string `json:"title"`            // in words
	Unit   string `json:"unit"`             // of "value", "low" and "high"
	Higher bool   `json:"higher_is_better"` // true: more is better

	of func(*entry) Estimate
	// apart returns the estimate for a comparison with another sensor's measurement; nil if it is
	// the same.
	apart func(*entry) Estimate
}

// Metrics returns all metrics, in the order of tables.
func Metrics() []Metric {
	return []Metric{
		{Name: "time", Title: "time of one run", Unit: "s", of: timeOf},
		{Name: "power", Title: "mean power", Unit: "W", of: powerOf, apart: combined(powerOf)},
		{Name: "energy", Title: "energy of one run", Unit: "J", of: energyOf, apart: combined(energyOf)},
		{Name: "efficiency", Title: "operations per energy", Unit: "FLOP/s/W", Higher: true, of: efficiencyOf, apart: combined(efficiencyOf)},
		{Name: "latency", Title: "median latency at a rate", Unit: "s", of: latencyOf(func(r record.Rate) [3]record.Number { return [3]record.Number{r.P50, r.P50Low, r.P50High} })},
		{Name: "latency_p99", Title: "99th percentile of the latency", Unit: "s", of: latencyOf(func(r record.Rate) [3]record.Number { return [3]record.Number{r.P99, r.P99Low, r.P99High} })},
		{Name: "latency_p999", Title: "99.9th percentile of the latency", Unit: "s", of: latencyOf(func(r record.Rate) [3]record.Number { return [3]record.Number{r.P999, r.P999Low, r.P999High} })},
		{Name: "on_time", Title: "share of deadlines that were met", Higher: true, of: onTimeOf},
		{Name: "highest_rate", Title: "highest rate that meets its deadlines", Unit: "/s", Higher: true, of: highestOf},
		{Name: "rate", Title: "published rate", Unit: "/s", Higher: true, of: rateOf},
	}
}

func chosen(names []string) ([]Metric, error) {
	all := Metrics()
	if len(names) == 0 {
		return all, nil
	}
	var list []Metric
	for _, n := range names {
		found := false
		for _, m := range all {
			if m.Name == n {
				list, found = append(list, m), true
			}
		}
		if !found {
			var known []string
			for _, m := range all {
				known = append(known, m.Name)
			}
			return nil, errors.New("metric " + config.NoneOf(n, known))
		}
	}
	return list, nil
}

// mode returns the mode of the headline time's samples, cold or hot; empty if the run does not
// tell.
func (e *entry) mode() string {
	if c := e.caches(); c != config.ColdDirty {
		return string(c)
	}
	return string(config.Cold)
}

// caches returns the state of the caches for the headline time; empty if the run does not tell.
// Before rows told, a GPU's flush left dirty lines.
func (e *entry) caches() config.Caches {
	if e.row.Caches != "" {
		return e.row.Caches
	}
	has := map[string]bool{}
	for s := range e.run.Samples.Of(e.row.Point) {
		has[s.Mode] = true
	}
	switch {
	case has[string(config.Cold)] || e.row.Hot.Get().Median.IsSet():
		return config.ColdDirty
	case has[string(config.Hot)]:
		return config.Hot
	}
	return ""
}

// timeOf returns the headline time from its samples, else from the interval in the CSV.
func timeOf(e *entry) Estimate {
	t := e.row.Time
	if !t.Median.IsSet() {
		return Estimate{}
	}
	if series := e.series(); len(series) > 1 {
		return fromInstances(medians(series), series)
	} else if len(series) == 1 {
		x := fromSamples(series[0])
		if t.Doubtful() {
			x.levels = levelsOf(t, x.sorted)
		}
		return x
	}
	if t.Low.IsSet() && t.High.IsSet() {
		return fromInterval(t.Median.Float(), t.Low.Float(), t.High.Float())
	}
	return published(t.Median)
}

// series returns the samples of each instance of the row, in the order taken.
func (e *entry) series() [][]float64 {
	mode := e.mode()
	var all [][]float64
	for s := range e.run.Samples.Of(e.row.Point) {
		if s.Mode != mode {
			continue
		}
		for len(all) <= s.Instance {
			all = append(all, nil)
		}
		for _, t := range s.Times {
			if t > 0 {
				all[s.Instance] = append(all[s.Instance], t)
			}
		}
	}
	return slices.DeleteFunc(all, func(x []float64) bool { return len(x) == 0 })
}

// estimate returns the metric of a level: that of its run, or of several runs from one value of
// each. Instances of one run share their hour: counted one by one, they would hide what differs
// between runs.
func (m Metric) estimate(e *entry) Estimate {
	if len(e.also) == 0 {
		return m.of(e)
	}
	var values []float64
	var series [][]float64
	sigma := 0.0
	for _, one := range e.all() {
		x := m.of(one)
		if !(x.Value > 0) {
			continue
		}
		values = append(values, x.Value)
		sigma = max(sigma, x.sigma)
		if m.Name == "time" {
			series = append(series, one.series()...)
		}
	}
	switch len(values) {
	case 0:
		return Estimate{}
	case 1: // of the other runs none has a value
		for _, one := range e.all() {
			if x := m.of(one); x.Value > 0 {
				return x
			}
		}
	}
	x := fromInstances(values, series)
	return x.atLeast(sigma)
}

// powerOf, energyOf and efficiencyOf share one relative uncertainty: beside the energy, the
// window's length and the counts are known exactly.
func powerOf(e *entry) Estimate      { return e.withUncertainty(e.row.Power.Get().Total, 1) }
func energyOf(e *entry) Estimate     { return e.withUncertainty(e.row.Energy.Get().Total, 1) }
func efficiencyOf(e *entry) Estimate { return e.withUncertainty(e.row.Power.Get().PerWatt, 1e9) }

func (e *entry) withUncertainty(x record.Number, factor float64) Estimate {
	if !x.IsSet() {
		return Estimate{}
	}
	row := e.row.Energy.Get()
	energy, u := row.Total, row.Uncertainty
	if !energy.IsSet() || !u.IsSet() {
		return Estimate{Value: x.Float() * factor}
	}
	return fromUncertainty(x.Float()*factor, u.Float()/energy.Float())
}

// combined replaces an estimate's uncertainty by the combined one, calibration included, or by none
// if that is unknown.
func combined(of func(*entry) Estimate) func(*entry) Estimate {
	return func(e *entry) Estimate {
		row := *e.row
		energy := row.Energy.Get()
		energy.Uncertainty = energy.Combined
		row.Energy = record.RareOf(energy)
		return of(&entry{run: e.run, row: &row})
	}
}

// board returns what measured a value: the GPU, or the machine; empty if unknown.
func (e *entry) board() string {
	for _, d := range e.run.Info.Devices {
		if d.ID == e.row.Device && d.Facts != nil {
			return d.Facts.UUID
		}
	}
	m := e.run.Info.Machine
	if m.Board == "" && m.CPU == "" {
		return ""
	}
	return fmt.Sprint(m.Board, ", ", m.CPU, ", ", m.CPUs, ", ", m.MemoryBytes)
}

// apart reports whether two values are known to be of different boards.
func (e *entry) apart(o *entry) bool {
	a, b := e.board(), o.board()
	return a != "" && b != "" && a != b
}

// latencyOf returns a percentile of the latency, with its interval if samples bound it on both
// sides; none where runs fell behind, as each release then waits longer than the one before.
func latencyOf(percentile func(record.Rate) [3]record.Number) func(*entry) Estimate {
	return func(e *entry) Estimate {
		r := e.row.Rate.Get()
		x := percentile(r)
		if !x[0].IsSet() || r.Used.IsSet() && r.Used.Float() > 1 {
			return Estimate{}
		}
		return fromInterval(x[0].Float(), x[1].Float(), x[2].Float())
	}
}

// onTimeOf returns the share of releases whose run ended by its deadline.
func onTimeOf(e *entry) Estimate {
	r := e.row.Rate.Get()
	switch {
	case !r.MissShare.IsSet() || r.MissShare.Float() == 1:
		return Estimate{}
	case !r.MissLow.IsSet() || !r.MissHigh.IsSet() || r.MissHigh.Float() == 1:
		return published(record.Measured(1 - r.MissShare.Float()))
	}
	return fromInterval(1-r.MissShare.Float(), 1-r.MissHigh.Float(), 1-r.MissLow.Float())
}

// highestOf returns the highest rate, between the rate that met its deadlines and the one that did
// not.
func highestOf(e *entry) Estimate {
	r := e.row.Rate.Get()
	if r.Trials.Int() == 0 {
		return Estimate{}
	}
	return fromInterval(r.Hz.Float(), r.Low.Float(), r.High.Float())
}

// rateOf is for publications that give rates and no times.
func rateOf(e *entry) Estimate {
	w := e.row.Work
	switch {
	case e.row.Time.Median.IsSet():
		return Estimate{}
	case w.ItemsPerS.IsSet():
		return published(w.ItemsPerS)
	case w.GFLOPPerS.IsSet():
		return Estimate{Value: w.GFLOPPerS.Float() * 1e9}
	}
	return Estimate{}
}

func published(x record.Number) Estimate { return Estimate{Value: x.Float()} }
