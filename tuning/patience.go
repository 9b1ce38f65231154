package tuning

import "fmt"

// Patience says when a search gives up: when its best has not become better by more than a
// share Gain in as many trials as Least, and as a Share of those before them.
type Patience struct {
	Least int     `json:"least"`
	Share float64 `json:"share"`
	Gain  float64 `json:"gain"`
}

// spent is why the search ends after these trials; empty where it goes on.
func (p *Patience) spent(trials []Trial, tasks int) string {
	if p == nil {
		return ""
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
	return fmt.Sprintf("improvement is unlikely: none of more than %g %% in %d trials", 100*p.Gain, without)
}
