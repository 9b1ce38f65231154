package main

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"example.org/bench/framework/changepoint"
)

// peer is another method: a statistic at each look, beyond a threshold of which it
// calls a change.
type peer struct {
	name string
	path func(x []float64) []float64
}

func peers() []peer {
	return []peer{{"Otava", otava}, {"CUSUM", cusum}, {"window test", windowTest}}
}

func numbers(values []changepoint.Value) []float64 {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = v.X
	}
	return x
}

const (
	otavaWindow  = 50 // Hunter's default
	otavaSegment = 2
)

// otava is what Hunter, now Apache Otava, does at each look (Fleming, Kołaczkowski,
// Kumar, Das, McCarthy, Pattabhiraman and Shivkumar, "Hunter: Using Change Point
// Detection to Hunt for Performance Regressions"): the split of the window where the
// energy statistic of E-divisive is largest (Matteson and James, "A nonparametric
// approach for multiple change point analysis of multivariate data"), judged by
// Student's t test of its sides in place of permutations. The statistic is -log p.
func otava(x []float64) []float64 {
	path := make([]float64, len(x))
	for n := 2 * otavaSegment; n < len(x); n++ {
		w := x[max(0, n+1-otavaWindow) : n+1]
		k := divisive(w)
		path[n] = -math.Log(math.Max(studentP(w[:k], w[k:]), 1e-300))
	}
	return path
}

// divisive is the place of the largest energy statistic.
func divisive(x []float64) (at int) {
	n := len(x)
	distance := func(i, j int) float64 { return math.Abs(x[i] - x[j]) }
	var cross, left, right float64
	for i := range n {
		for j := range i {
			right += distance(i, j)
		}
	}
	best := math.Inf(-1)
	for k := 1; k < n; k++ { // x[k-1] goes to the left
		var toLeft, toRight float64
		for i := range k - 1 {
			toLeft += distance(i, k-1)
		}
		for i := k; i < n; i++ {
			toRight += distance(i, k-1)
		}
		left += toLeft
		right -= toRight
		cross += toRight - toLeft
		if k < otavaSegment || n-k < otavaSegment {
			continue
		}
		a, b := float64(k), float64(n-k)
		q := a * b / (a + b) * (2*cross/(a*b) - left/(a*(a-1)/2) - right/(b*(b-1)/2))
		if q > best {
			best, at = q, k
		}
	}
	return at
}

// studentP is the two-sided p of Student's t test of equal variances.
func studentP(a, b []float64) float64 {
	n, m := float64(len(a)), float64(len(b))
	meanA, varA := stat.MeanVariance(a, nil)
	meanB, varB := stat.MeanVariance(b, nil)
	freedom := n + m - 2
	pooled := ((n-1)*varA + (m-1)*varB) / freedom
	if pooled == 0 {
		if meanA == meanB {
			return 1
		}
		return 0
	}
	t := math.Abs(meanA-meanB) / math.Sqrt(pooled*(1/n+1/m))
	return 2 * distuv.StudentsT{Sigma: 1, Nu: freedom}.Survival(t)
}

const (
	cusumBaseline = 30
	cusumSlack    = 1 // half of the step that it is tuned to
)

// cusum is Page's two-sided sum ("Continuous inspection schemes"), standardised by the
// first values and tuned to a step of two standard deviations.
func cusum(x []float64) []float64 {
	path := make([]float64, len(x))
	if len(x) <= cusumBaseline {
		return path
	}
	mean, deviation := stat.MeanStdDev(x[:cusumBaseline], nil)
	up, down := 0.0, 0.0
	for n := cusumBaseline; n < len(x); n++ {
		z := 0.0
		switch {
		case deviation > 0:
			z = (x[n] - mean) / deviation
		case x[n] != mean:
			z = math.Copysign(1e9, x[n]-mean)
		}
		up, down = max(0, up+z-cusumSlack), max(0, down-z-cusumSlack)
		path[n] = max(up, down)
	}
	return path
}

const (
	windowNew = 6
	windowOld = 24
)

// windowTest is Welch's t of the last values against those before them, as Perfherder
// and LNT compare windows.
func windowTest(x []float64) []float64 {
	path := make([]float64, len(x))
	for n := windowOld + windowNew; n <= len(x); n++ {
		meanA, varA := stat.MeanVariance(x[n-windowNew-windowOld:n-windowNew], nil)
		meanB, varB := stat.MeanVariance(x[n-windowNew:n], nil)
		error2 := varA/windowOld + varB/windowNew
		switch {
		case error2 > 0:
			path[n-1] = math.Abs(meanA-meanB) / math.Sqrt(error2)
		case meanA != meanB:
			path[n-1] = 1e9
		}
	}
	return path
}
