//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/test/program"
)

// mostGrowth is by how much more than its rows the processor time of a verb may grow: four
// times the rows take 16 times the time where it goes by their square.
const mostGrowth = 1.8

// Four times the rows take about four times the time of what is linear for certain, which is
// measured beside.
func TestGrowth(t *testing.T) {
	bench := filepath.Join(t.TempDir(), "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BENCH_PLOTS", "none")
	const rows = 500
	var least [2][]cost
	var control [2]float64
	for range 2 { // the least of each counts: other programs only add
		for i, n := range []int{rows, 4 * rows} {
			dir := t.TempDir()
			if err := fill(dir, n, ""); err != nil {
				t.Fatal(err)
			}
			list, err := costs(bench, dir)
			if err != nil {
				t.Fatal(err)
			}
			// Reading one run again and again.
			c, err := linear(bench, dir, n/rows)
			if err != nil {
				t.Fatal(err)
			}
			if control[i] == 0 || c < control[i] {
				control[i] = c
			}
			if least[i] == nil {
				least[i] = list
			}
			for v := range list {
				least[i][v].seconds = min(least[i][v].seconds, list[v].seconds)
			}
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	linear := control[1] / control[0]
	for v, verb := range verbs {
		if grown := least[1][v].seconds / least[0][v].seconds; grown > mostGrowth*linear {
			t.Errorf("%s: %.2f s at %d rows, %.2f s at %d: %.1f times, and what is linear %.1f times", verb.name,
				least[0][v].seconds, rows, least[1][v].seconds, 4*rows, grown, linear)
		}
	}
}

// linear is the processor time of exporting a run of 500 rows so many times.
func linear(bench, dir string, times int) (float64, error) {
	small := filepath.Join(dir, "small")
	if err := folder(filepath.Join(small, "a"), 500, 5, "stockham"); err != nil {
		return 0, err
	}
	sum := 0.0
	for range times {
		c, err := costOf(bench, small, []string{"export", "--to", "csv", "a", "--out", "table"})
		if err != nil {
			return 0, err
		}
		sum += c.seconds
	}
	return sum, nil
}
