package iterml

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func percent(x float64, digits int) string { return strconv.FormatFloat(100*x, 'f', digits, 64) + " %" }

func (b Block) String() string { return fmt.Sprintf("%d·%d", b.X, b.Y) }

// share is that of the whole space within 5 % of the sample's optimum.
func share(s Space) string {
	share, low, high := s.Share()
	return fmt.Sprintf("%.1f %% (%.1f–%.1f)", 100*share, 100*low, 100*high)
}

// samples are those of random search and each model for a standard: – where not
// reached, nothing where it was not tried.
func samples(replays []Replayed, space string, standard int) []string {
	var cells []string
	for _, strategy := range slices.Concat([]string{"random"}, Models) {
		if strategy != "random" {
			strategy = "iterml-" + strategy
		}
		n, _ := Samples(replays, space, strategy)
		tried := slices.ContainsFunc(replays, func(r Replayed) bool { return r.Space == space && r.Strategy == strategy })
		switch {
		case n[standard-1] > 0:
			cells = append(cells, strconv.Itoa(n[standard-1]))
		case tried:
			cells = append(cells, "–")
		default:
			cells = append(cells, "")
		}
	}
	return cells
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// The page's tables are those of the spaces and searches, rounded.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/iterml.md")
	if err != nil {
		t.Fatal(err)
	}
	want := func(line string) {
		if !strings.Contains(string(page), line) {
			t.Errorf("docs/iterml.md lacks: %s", line)
		}
	}
	grid, _, gridReplays := read(t, Studies[0])
	h100, h200, replays := read(t, Studies[1])
	_, _, replays200 := read(t, Studies[2])
	whole, _, _ := read(t, Studies[3])
	for i, a := range h100 {
		b := h200[i]
		want(row(a.Name, a.Best.String(), fmt.Sprintf("%.1f", a.OptimumSeconds*1e6), b.Best.String(), fmt.Sprintf("%.1f", b.OptimumSeconds*1e6),
			fmt.Sprintf("%.3f", b.Fraction[a.Best]), fmt.Sprintf("%.3f", a.Fraction[b.Best]), share(a), share(b)))
	}
	for _, all := range [][]Space{whole, grid} {
		var ranges []string
		for _, b := range []Block{{64, 1}, {128, 1}, {256, 1}, {32, 8}} {
			ranges = append(ranges, between(b, all))
		}
		want(strings.Join(ranges, ", "))
	}
	for _, f := range []struct {
		all []Space
		in  string
	}{{whole, "the H100"}, {h200, "the H200"}, {grid, "the grid"}} {
		best, least := Universal(f.all)
		want(fmt.Sprintf("%s on %s (at least %s)", best, f.in, percent(least, 0)))
	}
	for _, standard := range []int{1, 2} {
		for _, name := range Benchmarks {
			want(row(slices.Concat([]string{name}, samples(replays, name, standard), samples(replays200, name, standard))...))
		}
	}
	for i, name := range Benchmarks {
		r, _ := Bayesian(replays, name)
		want(row(name, fmt.Sprintf("%.1f", r.Evaluations), percent(r.Median, 0), percent(r.Low, 0), percent(h100[i].RandomBest(int(math.Round(r.Evaluations))), 0)))
	}
	for _, standard := range []int{1, 2} {
		a, more := saved(replays, standard)
		b, more200 := saved(replays200, standard)
		want(fmt.Sprintf("Standard %d: 40 to 80 %% in %d (H100) and %d (H200) of 11, more in %d and %d", standard, a, b, more, more200))
		want(fmt.Sprintf("Standard %d in %d (H100) and %d (H200)", standard, forests(replays, standard), forests(replays200, standard)))
	}
	want(fmt.Sprintf("random forest needs %.0f samples on the H100 and %.0f on the H200 in the mean", mean(replays), mean(replays200)))
	for _, m := range Models {
		cells := []string{strings.ToUpper(m)}
		for _, r := range [][]Replayed{replays, replays200, gridReplays} {
			for _, standard := range []int{1, 2} {
				cells = append(cells, summary(Normalised(r, m, standard), len(Benchmarks)))
			}
		}
		want(row(cells...))
	}
}

// The whole spaces' tables are those of the spaces and searches, beside the quarter.
func TestWholeOnPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/iterml.md")
	if err != nil {
		t.Fatal(err)
	}
	models := map[string][]string{}
	for _, study := range Studies[3:] {
		whole, partner, replays := read(t, study)
		for _, m := range Models {
			for _, standard := range []int{1, 2} {
				models[m] = append(models[m], summary(Normalised(replays, m, standard), len(whole)))
			}
		}
		quarter, err := ReadSpaces(filepath.Join(results, strings.Replace(study.Folder, "whole", "random", 1)))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, s := range whole {
			sample, _ := find(quarter, s.Name)
			there := ""
			if other, ok := find(partner, s.Name); ok {
				there = fmt.Sprintf("%.3f", s.Fraction[other.Best])
			}
			label := s.Name + ", " + study.GPU
			lines = append(lines, row(label, s.Best.String(), fmt.Sprintf("%.1f", s.OptimumSeconds*1e6),
				fmt.Sprintf("%d, %s", s.Within(0.95), percent(float64(s.Within(0.95))/float64(len(s.Fraction)), 2)), fmt.Sprintf("%.3f", s.Fraction[sample.Best]), there))
			for _, standard := range []int{1, 2} {
				lines = append(lines, row(slices.Concat([]string{label, strconv.Itoa(standard)}, samples(replays, s.Name, standard))...))
			}
		}
		if study.ofAll() {
			for _, standard := range []int{1, 2} {
				within, more := saved(replays, standard)
				lines = append(lines, fmt.Sprintf("Standard %d: 40 to 80 %% in %d of 11, more in %d", standard, within, more),
					fmt.Sprintf("Standard %d in %d of 11", standard, forests(replays, standard)))
			}
			lines = append(lines, fmt.Sprintf("random forest needs %.0f samples in the mean", mean(replays)))
		}
		for _, line := range lines {
			if !strings.Contains(string(page), line) {
				t.Errorf("docs/iterml.md lacks: %s", line)
			}
		}
	}
	for _, m := range Models {
		if line := row(append([]string{strings.ToUpper(m)}, models[m]...)...); !strings.Contains(string(page), line) {
			t.Errorf("docs/iterml.md lacks: %s", line)
		}
	}
}

// fewest are the samples of the best model, 0 where none reaches the standard.
func fewest(replays []Replayed, space string, standard int) int {
	least := 0
	for _, m := range Models {
		if n, _ := Samples(replays, space, "iterml-"+m); n[standard-1] > 0 && (least == 0 || n[standard-1] < least) {
			least = n[standard-1]
		}
	}
	return least
}

// saved counts the benchmarks in which the best model saves 40 to 80 % of random
// search's samples, rounded to the percent, and those in which it saves more.
func saved(replays []Replayed, standard int) (within, more int) {
	for _, name := range Benchmarks {
		r, _ := Samples(replays, name, "random")
		n := fewest(replays, name, standard)
		if n == 0 || r[standard-1] == 0 {
			continue
		}
		switch s := math.Round(100 * (1 - float64(n)/float64(r[standard-1]))); {
		case s > 80:
			more++
		case s >= 40:
			within++
		}
	}
	return within, more
}

// forests counts the benchmarks in which no model needs fewer samples than the random forest.
func forests(replays []Replayed, standard int) int {
	count := 0
	for _, name := range Benchmarks {
		if n, _ := Samples(replays, name, "iterml-rf"); n[standard-1] > 0 && n[standard-1] == fewest(replays, name, standard) {
			count++
		}
	}
	return count
}

// between is what a block reaches over the benchmarks.
func between(b Block, all []Space) string {
	least, most := 1.0, 0.0
	for _, s := range all {
		least, most = min(least, s.Fraction[b]), max(most, s.Fraction[b])
	}
	return fmt.Sprintf("%s %.0f to %s", b, 100*least, percent(most, 0))
}

// mean is that of the random forest's samples for Standard 1, of those benchmarks in which it
// reaches it.
func mean(replays []Replayed) float64 {
	var list []float64
	for _, name := range Benchmarks {
		if n, _ := Samples(replays, name, "iterml-rf"); n[0] > 0 {
			list = append(list, float64(n[0]))
		}
	}
	return stat.Mean(list, nil)
}

// summary is the mean of normalised samples with their range, and on how many
// benchmarks where not on all of them.
func summary(list []float64, of int) string {
	if len(list) == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.2f (%.2f–%.2f)", stat.Mean(list, nil), list[0], list[len(list)-1])
	if len(list) < of {
		text += fmt.Sprintf(", %d of %d", len(list), of)
	}
	return text
}
