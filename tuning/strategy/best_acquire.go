package strategy

import (
	"cmp"
	"math"
	"slices"

	"example.org/bench/tuning"
)

// fit makes the model anew from all trials and pending candidates: targets, rates and pool.
func (b *searcher) fit() {
	b.base = slices.Clone(b.least)
	var relative []float64
	sum := 0.0
	for i, p := range b.points {
		if y := b.costs[i]; !math.IsNaN(y) {
			relative = append(relative, y-b.base[b.task(p)])
			sum += relative[len(relative)-1]
		}
	}
	n, squares := float64(len(relative)), 0.0
	if t := b.taught; t != nil {
		n += taughtWeight
		sum += taughtWeight * t.mean
		d := t.mean - sum/n
		squares = taughtWeight * (t.variance + d*d)
	}
	b.shift = sum / n
	for _, r := range relative {
		d := r - b.shift
		squares += d * d
	}
	b.scale = math.Sqrt(squares / n)
	if b.scale < 1e-9 { // all alike
		b.scale = 1
	}
	b.usual = usualEffort(b.efforts)
	b.second.fit(b)
	targets := make([]float64, len(b.points))
	b.lowest = make([]float64, len(b.least))
	for t := range b.lowest {
		b.lowest[t] = math.Inf(1)
	}
	outcomes := make([]outcome, len(b.points))
	for i, p := range b.points {
		o, t := b.outcome(i), b.task(p)
		if outcomes[i], targets[i] = o, o.target; o.fault == 0 {
			b.lowest[t] = min(b.lowest[t], o.target)
			b.second.extend(t, o)
		}
	}
	if len(b.kernel.columns) > 0 && (b.taught == nil || len(b.points) >= designPoints) {
		points, fitted := b.informative(targets)
		b.rates = fitRates(b.kernel.columns, points, b.taught.beyond(points, fitted), b.rates)
	}
	model := newProcess(b.kernel, b.rates, b.pool(), b.second != nil)
	model.taught = b.taught
	for i, p := range b.points {
		model.condition(p, outcomes[i])
	}
	model.profile()
	for _, p := range b.pending {
		model.expect(p)
	}
	b.model = model
	b.refit = len(b.points) + max(2, len(b.points)/8)
	if b.taught != nil && len(b.points) < designPoints {
		b.refit = len(b.points) + 1
	}
}

// usualEffort returns the mean of the known efforts; NaN if none is known.
func usualEffort(efforts []float64) float64 {
	sum, n := 0.0, 0
	for _, e := range efforts {
		if !math.IsNaN(e) {
			sum += e
			n++
		}
	}
	return sum / float64(n)
}

// informative returns at most fitPoints of the trials: half of them the best, the others at random.
func (b *searcher) informative(targets []float64) (points []int, fitted []float64) {
	order := make([]int, len(targets))
	for i := range order {
		order[i] = i
	}
	if len(order) > fitPoints {
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(targets[i], targets[j]) })
		rest := order[fitPoints/2:]
		b.search.Rand.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		order = order[:fitPoints]
		slices.Sort(order)
	}
	for _, i := range order {
		points = append(points, b.points[i])
		fitted = append(fitted, targets[i])
	}
	return points, fitted
}

// pool returns the candidates of the next model, fewer as the points become more: those of the last model
// with the best optimistic bounds, all neighbours of the best points, the foremost of the lessons, and random
// ones for the rest.
func (b *searcher) pool() []int {
	limit := max(min(poolWork/len(b.points), poolMost), 1)
	var all []int
	taken := make([]bool, len(b.done))
	take := func(c int) {
		if !b.done[c] && !taken[c] {
			taken[c] = true
			all = append(all, c)
		}
	}
	if b.model != nil {
		for _, c := range b.model.hopeful(int(hopefulShare*float64(limit)), b.optimistic()) {
			take(c)
		}
		for _, c := range b.around() {
			take(c)
		}
	}
	if b.taught != nil {
		for _, c := range b.taught.foremost {
			take(c)
		}
	}
	if b.left <= limit {
		for c := range b.done {
			take(c)
		}
		return all
	}
	for tries := 0; tries < limit && len(all) < limit; tries++ {
		take(b.search.Rand.IntN(len(b.done)))
	}
	return all
}

// optimistic returns the bounds of the model's candidates; a lower bound gives more hope.
func (b *searcher) optimistic() []float32 {
	p := b.model
	bound := make([]float32, len(p.pool))
	if b.second != nil {
		b.second.optimistic(b, bound)
		return bound
	}
	signal := float32(math.Sqrt(p.signal))
	for i := range bound {
		bound[i] = p.mean[i] - optimism*signal*float32(math.Sqrt(float64(max(p.variance[i], 0))))
	}
	return bound
}

// hopeful returns the n candidates of the pool with the lowest bounds.
func (p *process) hopeful(n int, bound []float32) []int {
	if n >= len(p.pool) {
		return p.pool
	}
	sorted := slices.Clone(bound)
	slices.Sort(sorted)
	var all []int
	for i, c := range p.pool {
		if bound[i] < sorted[n] {
			all = append(all, c)
		}
	}
	return all
}

// around returns the candidates that differ in one parameter from one of the best
// points.
func (b *searcher) around() []int {
	order := make([]int, 0, len(b.points))
	for i, y := range b.costs {
		if !math.IsNaN(y) {
			order = append(order, i)
		}
	}
	relative := func(i int) float64 { return b.costs[i] - b.least[b.task(b.points[i])] }
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(relative(i), relative(j)) })
	order = order[:min(neighbours, len(order))]
	if b.second != nil {
		order = b.second.front(b)
	}
	var all []int
	for _, i := range order {
		task := b.task(b.points[i])
		s := b.search.Tasks[task].Space
		row := slices.Clone(s.Indexes(b.points[i] - b.first[task]))
		for d, p := range s.Parameters {
			old := row[d]
			for v := range p.Values {
				row[d] = uint16(v)
				if at := s.Find(row); at >= 0 && !b.done[b.first[task]+at] {
					all = append(all, b.first[task]+at)
				}
			}
			row[d] = old
		}
	}
	return all
}

// improvementOffset places the tabled function's argument: u = -8 … 8.
const improvementOffset = tableEnd / 2

// improvement is u·Φ(u) + φ(u): the expected improvement of a normal variable
// in units of its standard deviation ("Efficient Global Optimization of
// Expensive Black-Box Functions", Jones, Schonlau and Welch).
var improvement = newTabled(func(x float64) float64 {
	u := x - improvementOffset
	return u*0.5*math.Erfc(-u/math.Sqrt2) + math.Exp(-u*u/2)/math.Sqrt(2*math.Pi)
})

// improves returns that function, also beyond its table.
func improves(u float32) float32 {
	switch {
	case u >= improvementOffset-1:
		return u
	case u > -improvementOffset:
		return improvement.at(u + improvementOffset)
	}
	return 0
}

// promising returns the candidate to evaluate next: of the task that is behind (-1: none is), among the
// neighbours of the best points if it is their turn, or else of the whole pool. It is -1 if the pool is used
// up.
func (b *searcher) promising(behind int) int {
	if behind >= 0 {
		if c := b.most(marginBehind, func(c int) bool { return b.task(c) == behind }); c >= 0 {
			return c
		}
	}
	margin := margins[b.proposed()%len(margins)]
	if b.taught != nil && b.proposed() < trusted {
		margin = trustedMargin
	}
	if b.proposed()%refineEvery == 0 {
		near := map[int]bool{}
		for _, c := range b.around() {
			near[c] = true
		}
		if c := b.most(margin, func(c int) bool { return near[c] }); c >= 0 {
			return c
		}
	}
	return b.most(margin, func(int) bool { return true })
}

// most returns the candidate, of those allowed in the pool, with the greatest expected improvement beyond a
// margin, times the probability that it is valid; -1 if there is none.
func (b *searcher) most(margin float64, allowed func(int) bool) int {
	m := b.model
	signal := math.Sqrt(m.signal)
	goal := make([]float32, len(b.lowest)) // of each task, against the mean
	for t, low := range b.lowest {
		if math.IsInf(low, 1) {
			low = 0 // nothing valid yet: better than the average
		}
		goal[t] = float32(low - margin - m.offset)
	}
	haste := b.haste()
	task := 0
	found, most, nearest, stays := -1, float32(0), float32(math.Inf(-1)), false
	for i, c := range m.pool {
		if b.done[c] || !allowed(c) {
			continue
		}
		if len(goal) > 1 {
			task = b.task(c)
		}
		root := float32(math.Sqrt(float64(max(m.variance[i], 1e-9))))
		deviation := float32(signal) * root
		u := (goal[task] - m.mean[i]) / deviation
		var value float32
		if b.second != nil {
			value = b.second.expected(m, i, task, root, float32(margin))
		} else {
			value = deviation * improves(u)
		}
		value *= min(1, max(leastFeasible, 1-m.faulty[i])) * haste(i, c)
		stay := b.change(c) == 0 // decides if nothing is expected of any
		if value > most || most == 0 && (stay && !stays || stay == stays && u > nearest) {
			found, most, nearest, stays = c, max(value, most), u, stay
		}
	}
	return found
}

// First returns the pending point of which the model predicts most: the least cost relative to the best of
// its task, and validity. Without a model it returns the first.
func (b *searcher) First(pending []tuning.Proposal) int {
	if b.model == nil {
		return 0
	}
	place := map[int]int{}
	for i, p := range pending {
		place[b.first[p.Task]+p.Point] = i
	}
	first, least := 0, float32(math.Inf(1))
	for i, c := range b.model.pool {
		at, ok := place[c]
		if !ok {
			continue
		}
		task := pending[at].Task
		low := b.lowest[task]
		if math.IsInf(low, 1) {
			low = 0
		}
		predicted := b.model.mean[i] - float32(low) + faultTarget*b.model.faulty[i]
		if predicted < least {
			first, least = at, predicted
		}
	}
	return first
}
