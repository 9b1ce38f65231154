package recorded

import (
	"math"
	"strings"
	"testing"

	"example.org/bench/tuning"
)

// blocks is a recorded space over thread blocks.
func blocks(t *testing.T, name string, times map[[2]float64]float64) *Space {
	t.Helper()
	p := []tuning.Parameter{{Name: "X", Values: []float64{8, 16, 24, 32}}, {Name: "Y", Values: []float64{4, 24, 36, 124}}}
	r := &Space{Name: name}
	var rows [][]uint16
	for i, x := range p[0].Values {
		for j, y := range p[1].Values {
			if c, ok := times[[2]float64{x, y}]; ok {
				rows = append(rows, []uint16{uint16(i), uint16(j)})
				r.Costs = append(r.Costs, c)
			}
		}
	}
	var err error
	if r.Space, err = tuning.NewSpace(p, rows); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestTransferTables: times of syr2k and syrk that give the rows of the
// published tables: the P100's best block (16, 36) reaches 0.751 of the V100's
// best for syr2k, and the V100's (8, 124) 0.601 of the P100's; for syrk (32, 24)
// 0.473 and (8, 124) 0.447.
func TestTransferTables(t *testing.T) {
	for kernel, x := range map[string]struct {
		p100           [2]float64
		onV100, onP100 float64
	}{
		"syr2k": {[2]float64{16, 36}, 0.751, 0.601}, "syrk": {[2]float64{32, 24}, 0.473, 0.447},
	} {
		v100 := [2]float64{8, 124}
		all, err := Transfers([]*Space{
			blocks(t, "P100", map[[2]float64]float64{x.p100: 2, v100: 2 / x.onP100, {8, 4}: 9}),
			blocks(t, "V100", map[[2]float64]float64{x.p100: 1 / x.onV100, v100: 1, {8, 4}: 9}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(all) != 2 || all[0].From != "P100" || all[0].Settings[0] != x.p100[0] || math.Abs(all[0].Performance-x.onV100) > 1e-12 ||
			all[1].Settings[1] != 124 || math.Abs(all[1].Performance-x.onP100) > 1e-12 {
			t.Errorf("%s: %+v", kernel, all)
		}
	}
}

func TestTransferOfWhatDoesNotRun(t *testing.T) {
	a := blocks(t, "a", map[[2]float64]float64{{8, 4}: 1, {16, 4}: 2})
	b := blocks(t, "b", map[[2]float64]float64{{8, 4}: math.NaN(), {16, 4}: 2})
	c := blocks(t, "c", map[[2]float64]float64{{16, 4}: 2, {24, 4}: 1})
	all, err := Transfers([]*Space{a, b, c})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, x := range all {
		got[x.From+x.To] = x.Text()
	}
	for pair, want := range map[string]string{"ab": "does not run", "ac": "not measured there", "ba": "0.500", "bc": "0.500", "ca": "not measured there"} {
		if got[pair] != want {
			t.Errorf("%s: %s, want %s", pair, got[pair], want)
		}
	}
	other := &Space{Name: "other", Space: mustSpace(t, []tuning.Parameter{{Name: "Z", Values: []float64{1}}}, [][]uint16{{0}}), Costs: []float64{1}}
	if _, err := Transfers([]*Space{a, other}); err == nil || !strings.Contains(err.Error(), "one kernel") {
		t.Errorf("%v", err)
	}
	if _, err := Transfers([]*Space{a}); err == nil {
		t.Error("one space was taken")
	}
}

// TestTransferOfTheBest: the first of the fastest that run.
func TestTransferOfTheBest(t *testing.T) {
	a := blocks(t, "a", map[[2]float64]float64{{8, 4}: 3, {8, 24}: math.NaN(), {16, 4}: 2, {16, 24}: 2})
	all, err := Transfers([]*Space{a, a})
	if err != nil || all[0].Settings[0] != 16 || all[0].Settings[1] != 4 || all[0].Performance != 1 {
		t.Errorf("%+v, %v; want (16, 4) and 1", all, err)
	}
}

func mustSpace(t *testing.T, p []tuning.Parameter, rows [][]uint16) *tuning.Space {
	t.Helper()
	s, err := tuning.NewSpace(p, rows)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Sizes of one search may have their columns in different orders.
func TestReplayOfOneKernel(t *testing.T) {
	read := func(name, text string) *Space {
		r, err := Read(strings.NewReader(text), name, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := read("one", "a,b,time_ms,status\n1,2,1,valid\n")
	for want, other := range map[string]string{
		"":                         "b,time_ms,a,status\n2,1,1,valid\n",
		"one has the parameters":   "a,c,time_ms,status\n1,2,1,valid\n",
		"other: no point is valid": "a,b,time_ms,status\n1,2,,invalid\n",
	} {
		err := Check([]*Space{one, read("other", other)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
