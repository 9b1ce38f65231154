package main

import (
	"math"
	"math/rand/v2"

	"example.org/bench/framework/changepoint"
)

// runs is how many runs a series has.
const runs = 100

// shape is a kind of series. Values are in standard deviations of its noise from the
// first level.
type shape struct {
	name string
	// at are the first values of new levels; none: there is no change. A drift begins
	// there.
	at    []int
	drift bool
	// noise is set where the noise changes and the level does not.
	noise bool
	make  func(g *rand.Rand) []changepoint.Value
}

// of makes each value by itself.
func of(f func(g *rand.Rand, i int) float64) func(*rand.Rand) []changepoint.Value {
	return func(g *rand.Rand) []changepoint.Value {
		list := make([]changepoint.Value, runs)
		for i := range list {
			list[i].X = f(g, i)
		}
		return list
	}
}

// with changes the values of a kind of series.
func with(base func(*rand.Rand) []changepoint.Value, f func(g *rand.Rand, i int, v *changepoint.Value)) func(*rand.Rand) []changepoint.Value {
	return func(g *rand.Rand) []changepoint.Value {
		list := base(g)
		for i := range list {
			f(g, i, &list[i])
		}
		return list
	}
}

// without leaves values out.
func without(base func(*rand.Rand) []changepoint.Value, out func(g *rand.Rand, i int) bool) func(*rand.Rand) []changepoint.Value {
	return func(g *rand.Rand) (list []changepoint.Value) {
		for i, v := range base(g) {
			if !out(g, i) {
				list = append(list, v)
			}
		}
		return list
	}
}

// autoregressive values have variance 1 and correlation r with the one before.
func autoregressive(r float64) func(*rand.Rand) []changepoint.Value {
	return func(g *rand.Rand) []changepoint.Value {
		list := make([]changepoint.Value, runs)
		last := g.NormFloat64()
		for i := range list {
			last = r*last + math.Sqrt(1-r*r)*g.NormFloat64()
			list[i].X = last
		}
		return list
	}
}

// student is of three degrees of freedom, with variance 1.
func student(g *rand.Rand, _ int) float64 {
	squares := 0.0
	for range 3 {
		x := g.NormFloat64()
		squares += x * x
	}
	return g.NormFloat64() / math.Sqrt(squares)
}

// levels are far apart, and a run is of one by chance; the last share is the rest.
func levels(distance float64, shares ...float64) func(g *rand.Rand, i int) float64 {
	return func(g *rand.Rand, _ int) float64 {
		u, level := g.Float64(), 0.0
		for _, s := range shares {
			if u < s {
				break
			}
			u -= s
			level += distance
		}
		return level + g.NormFloat64()
	}
}

// sticky levels are left by chance.
func sticky(distance, leave float64) func(*rand.Rand) []changepoint.Value {
	return func(g *rand.Rand) []changepoint.Value {
		list := make([]changepoint.Value, runs)
		level := float64(g.IntN(2))
		for i := range list {
			if g.Float64() < leave {
				level = 1 - level
			}
			list[i].X = distance*level + g.NormFloat64()
		}
		return list
	}
}

func steady(g *rand.Rand, _ int) float64 { return g.NormFloat64() }

// sudden outliers come with a probability, of a size, to one side (1), or either (0).
func outliers(probability, size float64, side int) func(g *rand.Rand, i int, v *changepoint.Value) {
	return func(g *rand.Rand, _ int, v *changepoint.Value) {
		if g.Float64() < probability {
			x := size * (0.5 + g.ExpFloat64()/2)
			if side == 0 && g.IntN(2) == 0 {
				x = -x
			}
			v.X += x
		}
	}
}

// step adds a size from a value on.
func step(size float64, from int) func(g *rand.Rand, i int, v *changepoint.Value) {
	return func(_ *rand.Rand, i int, v *changepoint.Value) {
		if i >= from {
			v.X += size
		}
	}
}

func slope(each float64, from int) func(g *rand.Rand, i int, v *changepoint.Value) {
	return func(_ *rand.Rand, i int, v *changepoint.Value) { v.X += each * float64(max(0, i-from)) }
}

func season(period int, amplitude float64) func(g *rand.Rand, i int) float64 {
	return func(g *rand.Rand, i int) float64 {
		return amplitude*math.Sin(2*math.Pi*float64(i)/float64(period)) + g.NormFloat64()
	}
}

// known gives each run an interval: noise between runs, and noise of a run of its own
// size, which it knows.
func known(between float64, own func(g *rand.Rand) float64) func(*rand.Rand) []changepoint.Value {
	return func(g *rand.Rand) []changepoint.Value {
		list := make([]changepoint.Value, runs)
		for i := range list {
			s := own(g)
			list[i] = changepoint.Value{X: between*g.NormFloat64() + s*g.NormFloat64(), Sigma: s}
		}
		return list
	}
}

func rounded(unit float64) func(g *rand.Rand, i int) float64 {
	return func(g *rand.Rand, _ int) float64 { return unit * math.Round(g.NormFloat64()/unit) }
}

// pairsEach is the probability of a pair of outliers at each run.
const pairsEach = 0.02

// pairs of neighbours are far off, ten runs apart at least.
func pairs(probability, size float64) func(*rand.Rand) []changepoint.Value {
	return func(g *rand.Rand) []changepoint.Value {
		list := of(steady)(g)
		for i := 1; i < len(list); i++ {
			if g.Float64() < probability {
				list[i-1].X += size
				list[i].X += size
				i += 10
			}
		}
		return list
	}
}

// shapes are the forty.
func shapes() []shape {
	normal := of(steady)
	return []shape{
		{name: "constant", make: normal},
		{name: "equal values", make: of(func(*rand.Rand, int) float64 { return 0 })},
		{name: "uniform", make: of(func(g *rand.Rand, _ int) float64 { return math.Sqrt(12) * (g.Float64() - 0.5) })},
		{name: "Student's t, 3 degrees", make: of(student)},
		{name: "Cauchy", make: of(func(g *rand.Rand, _ int) float64 { return g.NormFloat64() / g.NormFloat64() })},
		{name: "exponential", make: of(func(g *rand.Rand, _ int) float64 { return g.ExpFloat64() })},
		{name: "log-normal", make: of(func(g *rand.Rand, _ int) float64 { return math.Exp(g.NormFloat64()) })},
		{name: "2 % outliers", make: with(normal, outliers(0.02, 10, 0))},
		{name: "10 % outliers, one side", make: with(normal, outliers(0.1, 8, 1))},
		{name: "pairs of outliers", make: pairs(pairsEach, 8)},
		{name: "slow first run", make: with(normal, func(_ *rand.Rand, i int, v *changepoint.Value) {
			if i == 0 {
				v.X += 20
			}
		})},
		{name: "two levels, 1 in 2", make: of(levels(8, 0.5))},
		{name: "two levels, 1 in 5", make: of(levels(8, 0.8))},
		{name: "two levels, 1 in 20", make: of(levels(8, 0.95))},
		{name: "three levels", make: of(levels(6, 0.4, 0.3))},
		{name: "two levels, left 1 in 2.5", make: sticky(6, 0.4)},
		{name: "autocorrelation 0.3", make: autoregressive(0.3)},
		{name: "autocorrelation 0.5", make: autoregressive(0.5)},
		{name: "autocorrelation 0.7", make: autoregressive(0.7)},
		{name: "autocorrelation -0.5", make: autoregressive(-0.5)},
		{name: "season of 7", make: of(season(7, 1))},
		{name: "season of 24", make: of(season(24, 1))},
		{name: "1 in 5 missing", make: without(normal, func(g *rand.Rand, _ int) bool { return g.Float64() < 0.2 })},
		{name: "30 missing", make: without(normal, func(_ *rand.Rand, i int) bool { return i >= 40 && i < 70 })},
		{name: "coarse clock", make: of(rounded(2))},
		{name: "mostly equal", make: of(rounded(4))},
		{name: "noise doubles", noise: true, make: with(normal, func(_ *rand.Rand, i int, v *changepoint.Value) {
			if i >= 50 {
				v.X *= 2
			}
		})},
		{name: "intervals", make: known(0.6, func(*rand.Rand) float64 { return 0.8 })},
		{name: "intervals of all widths", make: known(0.3, func(g *rand.Rand) float64 { return 0.3 * math.Exp(g.NormFloat64()) })},
		{name: "step of 1", at: []int{50}, make: with(normal, step(1, 50))},
		{name: "step of 2", at: []int{50}, make: with(normal, step(2, 50))},
		{name: "step of -2", at: []int{50}, make: with(normal, step(-2, 50))},
		{name: "step of 2, intervals", at: []int{50}, make: with(known(0.6, func(*rand.Rand) float64 { return 0.8 }), step(2, 50))},
		{name: "step of 4", at: []int{50}, make: with(normal, step(4, 50))},
		{name: "step of 10", at: []int{50}, make: with(normal, step(10, 50))},
		{name: "step of 4, outliers", at: []int{50}, make: with(with(normal, outliers(0.05, 10, 0)), step(4, 50))},
		{name: "step of 4 and back", at: []int{40, 70}, make: with(with(normal, step(4, 40)), step(-4, 70))},
		{name: "two steps of 3", at: []int{40, 70}, make: with(with(normal, step(3, 40)), step(3, 70))},
		{name: "drift of 0.05 a run", at: []int{0}, drift: true, make: with(normal, slope(0.05, 0))},
		{name: "drift of 0.1 a run from run 50", at: []int{50}, drift: true, make: with(normal, slope(0.1, 50))},
	}
}
