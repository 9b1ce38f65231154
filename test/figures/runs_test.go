package figures

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"example.org/bench/internal/textfile"
	"example.org/bench/test/published"
)

const graphPage = "results/h200-graph-qr/README.md"

// launched are the times by stream and by graph.
func launched(of func(Row) float64, rows func(launch string) Row) []float64 {
	return []float64{of(rows("stream")), of(rows("graph"))}
}

// graphRows are the points of a row of the table of launches, such as QR v1, 256 × 16.
func graphRows(t *testing.T, c []string) (kernels, answers func(launch string) Row) {
	what, size, _ := strings.Cut(c[0], ", ")
	name, version, found := strings.Cut(what, " ")
	condition := strings.ReplaceAll(size, "N = ", "N=")
	if sides := strings.Split(size, " × "); len(sides) == 2 {
		condition = "m=" + sides[0] + " n=" + sides[1]
	}
	run := "h200-graph-" + strings.ToLower(name)
	if !found { // the peer
		run, version = "h200-graph-fft", strings.ToLower(name)
	}
	of := func(timed string) func(string) Row {
		return func(launch string) Row {
			return one(t, run, "version="+version, condition, "timed="+timed, "launch="+launch)
		}
	}
	return of("kernel"), of("answer")
}

func launchTables() []table {
	return []table{{graphPage, "by stream and by graph:", func(t *testing.T, c, _ []string) []any {
		kernels, answers := graphRows(t, c)
		return []any{nil, nil, launched(Row.us, kernels), launched(Row.hot, kernels), launched(Row.us, answers)}
	}}, {"results/h200-opencl/README.md", "**Tridiagonal systems**, with kernels of half the barriers", interfaces}}
}

// deviation is the standard deviation by the mean.
func deviation(list []float64) float64 {
	mean, deviation := stat.MeanStdDev(list, nil)
	return deviation / mean
}

// copied is the ceiling of copying of a run's device, in bytes a second.
func copied(t *testing.T, name string) float64 {
	t.Helper()
	text, err := textfile.Read(filepath.Join(published.Path(root, name), "run.json"))
	if err != nil {
		t.Fatal(err)
	}
	var of struct {
		Devices []struct {
			Ceilings struct {
				Copy float64 `json:"copy_B_per_s"`
			}
		}
	}
	if err := json.Unmarshal(text, &of); err != nil {
		t.Fatal(err)
	}
	return of.Devices[0].Ceilings.Copy
}

// runSentences are those of runs that are no algorithm's and no source's.
func runSentences() []sentence {
	energies := func(t *testing.T, of func(Row) float64) (list []float64) {
		for i := range 5 {
			list = append(list, of(one(t, fmt.Sprint("h200-energy/", i+1))))
		}
		return list
	}
	share := func(t *testing.T, chain bool, timed string, of func(Row) float64, by func(graph, stream float64) float64) []float64 {
		var list []float64
		p, err := Open(graphPage)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range p.Lines[p.Table("by stream and by graph:")+2:] {
			if !strings.HasPrefix(line, "|") {
				break
			}
			c := trimmed(Cells(line))
			if (nums(c[1])[0] > 3) != chain {
				continue
			}
			kernels, answers := graphRows(t, c)
			if timed == "answer" {
				kernels = answers
			}
			list = append(list, by(of(kernels("graph")), of(kernels("stream"))))
		}
		return ends(list)
	}
	ratio := func(graph, stream float64) float64 { return graph / stream }
	less := func(graph, stream float64) float64 { return stream - graph }
	more := func(graph, stream float64) float64 { return graph - stream }
	graphs := func(t *testing.T, with bool) []float64 {
		all := append([]float64{32, 128}, share(t, true, "answer", Row.us, ratio)...)
		if with {
			all = append(all, share(t, true, "kernel", Row.us, ratio)...)
		}
		return append(all, share(t, false, "kernel", Row.us, less)...)
	}
	hot := func(t *testing.T) []float64 {
		all := append(share(t, true, "kernel", Row.hot, more), share(t, false, "kernel", Row.hot, more)...)
		return ends(all)
	}
	strided := func(t *testing.T, version, n, columns string) float64 {
		return one(t, "h200-strided", "version="+version, "N="+n, "COLUMNS="+columns).us()
	}
	sizes := []string{"128", "256", "512", "1024", "2048", "4096"}
	return []sentence{
		{resultsPage, "FFT of N = #): #, #, #, # and # mJ, each ± # to # (# %): a standard deviation of # %. Integrated power is within # % of the energy counter each time. Idle power is # to # W", func(t *testing.T) []float64 {
			e := energies(t, Row.mJ)
			half := ends(energies(t, func(r Row) float64 { return 1e3 * r.Num("energy_uncertainty_J") }))
			off := energies(t, func(r Row) float64 { return 100 * math.Abs(r.Num("energy_counter_J")/r.Num("energy_integral_J")-1) })
			return join2([]float64{4096}, e, half, []float64{95, 100 * deviation(e), ends(off)[1]}, ends(energies(t, func(r Row) float64 { return r.Num("idle_power_W") })))
		}},
		{graphPage, "A chain of # to # short kernels has its answer in # to # of the time as a graph, and its kernels alone take # to #: with cold caches each kernel's start is on the way. Of two or three kernels a graph saves # to # µs", func(t *testing.T) []float64 {
			return graphs(t, true)
		}},
		{graphPage, "a graph a run costs # to # µs more for each", hot},
		{"docs/rates.md", "a chain of # to # short kernels has its answer in # to # of the time as a graph; of two or three kernels it saves # to # µs", func(t *testing.T) []float64 {
			return graphs(t, false)
		}},
		{"docs/rates.md", "Back to back a graph a run costs # to # µs more", hot},
		{"algorithms/tridiagonal/README.md", "take # µs at N = #, # at #, # at # (# %), # at #; in the order of memory #. So # % is the most at N = #. With # systems side by side they take # to # % less", func(t *testing.T) []float64 {
			of := func(n string) float64 { return strided(t, "together", n, "32") }
			var order, fewer []float64
			for _, n := range sizes {
				order, fewer = append(order, strided(t, "in_order", n, "32")), append(fewer, 100*(1-strided(t, "together", n, "64")/of(n)))
			}
			copy := 5 * 4 * math.Exp2(25) / copied(t, "h200-strided") * 1e6
			return join2([]float64{of("128"), 128, of("512"), 512, of("1024"), 1024, 100 * copy / of("1024"), of("2048"), 2048, ends(order)[0], 100 * copy / of("1024"), 1024, 64}, ends(fewer))
		}},
	}
}

// interfaces is the table of tridiagonal systems through CUDA and through OpenCL.
func interfaces(t *testing.T, c, _ []string) []any {
	rows, err := Table(filepath.Join(root, "results/h200-opencl/tridiagonal.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if strings.HasPrefix(r["problem"], "N="+c[0]+" ") {
			return []any{nil, 1e6 * r.Num("cuda_s"), 1e6 * r.Num("opencl_s"), r.Num("cuda_s") / r.Num("opencl_s")}
		}
	}
	t.Fatalf("no N = %s", c[0])
	return nil
}
