package plots

import (
	"bytes"
	"cmp"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/compare"
	"example.org/bench/framework/pareto"
	"example.org/bench/framework/record"
	"example.org/bench/plots/picture"
)

var update = flag.Bool("update", false, "draw the figures in testdata anew")

// kinds are one figure of each kind, and those of inputs that are hard to draw: one
// point, 200 points, 14 versions, long names, values over many decades, missing ones.
func kinds(t *testing.T) map[string]figure {
	t.Helper()
	all := map[string]figure{}
	cases := runs()
	pick := func(name string, from []figure, as string) {
		for _, f := range from {
			if f.name == name {
				all[as] = f
				return
			}
		}
		t.Fatalf("%s: no figure %s", as, name)
	}
	for as, of := range map[string][2]string{
		"time": {"sweep", "time"}, "throughput-with-ceiling": {"sweep", "throughput"}, "power": {"sweep", "power"},
		"bars": {"single", "time"}, "one-point": {"one", "time"}, "hundreds-of-points": {"hundreds", "time"},
		"many-versions": {"many", "time"}, "decades": {"huge", "time"}, "missing-and-doubtful": {"gaps", "time"}, "missing-energies": {"gaps", "energy"},
		"overview": {"sweep", "overview"}, "overview-of-missing-energies": {"gaps", "overview"}, "operations-per-joule": {"sweep", "flops_per_joule"},
		"roofline": {"sweep", "roofline"}, "peer-speed": {"sweep", "peer_speed"}, "ceiling-share": {"sweep", "ceiling_share"}, "roofline-of-long-names": {"names", "roofline"},
	} {
		pick(of[1], figures(cases[of[0]]), as)
	}
	all["time-and-energy-of-a-run"] = energies(picture.NewSweep(cases["many"]), cases["many"])[0]

	rates, dir := rateRun(), t.TempDir()
	if err := record.Write(dir, rates); err != nil {
		t.Fatal(err)
	}
	read, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	over, err := figuresIn(read, dir)
	if err != nil {
		t.Fatal(err)
	}
	pick("energy", over, "energy-over-rate")
	pick("latency_p99", over, "latency-over-rate")
	pick("latency", over, "latency-distribution")

	for as, c := range map[string]*compare.Comparison{
		"comparison":          compared(t, []int64{1000, 2000, 4000}, 1.5),
		"comparison-relative": compared(t, []int64{1, 100, 1000000}, 1.5),
		"comparison-wide":     compared(t, []int64{1, 100, 1000000}, 40),
	} {
		all[as] = groupFigure(picture.Compared(c)[0])
		if as == "comparison" {
			all["time-and-energy"] = timeEnergyFigure("compare_time_energy", picture.ComparedEnergies(c))
		}
	}
	boards := picture.Compared(boardsCompared(t))
	all["operations-per-joule-of-boards"], all["bytes-per-joule-of-boards"] = groupFigure(boards[0]), groupFigure(boards[1])
	x, err := compare.TurnsOf([]float64{0.998, 1.001, 1.003, 0.999}, []float64{1.049, 1.052, 1.051, 1.047}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	turns := inTurns("stockham", "stockham-shared-memory", x, []int64{1024})
	for i := range turns.Rows {
		turns.Rows[i].Point = "N 1024, batch_elements 262144"
	}
	all["turns"] = Turns(turns)[0]
	var curve picture.Curve
	for i := range 200 {
		curve.Median = append(curve.Median, 1-0.8*math.Exp(-float64(i)/20))
		curve.Low = append(curve.Low, 1-0.95*math.Exp(-float64(i)/60))
	}
	curve.Name = "best"
	all["convergence"] = Converging(picture.NewConvergence("convergence", "a space", []picture.Curve{curve}))[0]
	frontOf := func(e picture.TimeEnergy, front pareto.Set) figure {
		e.Title, e.Note, e.FrontName, e.Fronts = e.Name+": time and energy of one run", cmp.Or(e.Note, "a space"), "front of the space", []picture.Front{{Points: front}}
		e.Scale()
		return Fronts([]*picture.TimeEnergy{&e})[0]
	}
	var line pareto.Set
	front := picture.TimeEnergy{Name: "a-kernel-of-a-very-long-name_version_batch_elements_67108864-NVIDIA_H100_80GB_HBM3", Note: "first search of each strategy"}
	for i := range 200 { // over nine decades
		x := math.Pow(10, -6+float64(i)*9/200)
		front.Others = append(front.Others, pareto.Point{X: x, Y: 1e-3 / math.Sqrt(x) * (1 + float64(i%7)/5)})
	}
	for _, o := range front.Others {
		line.Add(o)
	}
	for i := range 12 {
		front.Marked = append(front.Marked, picture.Marked{Name: strings.Repeat("strategy ", 1+i%3) + string(rune('a'+i)), Style: i, Points: line[2*i : 2*i+3]})
	}
	all["front"] = frontOf(picture.TimeEnergy{Name: "gemm", Others: []pareto.Point{{X: 1.1e-3, Y: 0.22}, {X: 1.5e-3, Y: 0.16}, {X: 1, Y: 9}},
		Marked: []picture.Marked{{Name: "best", Points: []pareto.Point{{X: 1e-3, Y: 0.2}}}, {Name: "random", Style: 1}}}, pareto.Set{{X: 1e-3, Y: 0.2}, {X: 1.2e-3, Y: 0.15}})
	all["front-of-many"] = frontOf(front, line)
	all["front-of-one-point"] = frontOf(picture.TimeEnergy{Name: "gemm"}, pareto.Set{{X: 1e-3, Y: 0.2}})
	none, absent := math.NaN(), math.Inf(1)
	all["heat-map"] = figure{"heatmap", page{title: "heat map", content: newHeat(picture.HeatMap{Name: "v", X: "P", Y: "L", XValues: []float64{8, 2, 4}, YValues: []float64{64, 32},
		Objective: "time", Cost: [][]float64{{2, absent, none}, {1, none, 8}}}.Cells())}}

	all["history"] = History(recordedCourse(stepped).Check(10))[0]
	sampled := cases["sweep"]
	spread, err := record.ReadSamples("", sampled)
	if err != nil {
		t.Fatal(err)
	}
	pick("samples", samplesFigure(sampled, spread), "samples")

	all["stages"], all["stages-of-many"] = stageFigures(stagedRun())[0], stageFigures(manyStages())[0]

	trace, samples := tracedRun()
	s := picture.NewSweep(trace)
	all["power-trace"] = figure{"trace", page{title: "power readings", note: traceNote(s, &trace.Rows[0]), content: newTrace(trace, &trace.Rows[0], samples)}}
	return all
}

// TestGoldens: each kind of figure is as in testdata, where somebody looked at it; after
// a change that is meant, make golden draws them anew, and they are looked at again.
func TestGoldens(t *testing.T) {
	for name, f := range kinds(t) {
		for _, m := range []Medium{Screen, Paper} {
			path := filepath.Join("testdata", name+".svg")
			if m.print {
				path = filepath.Join("testdata", m.Name, name+".svg")
			}
			var drawn bytes.Buffer
			if _, err := (rendered{f, "svg", m}).WriteTo(&drawn); err != nil {
				t.Fatal(err)
			}
			if *update {
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, drawn.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(drawn.Bytes(), want) {
				t.Errorf("%s is drawn otherwise; if that is meant: go test ./plots -run Goldens -update, and look at it", path)
			}
			if png := os.Getenv("BENCH_PLOTS"); png != "" { // to look at them
				if err := os.MkdirAll(png, 0o755); err != nil {
					t.Fatal(err)
				}
				var picture bytes.Buffer
				if _, err := (rendered{f, "png", m}).WriteTo(&picture); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(png, strings.ReplaceAll(strings.TrimPrefix(path, "testdata/"), "/", "-")+".png"), picture.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
