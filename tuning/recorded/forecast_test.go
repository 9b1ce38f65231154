package recorded

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/tuning"
)

// one is a space of one parameter by that name, of which the value n costs costs[n].
func one(t *testing.T, name, parameter string, costs ...float64) *Space {
	t.Helper()
	p := tuning.Parameter{Name: parameter}
	var rows [][]uint16
	for i := range costs {
		p.Values, rows = append(p.Values, float64(i)), append(rows, []uint16{uint16(i)})
	}
	s, err := tuning.NewSpace([]tuning.Parameter{p}, rows)
	if err != nil {
		t.Fatal(err)
	}
	return &Space{Name: name, Space: s, Costs: costs}
}

func ofKernel(kernel string, shares ...float64) (pairs []Pair) {
	for i, s := range shares {
		pairs = append(pairs, Pair{kernel, fmt.Sprintf("%s-a%d", kernel, i), fmt.Sprintf("%s-b%d", kernel, i), s})
	}
	return pairs
}

// TestForecastsTakeTheKernelsOwn pairs where these suffice, and all where they do not.
func TestForecastsTakeTheKernelsOwn(t *testing.T) {
	known := append(ofKernel("x", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9), ofKernel("y", 1, 1)...)
	all, err := Forecasts([]*Space{one(t, "x-here", "x", 2, 1), one(t, "y-here", "y", 1, 2)}, known)
	if err != nil {
		t.Fatal(err)
	}
	if f := all[0]; f.Pairs != 9 || f.Others || f.Median != 0.5 || f.Low != 0.1 || f.High != 0.9 || f.Settings[0] != 1 {
		t.Errorf("%+v", f)
	}
	if f := all[1]; f.Pairs != 11 || !f.Others || f.Median != 0.6 || f.Low != 0.1 || f.High != 1 || f.Settings[0] != 0 {
		t.Errorf("%+v", f)
	}
	if _, err := Forecasts(nil, known[:8]); err == nil || !strings.Contains(err.Error(), "8 pairs of devices are known; a forecast with an interval of 80 % needs 9") {
		t.Error(err)
	}
	if _, err := Forecasts([]*Space{one(t, "x-here", "x", math.NaN())}, known); err == nil || !strings.Contains(err.Error(), "no point is valid") {
		t.Error(err)
	}
}

// TestForecastsHoldTheirShare of pairs that come from one distribution each kernel: new ones, and
// those that are left out.
func TestForecastsHoldTheirShare(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	in, checked, covered, n := 0, 0, 0.0, 0
	const trials = 2000
	for range trials {
		draw := func() float64 { return math.Sqrt(rnd.Float64()) }
		shares := make([]float64, 25)
		for i := range shares {
			shares[i] = draw()
		}
		all, err := Forecasts([]*Space{one(t, "x-here", "x", 1)}, ofKernel("x", shares...))
		if err != nil {
			t.Fatal(err)
		}
		if x := draw(); all[0].Low <= x && x <= all[0].High {
			in++
		}
		checked += all[0].Checked
		covered += all[0].Covered
		n++
	}
	// Of 25, the second and the last but one: 22 of 26 gaps; of the 24 others too, 21 of 25.
	if got := float64(in) / trials; math.Abs(got-22.0/26) > 0.03 {
		t.Errorf("%.3f of new pairs are in their interval, want %.3f", got, 22.0/26)
	}
	if got := covered / float64(n); checked != 25*trials || math.Abs(got-21.0/25) > 0.03 {
		t.Errorf("%.3f of %d known pairs, want %.3f", got, checked, 21.0/25)
	}
}

// TestForecastsLeaveTheTargetOut: a device on which everything fails is not forecast from itself.
func TestForecastsLeaveTheTargetOut(t *testing.T) {
	var known []Pair
	for i := range 12 {
		known = append(known, Pair{"x", fmt.Sprintf("x-a%d", i), fmt.Sprintf("x-b%d", i), 0.9 + 0.001*float64(i)}, Pair{"x", fmt.Sprintf("x-a%d", i), "x-odd", 0.01})
	}
	all, err := Forecasts([]*Space{one(t, "x-here", "x", 1)}, known)
	if err != nil {
		t.Fatal(err)
	}
	// None of the twelve on the odd device is in an interval of the others, which reach from 0.01.
	if f := all[0]; f.Checked != 24 || f.Covered > 0.5 || f.Covered < 0.3 {
		t.Errorf("%+v", f)
	}
}

// TestPairsAreReadAsWritten by WriteTransfers.
func TestPairsAreReadAsWritten(t *testing.T) {
	a, b := one(t, "x-a", "x", 1, 2), one(t, "x-b", "x", 4, 1)
	c, d := one(t, "y-a", "y", 1), one(t, "y-b", "y", math.NaN(), 1)
	c.Space.Parameters[0].Labels = []string{"v0"}
	var list []Transfer
	for _, g := range Kernels([]*Space{a, c, b, d}) {
		more, err := Transfers(g)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, more...)
	}
	dir := t.TempDir()
	if err := WriteTransfers(list, dir); err != nil {
		t.Fatal(err)
	}
	got, err := ReadPairs(filepath.Join(dir, "transfer.csv"))
	want := []Pair{{"x", "x-a", "x-b", 0.25}, {"x", "x-b", "x-a", 0.5}, {"y", "y-a", "y-b", 0}}
	if err != nil || !slices.Equal(got, want) || !slices.Equal(PairsOf(list), want) {
		t.Errorf("%v, %v; want %v, and of %v", got, err, want, PairsOf(list))
	}
	for text, want := range map[string]string{
		"":                                   "not the transfer.csv of bench transfer",
		"a,b\n":                              "not the transfer.csv of bench transfer",
		"from,to,x,performance\na,b,1,1.5\n": `line 2: performance is "1.5"; want a number from 0 to 1`,
		"from,to,x,performance\na,b,1,y\n":   `line 2: performance is "y"`,
		"from,to,x,performance\na,b\n":       "wrong number of fields",
	} {
		path := filepath.Join(dir, "bad.csv")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadPairs(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "bad.csv") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestManyPairs: as many pairs as are read are forecast from each other in no long time, and more
// are refused.
func TestManyPairs(t *testing.T) {
	var table strings.Builder
	table.WriteString("from,to,x,performance\n")
	for i := range mostPairs {
		fmt.Fprintf(&table, "x-a%d,x-b%d,1,0.5\n", i%3, i%7)
	}
	path := filepath.Join(t.TempDir(), "transfer.csv")
	if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	pairs, err := ReadPairs(path)
	if err != nil || len(pairs) != mostPairs {
		t.Fatalf("%d pairs, %v", len(pairs), err)
	}
	all, err := Forecasts([]*Space{one(t, "x-here", "x", 1)}, pairs)
	if err != nil || all[0].Checked != mostPairs || all[0].Covered != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	table.WriteString("x-a,x-b,1,0.5\n")
	if err := os.WriteFile(path, []byte(table.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadPairs(path); err == nil || !strings.Contains(err.Error(), "transfer.csv: line 10002: more than 10000 measured pairs") {
		t.Error(err)
	}
}
