// Package literature holds published tables in the form of this project's
// runs. Its test writes them to results/literature with -update and otherwise
// checks that they are there, figure by figure.
package literature

import (
	"fmt"
	"strconv"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
)

// The publications, by title.
const (
	uppsala   = "O. Frisberg, G. Geirsson, V. Urpi Hedbjörk, Auto-testing efficiency of signal processing algorithms on embedded GPUs, Uppsala universitet 2019"
	tuning    = "A. P. Diéguez, M. Amor López, Performance Tuning for GPU-Embedded Systems: Machine-Learning-based and Analytical Model-driven Tuning Methodologies"
	partition = "M. Veneva, ML-Based Optimum Sub-system Size for the GPU Implementation of the Tridiagonal Partition Method"
)

// printedRun is a run and the folder that it goes to.
type printedRun struct {
	folder string
	run    *record.Run
}

// board is a machine that a publication measured on.
type board struct {
	name         string
	gpu          string
	major, minor int
	integrated   bool
}

var (
	tx1 = board{"NVIDIA Jetson TX1", "NVIDIA Tegra X1", 5, 3, true}
	tx2 = board{"NVIDIA Jetson TX2", "NVIDIA Tegra X2", 6, 2, true}
)

// card is a graphics card in a machine that the publication does not name.
func card(name string, major, minor int) board { return board{gpu: name, major: major, minor: minor} }

// all makes every run.
func all() []printedRun {
	list := powerModes()
	for i, b := range []board{tx1, tx2} {
		list = append(list, printedRun{fmt.Sprintf("tx%d-speedup", i+1), speedUps(b, i)})
	}
	for i, how := range []string{"analytical", "ml"} {
		list = append(list, printedRun{"tx1-bplg-" + how, averages(i)})
	}
	list = append(list, bicubic())
	list = append(list, partitions()...)
	return append(list, partitionsFP32(), recursions())
}

// newRun describes a published run; columns follow from the rows.
func newRun(source, prefix string, b board, rows []record.Row, params, tunables []string) *record.Run {
	r := &record.Run{Prefix: prefix, Rows: rows}
	r.Info.Source = source
	r.Info.Machine.Board = b.name
	r.Info.Machine.Architecture = map[bool]string{true: "arm64"}[b.integrated]
	devices := map[string]bool{}
	for i := range rows {
		rows[i].Point = i
		rows[i].Status = record.OK
		devices[rows[i].Device] = true
	}
	if devices["cpu"] {
		r.Info.Devices = append(r.Info.Devices, record.Device{ID: "cpu"})
	}
	r.Info.Devices = append(r.Info.Devices, record.Device{ID: "cuda:0", Facts: &gpu.Facts{
		Name: b.gpu, ComputeMajor: b.major, ComputeMinor: b.minor, Integrated: b.integrated,
	}})
	column := func(name string, values func(record.Row) framework.Settings) record.Column {
		kind := framework.Int
		for _, w := range rows {
			if v := values(w).Get(name); v.IsSet() {
				kind = v.Kind()
			}
		}
		return record.Column{Name: name, Column: name, Kind: kind.String()}
	}
	for _, name := range params {
		r.Columns.Params = append(r.Columns.Params, column(name, func(w record.Row) framework.Settings { return w.Params }))
	}
	for _, name := range tunables {
		r.Columns.Tunables = append(r.Columns.Tunables, column(name, func(w record.Row) framework.Settings { return w.Tunables }))
	}
	return r
}

func gpuRow(algorithm, version string) record.Row {
	return record.Row{Key: record.Key{Algorithm: algorithm, Version: version, Processor: framework.GPU, Device: "cuda:0"}}
}

// thousandth is the value nearest to the printed milliunits in base units:
// dividing could be off by a unit in the last place.
func thousandth(x float64) record.Number {
	base, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', -1, 64)+"e-3", 64)
	if err != nil {
		panic(err) // x has an exponent
	}
	return record.Measured(base)
}

// patterns are the problem of Tables 4 and 5 with K patterns.
func patterns(k int64) framework.Values {
	return framework.Values{"K": framework.IntValue(k), "N": framework.IntValue(32), "S": framework.IntValue(101), "G": framework.IntValue(50)}
}

var patternParams = []string{"K", "N", "S", "G"}

// table5 is "Power mode efficiency's on TX2 for v4, K = 5000" of uppsala, as
// printed: mode, ms, W, mJ.
var table5 = []struct {
	mode                        string
	milliseconds, W, millijoule float64
}{
	{"0", 7.55, 11.3, 85.3},
	{"1", 9.52, 7.0, 66.6},
	{"2", 8.18, 8.8, 72.0},
	{"3", 8.14, 9.3, 75.7},
	{"4", 8.24, 7.6, 62.6},
}

func powerModes() []printedRun {
	var list []printedRun
	for _, t := range table5 {
		w := gpuRow("pattern", "v4")
		w.PowerMode, w.Params = t.mode, framework.SettingsOf(patterns(5000), nil)
		w.Time.Median = thousandth(t.milliseconds)
		w.Power = record.RareOf(record.Power{Total: record.Measured(t.W)})
		w.Energy = record.RareOf(record.Energy{Total: thousandth(t.millijoule)})
		w.Verification.Notes = "Table 5; mean of 75 runs"
		r := newRun(uppsala, "pattern", tx2, []record.Row{w}, patternParams, nil)
		list = append(list, printedRun{"tx2-mode" + t.mode, r})
	}
	return list
}

// table4 is "Speedup for the GPU versions of pattern matching (v1-v4), compared
// to the single core CPU version (v0). Here K = 3000" of uppsala: TX1, TX2.
var table4 = []struct {
	version string
	speedUp [2]float64
}{
	{"v0", [2]float64{1.0, 1.0}},
	{"v1", [2]float64{8.8, 4.4}},
	{"v2", [2]float64{18.2, 9.4}},
	{"v3", [2]float64{22.2, 11.1}},
	{"v4", [2]float64{44.2, 23.2}},
}

func speedUps(b board, column int) *record.Run {
	var rows []record.Row
	for _, t := range table4 {
		w := gpuRow("pattern", t.version)
		if t.version == "v0" {
			w.Processor, w.Device = framework.CPU, "cpu"
		}
		w.Params = framework.SettingsOf(patterns(3000), nil)
		w.Time.Median = record.Measured(1 / t.speedUp[column])
		w.Verification.Notes = fmt.Sprintf("Table 4; published as a speed-up of %.1f; mean of %d runs", t.speedUp[column], []int{150, 75}[column])
		rows = append(rows, w)
	}
	r := newRun(uppsala, "pattern", b, rows, patternParams, nil)
	r.Info.RelativeTo = "v0"
	r.Info.Warnings = []string{"the source gives speed-ups only: time_s is in units of the time of v0 on the same board, not seconds"}
	return r
}

// table2 is Table II of tuning: averages over the problem sizes, with Φ, the
// mean efficiency by exhaustive search; analytical, by machine learning.
var table2 = []struct {
	algorithm, version string
	rate               [2]float64
	factor             float64 // of the published unit: 1e6 rows or data a second; 1e9: GFLOP/s
	phi                [2]float64
}{
	{"tridiagonal", "wm", [2]float64{670, 677}, 1e6, [2]float64{0.9895, 1}},
	{"tridiagonal", "cr", [2]float64{640, 635}, 1e6, [2]float64{0.9941, 0.9855}},
	{"tridiagonal", "pcr", [2]float64{547, 545}, 1e6, [2]float64{0.9985, 0.9941}},
	{"tridiagonal", "lf", [2]float64{668, 669}, 1e6, [2]float64{0.9951, 0.9968}},
	{"scan", "lf", [2]float64{18.27, 18.72}, 1e6, [2]float64{0.9699, 1}},
	{"scan", "ks", [2]float64{17.9, 17.63}, 1e6, [2]float64{1, 0.9819}},
	{"fft", "bplg", [2]float64{39, 39.09}, 1e9, [2]float64{0.9718, 0.9813}},
	{"fft", "bplg_large", [2]float64{57.28, 63.37}, 1e9, [2]float64{0.8739, 0.9761}},
}

func averages(column int) *record.Run {
	var rows []record.Row
	for _, t := range table2 {
		w := gpuRow(t.algorithm, t.version)
		if t.factor == 1e9 {
			w.Work.GFLOPPerS = record.Measured(t.rate[column])
		} else {
			w.Work.ItemsPerS = record.Measured(t.rate[column] * t.factor)
		}
		w.Params = framework.SettingsOf(framework.Values{"precision": framework.TextValue("f32")}, nil)
		w.Verification.Notes = fmt.Sprintf("Table II; average over the batched problem sizes, batch 2^26/N; Φ %g", t.phi[column])
		rows = append(rows, w)
	}
	return newRun(tuning, "bplg", tx1, rows, []string{"precision"}, nil)
}

// axisN is the sweep over the size of the system.
func axisN(rows []record.Row) []plan.Axis {
	sizes := map[int64]bool{}
	for _, w := range rows {
		sizes[w.Params.Get("N").Int()] = true
	}
	return []plan.Axis{{Name: "N", Unit: "", Geometric: true, Count: len(sizes)}}
}
