// History finds by simulation how often bench history raises false alarms, and how soon it finds a step,
// beside other methods on the same series. It writes tables and a figure.
package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"

	"example.org/bench/framework/changepoint"
)

// stream is of random numbers: another one gives other series. The detector's constants
// were chosen on stream 0, so what is published is of another.
var stream uint64

func generator(number, seed int) *rand.Rand {
	return rand.New(rand.NewPCG(stream<<32|uint64(number), uint64(seed)))
}

func main() {
	flag.Uint64Var(&stream, "stream", 1, "stream of random numbers")
	seeds := flag.Int("seeds", 1000, "series of each shape")
	out := flag.String("out", "results/history", "folder for the tables and the figure")
	flag.Parse()
	if err := run(*seeds, *out); err != nil {
		fmt.Fprintln(os.Stderr, "history:", err)
		os.Exit(1)
	}
}

func run(seeds int, out string) error {
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	tallies := inParallel(shapes(), func(i int, s shape) tally { return s.study(i, seeds) })
	rows := [][]string{{"shape", "change", "series", "false_alarm", "found_within_9", "called_drift"}}
	wrong, all := 0, 0
	for _, t := range tallies {
		kind := "none"
		switch {
		case t.shape.drift:
			kind = "drift"
		case t.shape.noise:
			kind = "noise"
		case t.shape.at != nil:
			kind = "step"
		default:
			wrong, all = wrong+t.wrong, all+t.series
		}
		row := []string{t.shape.name, kind, strconv.Itoa(t.series), share(t.wrong, t.series), "", share(t.drifts, t.series)}
		if t.shape.at != nil {
			row[4] = share(t.found, t.series-t.wrong)
		}
		rows = append(rows, row)
	}
	rate := float64(wrong) / float64(all)
	rows = append(rows, []string{"all without a change", "none", strconv.Itoa(all), share(wrong, all), "", ""})
	if err := write(out, "shapes.csv", rows); err != nil {
		return err
	}
	if err := write(out, "baseline.csv", baselines(seeds)); err != nil {
		return err
	}
	if err := write(out, "long.csv", long(seeds)); err != nil {
		return err
	}
	if err := write(out, "pairs.csv", farPairs(seeds)); err != nil {
		return err
	}
	constant := tallies[slices.IndexFunc(tallies, func(t tally) bool { return t.shape.name == "constant" })]
	curves := compared(seeds, map[string]float64{allShapes: rate, constantShape: float64(constant.wrong) / float64(constant.series)})
	rows = [][]string{{"false_alarms_by", "method", "size", "false_alarm_before", "found_within_9", "median_delay", "mean_delay", "mean_delay_95"}}
	for _, c := range curves {
		rows = append(rows, []string{c.calibration, c.method, strconv.FormatFloat(c.size, 'g', -1, 64), number(c.early), number(c.found), number(c.median), number(c.mean), number(c.half)})
	}
	if err := write(out, "delay.csv", rows); err != nil {
		return err
	}
	return drawFiles(curves, filepath.Join(out, "delay"))
}

// baselines are how often a step is found soon enough, by its size and the runs before it.
func baselines(seeds int) [][]string {
	type steps struct {
		size float64
		at   int
	}
	var all []steps
	for _, size := range []float64{2, 10} {
		for _, at := range []int{10, 13, 20, 30, 40, 50, 60, 70, 80, 90} {
			all = append(all, steps{size, at})
		}
	}
	rows := [][]string{{"size", "runs_before", "series", "found_within_9", "found_within_8", "found_within_3", "false_alarm_before"}}
	return append(rows, inParallel(all, func(_ int, s steps) []string {
		early, soon := 0, map[int]int{}
		for _, values := range stepped(s.size, s.at, 2*seeds) {
			switch found := detected(values[:min(runs, s.at+within+1)]); {
			case found < 0:
			case found < s.at:
				early++
			default:
				for delay := found - s.at; delay <= within; delay++ {
					soon[delay]++
				}
			}
		}
		n := 2*seeds - early
		return []string{strconv.FormatFloat(s.size, 'g', -1, 64), strconv.Itoa(s.at), strconv.Itoa(2 * seeds), share(soon[within], n), share(soon[within-1], n), share(soon[3], n), share(early, 2*seeds)}
	})...)
}

// long is how often a constant series has its first false alarm in each hundred runs.
func long(seeds int) [][]string {
	const hundreds = 5
	counts := inParallel(make([]int, seeds), func(seed, _ int) int {
		g := generator(2000, seed)
		values := make([]changepoint.Value, hundreds*runs)
		for i := range values {
			values[i].X = g.NormFloat64()
		}
		return detected(values)
	})
	rows := [][]string{{"runs", "series", "first_false_alarm"}}
	for h := range hundreds {
		n := 0
		for _, at := range counts {
			if at >= h*runs && at < (h+1)*runs {
				n++
			}
		}
		rows = append(rows, []string{fmt.Sprintf("%d to %d", h*runs+1, (h+1)*runs), strconv.Itoa(seeds), share(n, seeds)})
	}
	return rows
}

// farPairs are how often pairs of outliers are false alarms, by their distance.
func farPairs(seeds int) [][]string {
	rows := [][]string{{"distance", "series", "false_alarm"}}
	return append(rows, inParallel([]float64{6, 8, 9, 10, 12, 15}, func(_ int, distance float64) []string {
		wrong := 0
		for seed := range seeds {
			if detected(pairs(pairsEach, distance)(generator(3000, seed))) >= 0 {
				wrong++
			}
		}
		return []string{strconv.FormatFloat(distance, 'g', -1, 64), strconv.Itoa(seeds), share(wrong, seeds)}
	})...)
}

// What the peers' thresholds are calibrated by.
const (
	allShapes     = "all shapes without a change"
	constantShape = "normal noise alone"
)

// sizes are those of the curves' steps.
var sizes = []float64{0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 10}

// compared are the curves of bench history and of its peers, whose thresholds are set to
// the same share of false alarms in series without a change.
func compared(seeds int, rates map[string]float64) (curves []curve) {
	type task struct {
		calibration string
		peer        *peer
	}
	var tasks []task
	for _, calibration := range []string{allShapes, constantShape} {
		tasks = append(tasks, task{calibration, nil})
		for _, p := range peers() {
			tasks = append(tasks, task{calibration, &p})
		}
	}
	for _, list := range inParallel(tasks, func(_ int, t task) (list []curve) {
		name, find := "bench history", detected
		if t.peer != nil {
			threshold := t.peer.threshold(t.calibration, rates[t.calibration], seeds)
			name = t.peer.name
			find = func(values []changepoint.Value) int {
				return slices.IndexFunc(t.peer.path(numbers(values)), func(x float64) bool { return x > threshold })
			}
		}
		for _, size := range sizes {
			list = append(list, delays(name, t.calibration, size, stepped(size, steppedAt, seeds), find))
		}
		return list
	}) {
		curves = append(curves, list...)
	}
	return curves
}

// threshold is the one that a share of the series without a change is beyond.
func (p peer) threshold(calibration string, rate float64, seeds int) float64 {
	var largest []float64
	for i, s := range shapes() {
		if s.at != nil || s.noise || calibration == constantShape && s.name != "constant" {
			continue
		}
		for seed := range seeds {
			path := p.path(numbers(s.make(generator(i, seed))))
			largest = append(largest, slices.Max(path))
		}
	}
	return beyond(largest, rate)
}

// inParallel is f of each element.
func inParallel[T, R any](list []T, f func(i int, x T) R) []R {
	results := make([]R, len(list))
	var wait sync.WaitGroup
	turns := make(chan struct{}, 2)
	for i, x := range list {
		wait.Go(func() {
			turns <- struct{}{}
			results[i] = f(i, x)
			<-turns
		})
	}
	wait.Wait()
	return results
}

func share(n, of int) string { return number(float64(n) / float64(of)) }

func number(x float64) string {
	if math.IsInf(x, 0) {
		return ""
	}
	return strconv.FormatFloat(math.Round(x*1e4)/1e4, 'g', -1, 64)
}

func write(dir, name string, rows [][]string) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	w := csv.NewWriter(f)
	if err := w.WriteAll(rows); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
