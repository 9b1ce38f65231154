package tuning

import (
	"fmt"

	"example.org/bench/framework/pareto"
	"example.org/bench/internal/terminal"
)

// Patience says when a search gives up: when its best has not become better by more than the share Gain in as
// many trials as Least, and as a Share of those before them. For a front its hypervolume counts.
type Patience struct {
	Least int     `json:"least"`
	Share float64 `json:"share"`
	Gain  float64 `json:"gain"`
}

// spent returns why the search ends after these trials; empty if it goes on.
func (p *Patience) spent(trials []Trial, search Search) string {
	if p == nil {
		return ""
	}
	tasks := len(search.Tasks)
	if search.Front {
		trials = byFronts(trials, tasks)
	}
	best := make([]float64, tasks) // 0: none
	last := 0                      // the number of trials at the last gain
	for i, t := range trials {
		if !t.OK {
			continue
		}
		if b := best[t.Task]; b == 0 || t.Cost < b*(1-p.Gain) {
			best[t.Task], last = t.Cost, i+1
		}
	}
	for _, b := range best {
		if b == 0 {
			return ""
		}
	}
	without := len(trials) - last
	if without < p.Least*tasks || float64(without) < p.Share*float64(last) {
		return ""
	}
	return fmt.Sprintf("improvement is unlikely: none of more than %g %% in %s", 100*p.Gain, terminal.Count(without, "trial"))
}

// byFronts returns trials whose cost is one and the share of their task's final front that was not yet found.
// The cost falls by as much as the front gains.
func byFronts(trials []Trial, tasks int) []Trial {
	final, found := make([]pareto.Set, tasks), make([]pareto.Set, tasks)
	for _, t := range trials {
		if t.OK {
			final[t.Task].Add(pareto.Point{X: t.Cost, Y: t.Second})
		}
	}
	all := make([]Trial, len(trials))
	for i, t := range trials {
		if t.OK && found[t.Task].Add(pareto.Point{X: t.Cost, Y: t.Second}) {
			t.Cost = 2 - final[t.Task].Share(found[t.Task])
		} else if t.OK {
			t.Cost = 2
		}
		all[i] = t
	}
	return all
}
