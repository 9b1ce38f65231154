package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const sample = `package sample

func Least(x, low int) int {
	if x < low {
		return low
	}
	return x
}

func Next(x int) int {
	x++
	return x - -1
}

func Nested(a, b, c float64) float64 { return a*b + (a-b)/c }

func Rest(x uint8) bool { return x%4 == 3 && x != 7 }

func Loud(s string) string { return s + "!" }

func Table() int { return len([4 / 2]int{}) }
`

const itsTests = `package sample

import "testing"

func Test(t *testing.T) {
	if Least(1, 2) != 2 || Least(3, 2) != 3 || Next(4) != 6 || Nested(3, 2, 1) != 7 || !Rest(11) || Rest(4) || Loud("a") != "a!" || Table() != 2 {
		t.Fail()
	}
}
`

// TestJudge: switched mutants of a package get the same verdicts as when each is
// compiled on its own.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module sample\n\ngo 1.26\n", "sample.go": sample, "sample_test.go": itsTests} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var mutants []mutant
	for where, n := range load(dir).nodes {
		op, _ := operator(n)
		for kind, changes := range mutations {
			if changes[op] != "" {
				mutants = append(mutants, mutant{where, kind, true})
			}
		}
	}
	got := map[string]outcome{}
	told := 0
	results, unasked := judge(dir, mutants, func(int, int, mutant, outcome) { told++ })
	if told != 14 { // those that make the same change are tried once
		t.Errorf("%d trials", told)
	}
	if len(unasked) != 0 {
		t.Errorf("not asked: %q", unasked)
	}
	for i, result := range results {
		got[mutants[i].String()] = result
	}
	want := map[string]outcome{
		"sample.go:4:7 CONDITIONALS_BOUNDARY":   survives, // both are low
		"sample.go:4:7 CONDITIONALS_NEGATION":   killed,
		"sample.go:11:3 INCREMENT_DECREMENT":    killed,
		"sample.go:12:11 ARITHMETIC_BASE":       killed,
		"sample.go:12:11 INVERT_NEGATIVES":      killed,
		"sample.go:12:13 ARITHMETIC_BASE":       killed,
		"sample.go:12:13 INVERT_NEGATIVES":      killed,
		"sample.go:15:48 ARITHMETIC_BASE":       killed,
		"sample.go:15:51 ARITHMETIC_BASE":       killed,
		"sample.go:15:55 ARITHMETIC_BASE":       killed,
		"sample.go:15:55 INVERT_NEGATIVES":      killed,
		"sample.go:15:58 ARITHMETIC_BASE":       survives, // by 1
		"sample.go:17:35 ARITHMETIC_BASE":       killed,
		"sample.go:17:38 CONDITIONALS_NEGATION": killed,
		"sample.go:17:48 CONDITIONALS_NEGATION": killed,
		"sample.go:19:39 ARITHMETIC_BASE":       notViable,
		"sample.go:21:34 ARITHMETIC_BASE":       killed, // of a constant, on its own
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v\nwant\n%v", got, want)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "sample.go")); err != nil || string(text) != sample {
		t.Errorf("the code is not as it was: %v\n%s", err, text)
	}
}

// TestDraw: a share is so many different mutants, the same for one state of the files
// and another for the next.
func TestDraw(t *testing.T) {
	var all []mutant
	for line := range 100 {
		all = append(all, mutant{place: place{line: line}})
	}
	sample := func(hash string) (lines []int) {
		for _, m := range draw(all, hash, 30) {
			lines = append(lines, m.line)
		}
		slices.Sort(lines)
		return slices.Compact(lines)
	}
	one := sample("a")
	if len(one) != 30 || !slices.Equal(one, sample("a")) || slices.Equal(one, sample("b")) {
		t.Errorf("%v, %v, %v", one, sample("a"), sample("b"))
	}
	if !slices.IsSortedFunc(all, func(x, y mutant) int { return x.line - y.line }) {
		t.Error("drawing shuffles what it draws from")
	}
}
