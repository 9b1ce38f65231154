package measure

import (
	"compress/gzip"
	"encoding/csv"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/bounded"
	"example.org/bench/test/published"
)

// searching are the settings of a search's trials.
var searching = config.Measure{MinSamples: 7, MinTime: 0.002, Noise: 0.01, Timeout: 0.1}

// flushSeconds are about what a flush and holding back the stream add to a sample.
const flushSeconds = 50e-6

// ended runs a rule with a bar as a GPUTimer does until it stops: samples are judged a
// millisecond of them at a time, and wall time counts. It returns how long the samples took.
func ended(samples func(n int) float64, bar float64) (beaten bool, seconds float64) {
	r := newRule(searching, func() float64 { return seconds })
	r.CountWall()
	r.Bar(bar)
	judged := 0.0
	for n := 0; ; n++ {
		x := samples(n)
		seconds += x + flushSeconds
		r.Add(x)
		if judged += x; judged < judgedSeconds {
			continue
		}
		judged = 0
		if stop, _, _ := r.Done(); stop {
			return r.Beaten(), seconds
		}
	}
}

// publishedSeries are the series of published runs on GPUs with cold caches, of 30 samples or more.
func publishedSeries(t *testing.T) (all [][]float64) {
	t.Helper()
	folders, err := published.Folders("../..", "run.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if name := published.Name("../..", folder); !strings.HasPrefix(name, "h") || strings.Contains(name, "-gates") {
			continue
		}
		for _, name := range bounded.Names(folder) {
			if strings.HasSuffix(name, "_samples.csv.gz") && !strings.HasSuffix(name, "_power_samples.csv.gz") {
				all = append(all, coldSeries(t, name)...)
			}
		}
	}
	return all
}

func coldSeries(t *testing.T, file string) (all [][]float64) {
	t.Helper()
	f, err := bounded.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	rows := csv.NewReader(z)
	header, err := rows.Read()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int { return slices.Index(header, name) }
	if at("mode") < 0 || at("time_s") < 0 {
		return nil
	}
	byPoint := map[string][]float64{}
	var order []string
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if row[at("mode")] != "cold" {
			continue
		}
		x, err := strconv.ParseFloat(row[at("time_s")], 64)
		if err != nil {
			t.Fatal(err)
		}
		key := row[at("point")]
		if i := at("instance"); i >= 0 {
			key += " " + row[i]
		}
		if byPoint[key] == nil {
			order = append(order, key)
		}
		byPoint[key] = append(byPoint[key], x)
	}
	for _, k := range order {
		if len(byPoint[k]) >= 30 {
			all = append(all, byPoint[k])
		}
	}
	return all
}

// TestBarRarelyErrs on recorded samples of GPUs: a series whose median is the bar itself, which is
// the worst case, ends for it in at most one of a hundred trials, and one that is slower by more than
// a fifth ends early. The log has the saving.
func TestBarRarelyErrs(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and of one thread")
	}
	all := publishedSeries(t)
	if len(all) < 500 {
		t.Fatalf("%d series", len(all))
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	const each = 10
	type trial struct {
		next          func(n int) float64
		median, whole float64 // whole: the seconds without a bar
	}
	var trials []trial
	for _, samples := range all {
		median := stats.Median(samples)
		for range each {
			from := rnd.IntN(len(samples))
			next := func(n int) float64 { return samples[(from+n)%len(samples)] }
			_, whole := ended(next, 0)
			trials = append(trials, trial{next, median, whole})
		}
	}
	for _, slower := range []float64{1, 1.02, 1.1, 1.2, 2} {
		beaten, with, without := 0, 0.0, 0.0
		for _, x := range trials {
			b, seconds := ended(x.next, x.median/slower)
			with += seconds / x.whole
			without++
			if b {
				beaten++
			}
		}
		n := float64(len(trials))
		share := float64(beaten) / n
		t.Logf("%.2f of the bar: %6.2f %% ended early, which saves %.0f %% of the time of sampling", slower, 100*share, 100*(1-with/without))
		if slower <= 1 && share > barError {
			t.Errorf("%.2f of the bar: %.2f %% ended early, want at most %.0f %%", slower, 100*share, 100*barError)
		}
		if slower >= 1.2 && (share < 0.97 || with > 0.6*without) {
			t.Errorf("%.2f of the bar: %.2f %% ended early, in %.2f of the time", slower, 100*share, with/without)
		}
	}
}

// TestBarHoldsItsError however long one looks, where as many samples are slow as may be: the
// bet's own bound, without the rule's other ends.
func TestBarHoldsItsError(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	const trials, samples = 20_000, 1000
	wrong := 0
	for range trials {
		b := bar{seconds: 1, won: 1}
		for range samples {
			x := 1.0
			if rnd.Float64() < barAbove {
				x = 2
			}
			b.add(x)
			if _, ok := b.passed(0); ok {
				wrong++
				break
			}
		}
	}
	if share := float64(wrong) / trials; share > barError || share == 0 {
		t.Errorf("%.4f of the bets were won by chance, want at most %v and some", share, barError)
	}
}

// TestBet: each sample above the bar by 5 % multiplies what is won by 0.9/0.1, each other by
// 0.1/0.9, and a hundred ends the series.
func TestBet(t *testing.T) {
	b := bar{seconds: 2, won: 1}
	for i, c := range []struct{ sample, won float64 }{{2.11, 9}, {2.1, 1}, {1, 1.0 / 9}, {3, 1}, {3, 9}, {3, 81}, {3, 729}} {
		b.add(c.sample)
		why, ended := b.passed(i + 1)
		if math.Abs(b.won-c.won) > 1e-9 || ended != (i == 6) || ended != b.beaten || ended && why != "slower than 2 s by more than 5 %: known after 7 samples" {
			t.Errorf("after %d samples: won %v, ended %v, %q", i+1, b.won, ended, why)
		}
	}
	none := bar{won: 1e9}
	if none.add(1); none.won != 1e9 {
		t.Errorf("no bar: won %v", none.won)
	}
	if _, ended := none.passed(1); ended || none.beaten {
		t.Error("a series ends for no bar")
	}
}

// TestColdEndsAtItsBar on the stub of a GPU, whose runs take 50 µs.
func TestColdEndsAtItsBar(t *testing.T) {
	_, timer, alg := stub(t)
	timer.Bar = 40e-6
	s, err := timer.Cold(alg)
	if err != nil {
		t.Fatal(err)
	}
	// The clock is judged by the millisecond.
	if !s.Beaten || s.Converged || len(s.Samples) != 20 || !strings.Contains(s.Stop, "slower than 4e-05 s by more than 5 %: known after 20 samples") || math.Abs(s.Samples[0]-50e-6) > 1e-9 {
		t.Errorf("%+v", s)
	}
	for _, seconds := range []float64{0, 50e-6, 49e-6} {
		timer.Bar = seconds
		s, err := timer.Cold(alg)
		median(t, s, err, 50e-6)
		if s.Beaten || !s.Converged {
			t.Errorf("bar %v: %+v", seconds, s)
		}
	}
}
