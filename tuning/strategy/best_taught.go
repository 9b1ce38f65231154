package strategy

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"example.org/bench/tuning"
)

// Settings of a search that was taught.
const (
	// trusted is how many points the lessons choose by the least cost to expect by them. trustedMargin makes
	// an acquisition do so.
	trusted       = 3
	trustedMargin = -100
	// taughtWeight is the number of trials for which the lessons' mean and variance of the cost count.
	taughtWeight = 4.0
	// slopeVariance is the prior variance of a lesson's slope.
	slopeVariance = 0.25
	// taughtSignal is the prior variance of what the lessons do not explain.
	taughtSignal = 0.3
	// foremost is how many candidates that the lessons rank first are always considered.
	foremost = 1000
	// lessonPoints bounds the trials of a lesson from which unknown points are predicted.
	lessonPoints = 200
)

// taught is what lessons say of the candidates. The prior mean of the model is a sum over the lessons, each
// times a slope that the trials decide.
type taught struct {
	score  [][]float32 // of each lesson, of each candidate, in units of targets
	slopes []float64
	// deviation is the standard deviation of each lesson's log costs.
	deviation []float64
	// mean and variance are those of a candidate's log cost beyond the least of its task.
	mean, variance float64
	// foremost are the candidates of least score.
	foremost []int
}

// newTaught returns nil if the lessons say nothing.
func newTaught(b *searcher, lessons []tuning.Lesson) *taught {
	t := &taught{}
	for _, l := range lessons {
		if score, mean, variance, ok := b.score(l); ok {
			t.score = append(t.score, score)
			t.deviation = append(t.deviation, math.Sqrt(variance))
			t.mean += mean
			t.variance += variance
		}
	}
	n := float64(len(t.score))
	if n == 0 {
		return nil
	}
	t.mean /= n
	t.variance /= n
	for range t.score {
		t.slopes = append(t.slopes, 1/n)
	}
	for c := range b.done {
		t.foremost = append(t.foremost, c)
	}
	slices.SortStableFunc(t.foremost, func(i, j int) int { return cmp.Compare(t.at(i), t.at(j)) })
	t.foremost = t.foremost[:min(foremost, len(t.foremost))]
	return t
}

// score returns a lesson in the form of targets. Costs that the lesson does not know are predicted from those
// that it knows.
func (b *searcher) score(l tuning.Lesson) (score []float32, mean, variance float64, ok bool) {
	score = make([]float32, b.first[len(b.first)-1])
	var relative []float64
	for t, costs := range l.Costs {
		least := math.Inf(1)
		for _, c := range costs {
			if c > 0 {
				least = min(least, c)
			}
		}
		for p := range b.first[t+1] - b.first[t] {
			s := math.NaN()
			if p < len(costs) {
				s = math.Log(costs[p] / least)
			}
			score[b.first[t]+p] = float32(s)
			if !math.IsNaN(s) && !math.IsInf(s, 0) {
				relative = append(relative, s)
			}
		}
	}
	if len(relative) == 0 {
		return nil, 0, 0, false
	}
	for _, r := range relative {
		mean += r / float64(len(relative))
	}
	for _, r := range relative {
		d := r - mean
		variance += d * d / float64(len(relative))
	}
	if variance < 1e-12 { // all known points are alike: taken for good ones
		mean, variance = 1e-6, 1e-12
	}
	var known, unknown []int
	for c, s := range score {
		switch x := float64(s); {
		case math.IsNaN(x):
			unknown = append(unknown, c)
			continue
		case math.IsInf(x, 0):
			score[c] = faultTarget
		default:
			score[c] = float32(bent((x - mean) / math.Sqrt(variance)))
		}
		known = append(known, c)
	}
	if len(unknown) > 0 {
		b.extend(score, known, unknown)
	}
	return score, mean, variance, true
}

// extend predicts the unknown scores by a process on the best of the known ones and random others. It
// predicts none better than the best known one, of which there may be few.
func (b *searcher) extend(score []float32, known, unknown []int) {
	if len(known) > lessonPoints {
		slices.SortStableFunc(known, func(i, j int) int { return cmp.Compare(score[i], score[j]) })
		rest := known[lessonPoints/2:]
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		known = known[:lessonPoints]
	}
	p := newProcess(b.kernel, b.rates, unknown, false)
	least := score[known[0]]
	for _, c := range known {
		least = min(least, score[c])
		p.condition(c, outcome{target: float64(score[c]), effort: math.NaN()})
	}
	for i, c := range unknown {
		score[c] = max(p.mean[i], least+1e-3)
	}
}

// at returns a candidate's prior mean; 0 for a nil receiver.
func (t *taught) at(candidate int) float64 {
	if t == nil {
		return 0
	}
	sum := 0.0
	for l, s := range t.score {
		sum += t.slopes[l] * float64(s[candidate])
	}
	return sum
}

// beyond returns the targets less the prior mean.
func (t *taught) beyond(points []int, targets []float64) []float64 {
	if t == nil {
		return targets
	}
	var all []float64
	for i, p := range points {
		all = append(all, targets[i]-t.at(p))
	}
	return all
}

// advised returns, of a task without a valid point, the free candidate that the lessons rank first; -1 if
// every task has a valid point, or without lessons.
func (b *searcher) advised() int {
	if b.taught == nil {
		return -1
	}
	for t, y := range b.least {
		if !math.IsInf(y, 1) {
			continue
		}
		found, least := -1, math.Inf(1)
		for c := b.first[t]; c < b.first[t+1]; c++ {
			s := b.taught.at(c)
			if !b.done[c] && s < least {
				found, least = c, s
			}
		}
		if found >= 0 {
			return found
		}
	}
	return -1
}

// regress sets the lessons' slopes and the offset to their most likely values under the slopes' prior, and
// the prior variance as profile does. It must be called before any point is expected; targets are as they
// were told.
func (p *process) regress() {
	n, k := len(p.points), len(p.taught.score)
	whitened := func(of func(point int) float64) []float64 {
		w := make([]float64, n)
		for i, row := range p.factor {
			w[i] = (of(p.points[i]) - dot(row[:i], w)) / row[i]
		}
		return w
	}
	basis := [][]float64{whitened(func(int) float64 { return 1 })}
	for _, s := range p.taught.score {
		basis = append(basis, whitened(func(c int) float64 { return float64(s[c]) }))
	}
	for i, o := range p.outcomes { // as told, not beyond the mean
		p.outcomes[i].target = o.target + p.taught.at(p.points[i]) + p.offset
	}
	told := make([]float64, n)
	for i, row := range p.factor {
		told[i] = (p.outcomes[i].target - dot(row[:i], told)) / row[i]
	}
	p.signal = taughtSignal
	var x []float64
	for range 3 {
		a := make([][]float64, k+1)
		for i := range a {
			a[i] = make([]float64, k+2)
			for j := range k + 1 {
				a[i][j] = dot(basis[i], basis[j]) / p.signal
			}
			a[i][k+1] = dot(basis[i], told) / p.signal
			if i > 0 {
				a[i][i] += 1 / slopeVariance
				a[i][k+1] += 1 / (float64(k) * slopeVariance)
			}
		}
		x = solve(a)
		copy(p.target, told)
		for j, v := range basis {
			for i := range p.target {
				p.target[i] -= x[j] * v[i]
			}
		}
		p.signal = (dot(p.target, p.target) + 2*taughtSignal) / float64(n+2)
	}
	p.offset = x[0]
	copy(p.taught.slopes, x[1:])
	for l, s := range p.taught.slopes {
		p.taught.slopes[l] = max(s, 0)
	}
	for i := range p.outcomes {
		p.outcomes[i].target -= p.offset + p.taught.at(p.points[i])
	}
	for i, row := range p.factor {
		p.target[i] = (p.outcomes[i].target - dot(row[:i], p.target)) / row[i]
	}
	for i, c := range p.pool {
		p.mean[i] = float32(p.taught.at(c))
	}
	for i := range n {
		axpy(p.target[i], p.rows[i], p.mean)
	}
}

// solve solves a positive definite system whose right side is the last column.
func solve(a [][]float64) []float64 {
	n := len(a)
	for i := range n {
		for j := i + 1; j < n; j++ {
			f := a[j][i] / a[i][i]
			for l := i; l <= n; l++ {
				a[j][l] -= f * a[i][l]
			}
		}
	}
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		x[i] = a[i][n]
		for j := i + 1; j < n; j++ {
			x[i] -= a[i][j] * x[j]
		}
		x[i] /= a[i][i]
	}
	return x
}
