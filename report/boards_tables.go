package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal/digits"
)

var boardHeads = []Head{{"board", false}, {"kind", false}, {"power mode", false}, {"problem", false}}

func (m measurement) cells() []cell {
	return []cell{word(m.board.Name), word(m.board.Kind), word(m.mode), word(m.problem)}
}

// pointTable has all that the boards measured.
func pointTable(all []measurement) Table {
	t := Table{Title: "time, rate and energy", Note: "± is half of the 95 % interval over instances; energy is of one run, by each machine's own sensors.",
		Head: append(slices.Clone(boardHeads), Head{"version", false}, Head{"time", true}, Head{"±", true}, Head{"energy", true}, Head{"± energy", true},
			Head{"power", true}, Head{"operations", true}, Head{"bytes", true}, Head{"of copy", true}, Head{"of FMA", true})}
	for _, m := range all {
		w := m.row
		half, work, memory := w.Time.Half(), w.Work.GFLOPPerS.Float()*1e9, w.Memory.GBytePerS.Float()*1e9
		power, energy := w.Power.Get(), w.Energy.Get()
		percent := func(n record.Number) cell { return cell{share(n), n.Float()} }
		t.add(-1, append(m.cells(), word(m.version), measured(m.seconds(), half*m.seconds(), "s"), cell{digits.Doubt(half), half},
			measured(energy.Total.Float(), energy.Uncertainty.Float(), "J"), measured(energy.Uncertainty.Float(), energy.Uncertainty.Float(), "J"),
			measured(power.Total.Float(), power.Uncertainty.Float(), "W"), measured(work, work*half, "FLOP/s"), measured(memory, memory*half, "B/s"),
			percent(w.Memory.CopyShare), percent(w.Work.FMAShare))...)
	}
	t.Point = nil
	t.trim()
	return t
}

// places returns the measurements of each board's mode at a problem, in their order.
func places(group []measurement) (list [][]measurement) {
	at := map[string]int{}
	for _, m := range group {
		i, ok := at[m.where()]
		if !ok {
			i, at[m.where()] = len(list), len(list)
			list = append(list, nil)
		}
		list[i] = append(list[i], m)
	}
	return list
}

// speedUps returns the speed-ups of each version over the board's own fastest CPU version, a row for each
// board and mode.
func speedUps(all []measurement) Table {
	versions := versionsOf(all)
	t := Table{Title: "speed-up over the board's CPU", Note: "Of each version over the fastest CPU version of the same board and mode, as in Table 4 of the embedded study (2019), whose CPU version has one core.",
		Head: append(slices.Clone(boardHeads), Head{"CPU time", true})}
	for _, v := range versions {
		t.Head = append(t.Head, Head{v, true})
	}
	for _, group := range problemsOf(all) {
		for _, place := range places(group) {
			base := math.Inf(1)
			for _, m := range place {
				if m.cpu {
					base = min(base, m.seconds())
				}
			}
			if math.IsInf(base, 1) {
				continue
			}
			row := append(place[0].cells(), cell{digits.Scaled(base, "s"), base})
			for _, v := range versions {
				c := cell{"", math.NaN()}
				if i := slices.IndexFunc(place, func(m measurement) bool { return m.version == v }); i >= 0 {
					x := base / place[i].seconds()
					c = measured(x, x*place[i].row.Time.Half(), "")
				}
				row = append(row, c)
			}
			t.add(-1, row...)
		}
	}
	t.Point = nil
	t.trim()
	return t
}

// againstFirst returns the ratios of each board and mode to the first that has the version, compared as two
// boards or two modes.
func againstFirst(all []measurement) Table {
	t := Table{Title: "against the first board and mode", Note: "Below 1 is better. Shown: the 95 % intervals of the two times do not meet.",
		Head: append(slices.Clone(boardHeads), Head{"version", false}, Head{"against", false}, Head{"time", true}, Head{"energy", true}, Head{"shown", false})}
	for _, group := range problemsOf(all) {
		first := map[string]measurement{}
		for _, m := range group {
			f, ok := first[m.version]
			if !ok {
				first[m.version] = m
				continue
			}
			x, e := m.seconds()/f.seconds(), m.joules()/f.joules()
			a, b := m.row.Time, f.row.Time
			shown := a.Low.IsSet() && b.Low.IsSet() && (a.Low.Float() > b.High.Float() || a.High.Float() < b.Low.Float())
			t.add(-1, append(m.cells(), word(m.version), word(f.where()), measured(x, x*(m.row.Time.Half()+f.row.Time.Half()), ""), cell{number(e), e},
				word(map[bool]string{true: "yes", false: "no"}[shown]))...)
		}
	}
	t.Point = nil
	t.trim()
	return t
}

// frameRates are the rates, in runs per second, for which the rate table names a board.
var frameRates = []float64{1, 10, 25, 30, 50, 60, 100, 200, 500, 1000, 2000, 5000, 10_000}

// rates says which board computes a problem at a frame rate with least energy.
func rates(all []measurement) Table {
	t := Table{Title: "which board for a frame rate", Note: "What computes the problem once a frame in time with the least energy of the run itself; what the board takes between frames is not in it (a run at a rate measures that).",
		Head: []Head{{"problem", false}, {"frames per second", true}, {"board", false}, {"kind", false}, {"power mode", false}, {"version", false}, {"energy a frame", true}, {"of the frame's time", true}}}
	for _, group := range problemsOf(all) {
		for _, hz := range frameRates {
			m, ok := leastEnergy(ownEnergy(group), 1/hz)
			if !ok {
				continue
			}
			busy := m.seconds() * hz
			t.add(-1, word(m.problem), cell{fmt.Sprintf("%g", hz), hz}, word(m.board.Name), word(m.board.Kind), word(m.mode), word(m.version),
				measured(m.joules(), m.row.Energy.Get().Uncertainty.Float(), "J"), cell{digits.Percent(busy), busy})
		}
	}
	t.Point = nil
	t.trim()
	return t
}

// Modes compares the power modes of one board: for each problem the fastest version's time, power and energy,
// as in Table 5 of the embedded study; nil if the board was measured in one mode.
func Modes(b Board) *Section {
	t := Table{Title: "power modes", Note: "The fastest version in each mode, as in Table 5 of the embedded study (2019).",
		Head: []Head{{"algorithm", false}, {"problem", false}, {"power mode", false}, {"version", false}, {"time", true}, {"power", true}, {"energy", true}, {"time to first", true}, {"energy to first", true}}}
	s := &Section{Title: "Power modes", Kind: "comparison"}
	several := false
	for _, name := range algorithmsOf([]Board{b}) {
		for _, group := range problemsOf(measurements([]Board{b}, name)) {
			var first measurement
			list := places(group)
			several = several || len(list) > 1
			for i, place := range list {
				best := slices.MinFunc(place, func(a, b measurement) int { return cmp.Compare(a.seconds(), b.seconds()) })
				if i == 0 {
					first = best
				}
				x, e := best.seconds()/first.seconds(), best.joules()/first.joules()
				power := best.row.Power.Get()
				t.add(-1, word(name), word(best.problem), word(best.mode), word(best.version), measured(best.seconds(), best.seconds()*best.row.Time.Half(), "s"),
					measured(power.Total.Float(), power.Uncertainty.Float(), "W"), measured(best.joules(), best.row.Energy.Get().Uncertainty.Float(), "J"),
					measured(x, x*(best.row.Time.Half()+first.row.Time.Half()), ""), cell{number(e), e})
			}
			if least, ok := leastEnergy(group, math.Inf(1)); ok && len(list) > 1 {
				s.Verdict = append(s.Verdict, fmt.Sprintf("%s, %s: mode %s takes least energy, %s in %s", name, least.problem, least.mode, digits.Scaled(least.joules(), "J"), digits.Scaled(least.seconds(), "s")))
			}
		}
	}
	if !several {
		return nil
	}
	if s.Verdict == nil {
		s.Verdict = []string{"No energy is known."}
	}
	t.Point = nil
	t.trim()
	s.Tables = []Table{t}
	return s
}
