package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// made are runs of two points in five instances each, which differ by a standard
// deviation.
func made(runs int, sigma float64) (list []compare.Run) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range runs {
		var results []record.Result
		for point := range 2 {
			for instance := range 5 {
				median := 1e-3 * math.Exp(sigma*rng.NormFloat64())
				s := &measure.Series{Batch: 1}
				for range 20 {
					s.Samples = append(s.Samples, median*(1+0.001*rng.NormFloat64()))
				}
				results = append(results, record.Result{Point: plan.Point{ID: point, Instance: instance, Version: fmt.Sprint("v", point), Device: "cpu"}, Status: record.OK, Hot: s})
			}
		}
		r := record.NewRun(record.Info{}, "p", nil, results)
		samples, _ := record.ReadSamples("", r)
		list = append(list, compare.Run{Name: fmt.Sprint(i), Run: r, Samples: samples})
	}
	return list
}

func TestStudy(t *testing.T) {
	quiet, err := study(made(6, 0.005), 3, 0.05)
	if err != nil || quiet.points != 12 || quiet.holds < 0.8 || len(quiet.sides) != 2 {
		t.Fatalf("%+v, %v", quiet, err)
	}
	for i, v := range quiet.sides {
		if v.runs != []int{1, 3}[i] || v.pairs != []int{30, 2}[i] || v.worse > 0 || v.inconclusive > 0 || v.found < 0.99 || v.faster > 0 {
			t.Errorf("%+v", v)
		}
	}
	if !(quiet.half > 0.002 && quiet.half < 0.02) || quiet.low > quiet.holds || quiet.high < quiet.holds {
		t.Errorf("%+v", quiet)
	}
	loud, err := study(made(6, 0.1), 0, 0.05)
	if err != nil || len(loud.sides) != 1 {
		t.Fatalf("%+v, %v", loud, err)
	}
	if v := loud.sides[0]; v.worse > 0.1 || v.inconclusive < 0.5 || v.found > 0.8 {
		t.Errorf("%+v", v)
	}
	if _, err := study(made(3, 0.1)[:0], 0, 0.05); err == nil {
		t.Error("no run is a study")
	}
}
