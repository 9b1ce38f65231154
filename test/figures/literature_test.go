package figures

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"example.org/bench/internal/textfile"
	"example.org/bench/test/published"
	"example.org/bench/tuning/knn"
	tuningsearch "example.org/bench/tuning/search"
)

// A task is one size of one version in a search's tune.json.
type task struct {
	Version     string
	Params      map[string]any
	Tunables    map[string]any
	Evaluations int
	Space       []struct{ Name string }
	Final       struct {
		Best, Default struct{ Value float64 }
	}
}

func search(t *testing.T, name string) []task {
	t.Helper()
	text, err := textfile.Read(filepath.Join(published.Path(root, name), "tune.json"))
	if err != nil {
		t.Fatal(err)
	}
	var report struct{ Tasks []task }
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	return report.Tasks
}

// size is N.
func size(x task) string { return fmt.Sprintf("%.0f", x.Params["N"]) }

// holds says whether a trial has the settings.
func holds(r Row, settings map[string]any) bool {
	for name, v := range settings {
		if x, is := v.(float64); is && r.Num(name) != x || !is && r[name] != fmt.Sprint(v) {
			return false
		}
	}
	return true
}

// phi returns by version the harmonic mean, over the sizes, of the optimum's time by that of the tunables
// that a search of h200-tuning found, both as the exhaustive search measured them, and its evaluations.
func phi(t *testing.T, algorithm, strategy string) (by map[string]float64, evaluations int) {
	t.Helper()
	all := run(t, "h200-tuning/"+algorithm+"-exhaustive")
	known := map[string][]struct{ Name string }{} // the tunables that it had
	for _, x := range search(t, "h200-tuning/"+algorithm+"-exhaustive") {
		known[x.Version] = x.Space
	}
	lost := map[string][]float64{}
	for _, x := range search(t, "h200-tuning/"+algorithm+"-"+strategy) {
		evaluations += x.Evaluations
		tunables := map[string]any{}
		for _, p := range known[x.Version] {
			if v, is := x.Tunables[p.Name]; is {
				tunables[p.Name] = v
			}
		}
		best, found := math.Inf(1), math.NaN()
		for _, r := range Where(all, "version="+x.Version) {
			if !holds(r, x.Params) {
				continue
			}
			best = min(best, r.us())
			if holds(r, tunables) {
				found = r.us()
			}
		}
		lost[x.Version] = append(lost[x.Version], found/best)
	}
	by = map[string]float64{}
	for version, list := range lost {
		by[version] = harmonic(list)
	}
	return by, evaluations
}

// harmonic is the harmonic mean of the inverses.
func harmonic(inverse []float64) float64 {
	sum := 0.0
	for _, x := range inverse {
		sum += x
	}
	return float64(len(inverse)) / sum
}

// phis are the least and the greatest Φ of the source's three algorithms.
func phis(t *testing.T, strategies ...string) []float64 {
	t.Helper()
	var list []float64
	for _, algorithm := range []string{"fft", "scan", "tridiagonal"} {
		for _, strategy := range strategies {
			by, _ := phi(t, algorithm, strategy)
			for _, x := range by {
				list = append(list, x)
			}
		}
	}
	return ends(list)
}

// largeFFT are the times of the defaults, of best, of bo and of the guideline at each N by the least known, the
// guideline's by the defaults of its own machine.
func largeFFT(t *testing.T) (sizes []string, by [4][]float64) {
	t.Helper()
	at := func(name, n string) task {
		for _, x := range search(t, name) {
			if size(x) == n {
				return x
			}
		}
		t.Fatalf("%s: no N = %s", name, n)
		return task{}
	}
	for _, x := range search(t, "h200-tune-fft-large") {
		n := size(x)
		bo, guideline := at("h200-tune-fft-large-bo", n).Final, at("h200-tune-fft-large-guideline", n).Final
		times := [4]float64{x.Final.Default.Value, x.Final.Best.Value, bo.Best.Value, x.Final.Default.Value * guideline.Best.Value / guideline.Default.Value}
		for i, s := range times {
			by[i] = append(by[i], s/slices.Min(times[:3]))
		}
		sizes = append(sizes, n)
	}
	return sizes, by
}

// study is a table of the thread-block study on one device.
func study(t *testing.T, device, file string) []Row {
	t.Helper()
	rows, err := Table(filepath.Join(root, "results", device+"-iterml-whole", file))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// saves counts the benchmarks in which the best of the models needs at most 60 % of random search's samples, to the percent.
func saves(t *testing.T, device, standard string) (count float64) {
	t.Helper()
	for _, r := range Where(study(t, device, "samples.csv"), "standard="+standard) {
		least := math.Inf(1)
		for _, model := range []string{"cart", "knn", "svm", "rf", "mlp"} {
			if n := r.Num(model); n < least {
				least = n
			}
		}
		if math.Round(100*(1-least/r.Num("random"))) >= 40 {
			count++
		}
	}
	return count
}

// good counts a benchmark's blocks within 5 % of the optimum.
func good(t *testing.T, device, benchmark string) (count, of float64) {
	t.Helper()
	rows := study(t, device, benchmark+".csv.gz")
	best := math.Inf(1)
	for _, r := range rows {
		best = min(best, r.Num("time_ms"))
	}
	for _, r := range rows {
		if r.Num("time_ms") <= best/0.95 {
			count++
		}
	}
	return count, float64(len(rows))
}

// kept returns, at each size of a printed table from one on, the best m with one stream and the share of the optimum
// that the printed m, corrected to the trend, keeps: by the times of the run mended, if one is named.
func kept(t *testing.T, printed string, from float64, mended string, names ...string) (ms, keeps []float64) {
	t.Helper()
	there := map[float64]string{}
	for _, r := range run(t, "literature/"+printed) { // what the trend asks for comes later
		there[r.Num("N")] = r["m"]
	}
	for n, m := range there {
		if n < from {
			continue
		}
		var rows []Row
		for _, name := range names {
			rows = append(rows, run(t, name, fmt.Sprintf("N=%.0f", n), "STREAMS=1")...)
		}
		if len(rows) == 0 {
			continue
		}
		best := fastest(rows)
		if mended != "" {
			rows = run(t, mended, fmt.Sprintf("N=%.0f", n))
		}
		ms, keeps = append(ms, best.Num("m")), append(keeps, best.us()/fastest(Where(rows, "m="+m)).us())
	}
	return ms, keeps
}

func fastest(rows []Row) Row {
	return slices.MinFunc(rows, func(a, b Row) int {
		if a.us() < b.us() {
			return -1
		}
		return 1
	})
}

// recursive returns at each N the R of the least time, and what recursion takes of the best without it.
func recursive(t *testing.T, precision string) (steps, share map[float64]float64) {
	t.Helper()
	steps, share = map[float64]float64{}, map[float64]float64{}
	rows := run(t, "h200-tridiagonal-recursion/"+precision)
	for _, r := range rows {
		n := r.Num("N")
		if _, done := steps[n]; done {
			continue
		}
		at := Where(rows, "N="+r["N"])
		var with []Row
		for _, x := range at {
			if x["R"] != "0" {
				with = append(with, x)
			}
		}
		steps[n], share[n] = fastest(at).Num("R"), fastest(with).us()/fastest(Where(at, "R=0")).us()
	}
	return steps, share
}

// ruled returns what recursion takes of the best time without it at each N, m the same, and at how many no step is best, one, and more.
func ruled(t *testing.T, name string) (share map[float64]float64, steps [3]float64) {
	t.Helper()
	share = map[float64]float64{}
	all := run(t, "h200-tridiagonal-recursion/"+name)
	for _, r := range all {
		if _, done := share[r.Num("N")]; done {
			continue
		}
		none := fastest(Where(all, "R=0 N="+r["N"]))
		var with []Row
		for _, x := range Where(all, "N="+r["N"]+" m="+none["m"]) {
			if x["R"] != "0" {
				with = append(with, x)
			}
		}
		best := fastest(with)
		share[r.Num("N")] = best.us() / none.us()
		if share[r.Num("N")] >= 1 {
			steps[0]++
		} else {
			steps[min(2, int(best.Num("R")))]++
		}
	}
	return share, steps
}

func from(n float64, of map[float64]float64) (list []float64) {
	for at, x := range of {
		if at >= n {
			list = append(list, x)
		}
	}
	return list
}

// bests are the fastest points with one stream by N.
func bests(t *testing.T, names ...string) map[float64]Row {
	t.Helper()
	by := map[float64]Row{}
	for _, name := range names {
		for _, r := range run(t, name, "STREAMS=1") {
			if at, is := by[r.Num("N")]; !is || r.us() < at.us() {
				by[r.Num("N")] = r
			}
		}
	}
	return by
}

// TestLiteratureOrders: what the comparison with the sources says in words.
func TestLiteratureOrders(t *testing.T) {
	above := func(what string, ratios []float64, least float64) {
		t.Helper()
		if len(ratios) == 0 || slices.Min(ratios) <= least {
			t.Errorf("%s: ratios %.4g, want more than %v", what, ratios, least)
		}
	}
	_, slowest, _ := batched(t, "h200-tridiagonal-peers")
	above("Fig. 5, cuSPARSE is behind", slowest, 1)
	above("Fig. 6, ours is ahead at all N", by(t, "h200-scan-peers", "version=lf", "version=cub_bykey", "N"), 1)
	above("Fig. 6, ours is ahead at all N", by(t, "h200-scan-peers", "version=ks", "version=cub_bykey", "N"), 1)
	for _, name := range []string{"h200-fft-peers", "h100-fft-peers/full-cache"} {
		near := by(t, name, fft, "version=cufft", "N", "64", "2048")
		above("Fig. 7, about equal up to 2048", near, 0.95)
		if slices.Max(near) > 1.05 {
			t.Errorf("%s, Fig. 7, about equal up to 2048: %.4g", name, near)
		}
		above("Fig. 7, beyond ours is ahead", by(t, name, fft, "version=cufft", "N", "4096", "4096"), 1)
	}
	for _, device := range []string{"h100", "h200"} {
		var times []float64
		for _, r := range study(t, device, "ldc.csv.gz") {
			times = append(times, r.Num("time_ms"))
		}
		above("Figure 1, the worst blocks lose more than half", []float64{slices.Max(times) / slices.Min(times)}, 2)
		mean := func(model, standard string) float64 {
			return Where(study(t, device, "models.csv"), "model="+model+" standard="+standard)[0].Num("mean")
		}
		for _, standard := range []string{"1", "2"} {
			for _, model := range []string{"cart", "knn", "svm", "mlp"} {
				above("Figure 11, the random forest needs least", []float64{mean(model, standard) / mean("rf", standard)}, 1)
				if model != "mlp" {
					above("Figure 11, the perceptron saves least", []float64{mean("mlp", standard) / mean(model, standard)}, 1)
				}
			}
			if more := mean("cart", standard) / mean("rf", standard); more > 1.2 {
				t.Errorf("%s, Figure 11, CART needs hardly more: %.3g", device, more)
			}
		}
	}
}

// streams returns at how many sizes up to 10^7 rows one stream is best on the H100, of how many, and above, what
// another number saves of its time at least and at most, in percent.
func streams(t *testing.T) (single, sizes float64, gain []float64) {
	t.Helper()
	least := map[string]map[string]float64{}
	for _, part := range []string{"small", "middle", "large-0", "large-1"} {
		for _, r := range run(t, "h100-tridiagonal-streams/"+part) {
			if least[r["N"]] == nil {
				least[r["N"]] = map[string]float64{}
			}
			if at, is := least[r["N"]][r["STREAMS"]]; !is || r.us() < at {
				least[r["N"]][r["STREAMS"]] = r.us()
			}
		}
	}
	for n, by := range least {
		best := "1"
		for s, us := range by {
			if us < by[best] {
				best = s
			}
		}
		if rows, _ := strconv.Atoi(n); rows > 1e7 {
			if best == "1" {
				t.Errorf("one stream is best at %s rows", n)
			}
			gain = append(gain, 100*(1-by[best]/by["1"]))
			continue
		}
		if sizes++; best == "1" {
			single++
		}
	}
	return single, sizes, ends(gain)
}

// predicted is how many of the sizes left out bench predict finds, and how many are the commonest.
func predicted(t *testing.T, name, tunable string) []float64 {
	t.Helper()
	dir := published.Path(root, name)
	run, err := tuningsearch.ReadFinished(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := knn.Question{Tunables: []string{tunable}, Choice: knn.Choice{Parameter: "N"}, Seed: 1}.Ask(dir, run)
	if err != nil {
		t.Fatal(err)
	}
	return []float64{all[0].Accuracy, all[0].Null}
}
