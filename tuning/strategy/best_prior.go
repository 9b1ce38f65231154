package strategy

import (
	"math"

	"example.org/bench/tuning"
)

// Settings of a search with a prior. The trust in it is the mean of a Beta distribution of the share of pairs
// of trials that the prior puts in the right order. A pair weighs by how far apart its costs are predicted,
// up to clearly: two costs that are predicted alike have no right order.
const (
	// clearly is the difference of the logarithms of two costs that are clearly apart.
	clearly = 0.2
	// priorTrust is the agreement of the model with measurements that is believed before any trial, -1 to 1,
	// and priorPairs is for how many pairs it counts.
	priorPairs = 2
	priorTrust = 0.5
	// leastTrust is the agreement from which on the prior advises. Chance shows less.
	leastTrust = 0.25
	// surely is how many deviations below leastTrust the trust must be for the prior to be given up.
	surely = 1.64
	// leastRisk is how many points that the prior advised may wait before any pair has shown the prior right.
	// Four recorded kernels lost nothing by so many, with a prior that misleads (lab/search).
	leastRisk = 3
	// trustTrials bounds the trials whose pairs count.
	trustTrials = 200
)

// advice is the prior of a search, and what trials showed of it.
type advice struct {
	costs     [][]float64 // of each task's points, NaN if unknown
	predicted int
	// score is the prior of each candidate, and unit the score of a logarithm of 1.
	score  []float32
	unit   float64
	trials []judged
	// sum is the pairs' weights, minus those of pairs in the wrong order. all counts the pairs.
	sum, weight, all float64
	compared         int // trials in pairs
	told             int
	givenUp          int
	advised          int
}

// judged is a valid trial with the logarithm of its cost.
type judged struct {
	task, candidate int
	measured        float64
}

func newAdvice(tasks []tuning.Task) *advice {
	a := &advice{}
	for _, t := range tasks {
		costs := make([]float64, t.Space.Len())
		for i := range costs {
			costs[i] = math.NaN()
		}
		a.costs = append(a.costs, costs)
	}
	return a
}

// learn takes in a trial of a candidate.
func (a *advice) learn(candidate int, t tuning.Trial) {
	a.told++
	if len(a.trials) < trustTrials && t.OK && t.Cost > 0 && !math.IsInf(t.Cost, 1) {
		a.trials = append(a.trials, judged{t.Task, candidate, math.Log(t.Cost)})
		a.compare(len(a.trials) - 1)
	}
	a.doubt()
}

// revise judges all trials by another score.
func (a *advice) revise(score []float32, unit float64) {
	a.score, a.unit = score, unit
	a.sum, a.weight, a.all, a.compared = 0, 0, 0, 0
	for i := range a.trials {
		a.compare(i)
	}
	a.doubt()
}

// compare takes in the pairs of a trial and those before.
func (a *advice) compare(trial int) {
	if a.score == nil {
		return
	}
	x, paired := a.trials[trial], 0
	for _, y := range a.trials[:trial] {
		if y.task != x.task {
			continue
		}
		paired = 1
		d := float64(a.score[x.candidate]-a.score[y.candidate]) / a.unit
		w := min(1, math.Abs(d)/clearly)
		a.weight += w
		a.all++
		if (d < 0) == (x.measured < y.measured) {
			a.sum += w
		} else {
			a.sum -= w
		}
	}
	a.compared += paired
}

// doubt gives the prior up if it is surely of no use.
func (a *advice) doubt() {
	if mean, deviation := a.belief(); a.givenUp == 0 && mean+surely*deviation < leastTrust {
		a.givenUp = a.told
	}
}

// pairs returns how many independent pairs all pairs amount to: n trials of a task make n - 1.
func (a *advice) pairs() float64 { return a.weight / max(1, a.all) * float64(a.compared) }

func (a *advice) agreement() float64 {
	if a.weight == 0 {
		return 0
	}
	return a.sum / a.weight
}

// belief returns the agreement to expect, and its standard deviation.
func (a *advice) belief() (mean, deviation float64) {
	n := a.pairs()
	mean = (priorPairs*priorTrust + n*a.agreement()) / (priorPairs + n)
	return mean, math.Sqrt((1 - mean*mean) / (priorPairs + n + 1))
}

// share returns the share of the proposals that the prior advises.
func (a *advice) share() float64 {
	if a == nil || a.givenUp > 0 || a.score == nil {
		return 0
	}
	mean, _ := a.belief()
	return max(0, (mean-leastTrust)/(1-leastTrust))
}

// dares reports whether the prior may advise one more point while so many that it advised have not run.
// Except for a few, no more points are at risk than pairs have shown the prior right.
func (a *advice) dares(waiting int) bool {
	return a.share() > 0 && float64(waiting) < max(leastRisk, a.pairs()*a.agreement())
}
