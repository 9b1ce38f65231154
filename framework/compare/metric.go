package compare

import (
	"fmt"
	"strings"

	"bench/framework/record"
)

// Metric is one measured quantity and which way is better.
type Metric struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Unit  string `json:"unit"`
	// Higher is set where more is better.
	Higher bool `json:"higher_is_better"`

	of func(*entry) Estimate
}

// Metrics are all, in the order of tables.
func Metrics() []Metric {
	return []Metric{
		{Name: "time", Title: "time of one run", Unit: "s", of: timeOf},
		{Name: "power", Title: "mean power", Unit: "W", of: powerOf},
		{Name: "energy", Title: "energy of one run", Unit: "J", of: energyOf},
		{Name: "efficiency", Title: "operations per energy", Unit: "FLOP/s/W", Higher: true, of: efficiencyOf},
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
			return nil, fmt.Errorf("metric %q is none of %s", n, strings.Join(known, ", "))
		}
	}
	return list, nil
}

// timeOf is the headline time, cold on a GPU: from its samples, else from the
// interval in the CSV.
func timeOf(e *entry) Estimate {
	t := e.row.Time
	if !t.Median.IsSet() {
		return Estimate{}
	}
	mode := "hot"
	if t.Median.IsSet() && e.row.Hot.Median.IsSet() {
		mode = "cold"
	}
	if x := e.run.series(e.row.Point, mode); len(x) > 0 {
		return fromSamples(x)
	}
	if t.Low.IsSet() && t.High.IsSet() {
		return fromInterval(t.Median.Float(), t.Low.Float(), t.High.Float())
	}
	return published(t.Median)
}

// series are the samples of one point in the order taken.
func (r *Run) series(point int, mode string) []float64 {
	var x []float64
	for _, s := range r.Samples {
		if s.Point == point && s.Mode == mode && s.Time > 0 {
			x = append(x, s.Time)
		}
	}
	return x
}

// powerOf, energyOf and efficiencyOf share one relative uncertainty: the
// length of the window and the counts are known exactly beside the energy.
func powerOf(e *entry) Estimate      { return e.withUncertainty(e.row.Power.Total, 1) }
func energyOf(e *entry) Estimate     { return e.withUncertainty(e.row.Energy.Total, 1) }
func efficiencyOf(e *entry) Estimate { return e.withUncertainty(e.row.Power.PerWatt, 1e9) }

func (e *entry) withUncertainty(x record.Number, factor float64) Estimate {
	if !x.IsSet() {
		return Estimate{}
	}
	energy, u := e.row.Energy.Total, e.row.Energy.Uncertainty
	if !energy.IsSet() || !u.IsSet() {
		return Estimate{Value: x.Float() * factor}
	}
	return fromUncertainty(x.Float()*factor, u.Float()/energy.Float())
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
