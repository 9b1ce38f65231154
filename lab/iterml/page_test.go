package iterml

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func percent(x float64, digits int) string { return strconv.FormatFloat(100*x, 'f', digits, 64) + " %" }

func (b Block) String() string { return fmt.Sprintf("%d·%d", b.X, b.Y) }

// within is how many blocks are within 5 % of the optimum, and their share.
func within(s Space) string {
	n := s.Within(0.95)
	return fmt.Sprintf("%d, %s", n, percent(float64(n)/float64(len(s.Fraction)), 2))
}

// samples are those of random search and each model for a standard: – where not reached.
func samples(replays []Replayed, space string, standard int) []string {
	strategies := []string{"random"}
	for _, m := range Models {
		strategies = append(strategies, "iterml-"+m)
	}
	var cells []string
	for _, strategy := range strategies {
		cell := "–"
		if n, _ := Samples(replays, space, strategy); n[standard-1] > 0 {
			cell = strconv.Itoa(n[standard-1])
		}
		cells = append(cells, cell)
	}
	return cells
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// The page's tables are those of the spaces and searches, rounded.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../results/h200-iterml-whole/README.md")
	if err != nil {
		t.Fatal(err)
	}
	want := func(line string) {
		if !strings.Contains(string(page), line) {
			t.Errorf("results/h200-iterml-whole/README.md lacks: %s", line)
		}
	}
	spaces, replays := read(t)
	for i, a := range spaces[0] {
		b := spaces[1][i]
		want(row(a.Name, a.Best.String(), fmt.Sprintf("%.1f", a.OptimumSeconds*1e6), b.Best.String(), fmt.Sprintf("%.1f", b.OptimumSeconds*1e6),
			fmt.Sprintf("%.3f", b.Fraction[a.Best]), fmt.Sprintf("%.3f", a.Fraction[b.Best]), within(a), within(b)))
		cells := []string{a.Name}
		for d, s := range []Space{a, b} {
			r, _ := Bayesian(replays[d], s.Name)
			cells = append(cells, fmt.Sprintf("%.1f", r.Evaluations), percent(r.Median, 0), percent(r.Low, 0), percent(s.RandomBest(int(math.Round(r.Evaluations))), 0))
		}
		want(row(cells...))
	}
	for i, all := range spaces {
		var ranges []string
		for _, b := range []Block{{64, 1}, {128, 1}, {256, 1}, {32, 8}} {
			ranges = append(ranges, between(b, all))
		}
		want(strings.Join(ranges, ", "))
		best, least := Universal(all)
		want(fmt.Sprintf("%s on the %s (at least %s)", best, Studies[i].GPU, percent(least, 0)))
	}
	for _, standard := range []int{1, 2} {
		for _, name := range Benchmarks {
			want(row(slices.Concat([]string{name}, samples(replays[0], name, standard), samples(replays[1], name, standard))...))
		}
		a, more := saved(replays[0], standard)
		b, more200 := saved(replays[1], standard)
		want(fmt.Sprintf("Standard %d: 40 to 80 %% in %d (H100) and %d (H200) of 11, more in %d and %d", standard, a, b, more, more200))
		want(fmt.Sprintf("Standard %d in %d (H100) and %d (H200)", standard, forests(replays[0], standard), forests(replays[1], standard)))
	}
	for i, study := range Studies {
		samples, benchmarks := mean(replays[i])
		want(fmt.Sprintf("%.0f samples on the %s in the mean of %d benchmarks, %s", samples, study.GPU, benchmarks, percent(samples/float64(Whole()), 1)))
	}
	for _, m := range Models {
		cells := []string{strings.ToUpper(m)}
		for _, r := range replays {
			for _, standard := range []int{1, 2} {
				cells = append(cells, summary(Normalised(r, m, standard)))
			}
		}
		want(row(cells...))
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
func mean(replays []Replayed) (samples float64, benchmarks int) {
	var list []float64
	for _, name := range Benchmarks {
		if n, _ := Samples(replays, name, "iterml-rf"); n[0] > 0 {
			list = append(list, float64(n[0]))
		}
	}
	return stat.Mean(list, nil), len(list)
}

// summary is the mean of normalised samples with their range, and on how many
// benchmarks where not on all of them.
func summary(list []float64) string {
	if len(list) == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.2f (%.2f–%.2f)", stat.Mean(list, nil), list[0], list[len(list)-1])
	if len(list) < len(Benchmarks) {
		text += fmt.Sprintf(", %d of %d", len(list), len(Benchmarks))
	}
	return text
}
