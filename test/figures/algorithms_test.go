package figures

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/internal/textfile"
	"example.org/bench/test/published"
)

// nums are the numbers in a text.
func nums(text string) (list []float64) {
	for _, n := range number.FindAllString(text, -1) {
		x, err := strconv.ParseFloat(n, 64)
		if err != nil {
			panic(err)
		}
		list = append(list, x)
	}
	return list
}

// tunables are the named columns of a point.
func (r Row) tunables(names ...string) (list []float64) {
	for _, n := range names {
		list = append(list, r.Num(n))
	}
	return list
}

func coldHot(r Row) []float64 { return []float64{r.us(), r.hot()} }

// elements is the condition of as many elements as a row's N and number of problems make.
func elements(c []string) string {
	return fmt.Sprintf("batch_elements=%.0f", nums(c[0])[0]*nums(c[1])[0])
}

// mean is the geometric mean.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

func tables() []table {
	list := append(algorithmTables(), smallTables()...)
	return slices.Concat(list, resultsTables(), studyTables(), literatureTables(), launchTables(), rateTables())
}

func smallTables() []table {
	const page = "results/small.md"
	return []table{
		{page, "results/h200-latency-fft-1024", func(t *testing.T, c, _ []string) []any {
			of := func(version string) Row {
				return one(t, "h200-latency-fft-"+c[0], "version="+version, elements(c))
			}
			ours, cufft := of("stockham"), of("cufft")
			return []any{nil, nil, coldHot(ours), coldHot(cufft), cufft.us() / ours.us()}
		}},
		{page, "results/h200-latency-scan-4096", func(t *testing.T, c, _ []string) []any {
			values := []any{nil, nil}
			for i, version := range []string{"lf", "lookback", "cub", "cub_bykey"} {
				if c[i+2] == "" {
					values = append(values, nil)
					continue
				}
				values = append(values, coldHot(one(t, "h200-latency-scan-"+c[0], "version="+version, elements(c))))
			}
			return values
		}},
		{page, "results/h200-latency-tridiagonal", func(t *testing.T, c, _ []string) []any {
			values := []any{nil, nil}
			for i, version := range []string{"pcr", "wm", "cusparse_strided", "cusparse_nopivot"} {
				switch {
				case c[i+2] == "":
					values = append(values, nil)
				case i < 2:
					values = append(values, coldHot(one(t, "h200-latency-tridiagonal", "version="+version, "N="+c[0], "param_batch="+c[1])))
				default:
					values = append(values, one(t, "h200-latency-tridiagonal", "version="+version, "N="+c[0], "param_batch="+c[1]).us())
				}
			}
			return values
		}},
		{page, "results/h200-latency-qr", func(t *testing.T, c, _ []string) []any {
			of := func(version string) Row { return one(t, "h200-latency-qr", "version="+version, "param_batch="+c[0]) }
			return []any{nil, coldHot(of("registers")), coldHot(of("tiles")), of("cusolver").us(), of("cublas").us()}
		}},
		{page, "results/h200-latency-bicubic", func(t *testing.T, c, _ []string) []any {
			of := func(version string) []float64 {
				return coldHot(one(t, "h200-latency-bicubic", "version="+version, fmt.Sprint("rows=", nums(c[0])[0]), fmt.Sprint("cols=", nums(c[0])[1])))
			}
			return []any{nil, of("v5"), of("npp")}
		}},
	}
}

func algorithmTables() []table {
	return []table{
		{"algorithms/bicubic/README.md", "results/h200-bicubic/", func(t *testing.T, c, _ []string) []any {
			version, _, _ := strings.Cut(c[0], ",")
			r := one(t, "h200-bicubic", "version="+version, "basis=hermite")
			values := []any{nil, r.ms(), r.Num("gbyte_per_s"), 100 * r.Num("copy_share"), nil}
			if c[4] != "" {
				values[4] = one(t, "h200-bicubic", "version="+version, "basis=bspline").ms()
			}
			return values
		}},
		{"algorithms/fft/README.md", "results/h100-fft-peers/full-cache", func(t *testing.T, c, _ []string) []any {
			ours, cufft := one(t, "h200-fft-peers", "version=stockham", "N="+c[0]), one(t, "h200-fft-peers", "version=cufft", "N="+c[0])
			h100 := one(t, "h100-fft-peers/full-cache", "version=cufft", "N="+c[0]).us() / one(t, "h100-fft-peers/full-cache", "version=stockham", "N="+c[0]).us()
			return []any{nil, nil, ours.tunables("S", "P", "L", "r"), ours.ms(), cufft.ms(), cufft.us() / ours.us(), h100}
		}},
		{"algorithms/fft/README.md", "results/h200-fft-peers-f64", func(t *testing.T, c, _ []string) []any {
			ours, cufft := one(t, "h200-fft-peers-f64", "version=stockham", "N="+c[0]), one(t, "h200-fft-peers-f64", "version=cufft", "N="+c[0])
			return []any{nil, ours.tunables("S", "P", "L", "r"), ours.ms(), cufft.ms(), cufft.us() / ours.us(), cufft.mJ() / ours.mJ()}
		}},
		{"algorithms/fft/README.md", "results/h200-fft-literature`", func(t *testing.T, c, _ []string) []any {
			values := []any{nil}
			for _, column := range []func(Row) float64{Row.us, Row.mJ} {
				for _, version := range []string{"stockham", "multi", "cooperative", "cufft"} {
					values = append(values, column(one(t, "h200-fft-literature", "version="+version, "N="+c[0])))
				}
			}
			return values
		}},
		{"algorithms/pattern/README.md", "results/h200-pattern/", func(t *testing.T, c, _ []string) []any {
			values := []any{nil}
			for _, version := range []string{"v1", "v2", "v3", "v4", "v5"} {
				values = append(values, one(t, "h200-pattern", "version="+version, "K="+c[0]).us())
			}
			return append(values, one(t, "h200-pattern", "version=v5", "K="+c[0]).hot())
		}},
		{"algorithms/qr/README.md", "results/h200-qr-batch-f64", func(t *testing.T, c, _ []string) []any {
			values := []any{nil}
			for i, name := range []string{"h200-qr-batch", "h200-qr-batch", "h200-qr-batch-f64", "h200-qr-batch-f64"} {
				var figures []float64
				for _, version := range strings.Split(strings.ToLower(strings.TrimSuffix(c[0], ", no Q")), ", ") {
					if older, ok := map[string]string{"tiles": "v9", "registers": "v10"}[version]; ok && i < 2 && len(run(t, name, "version="+version)) == 0 {
						version = older // what it was called then
					}
					r := run(t, name, "version="+version, "param_batch="+[]string{"1", "16384"}[i%2])
					if len(r) == 1 {
						figures = append(figures, []float64{r[0].us(), r[0].ms()}[i%2])
					}
				}
				if c[i+1] == "" {
					values = append(values, nil)
				} else {
					values = append(values, figures)
				}
			}
			return values
		}},
		{"algorithms/qr/README.md", "results/h200-qr`", func(t *testing.T, c, _ []string) []any {
			tiles := "v9" // what it was called then
			if len(run(t, "h200-qr", "version="+tiles)) == 0 {
				tiles = "tiles"
			}
			of := func(version string) float64 { return one(t, "h200-qr", "version="+version, "n="+c[0]).ms() }
			f64 := func(version string) float64 { return one(t, "h200-qr-f64", "version="+version, "n="+c[0]).ms() }
			best := 1e3 * final(t, "h200-tune-qr-f64", "n", c[0])
			return []any{nil, of("v3"), of(tiles), of("cusolver"), of("cusolver") / of(tiles), f64("v3"), best, f64("cusolver"), f64("cusolver") / best}
		}},
		{"algorithms/scan/README.md", "results/h200-scan-peers-f64", func(t *testing.T, c, _ []string) []any {
			values := []any{nil}
			for _, name := range []string{"h200-scan-peers", "h200-scan-peers-f64"} {
				lookback := one(t, name, "version=lookback", "N="+c[0])
				if lf := run(t, name, "version=lf", "N="+c[0]); len(lf) == 1 {
					values = append(values, lf[0].ms(), 100*lf[0].Num("copy_share"), lf[0].tunables("P", "L"))
				} else {
					values = append(values, nil, 100*lookback.Num("copy_share"), nil)
				}
				values = append(values, lookback.ms())
			}
			return values
		}},
		{"algorithms/tridiagonal/README.md", "**Contiguous, float32**", func(t *testing.T, c, _ []string) []any {
			values, peer, times := strided(t, "h200-tridiagonal-peers", c[0])
			return append(values, []float64{peer / times[0], peer / times[1]})
		}},
		{"algorithms/tridiagonal/README.md", "**Interleaved, float32**", func(t *testing.T, c, _ []string) []any {
			ours, peer := interleaved(t, "h200-tridiagonal-peers", c[0])
			return []any{nil, ours.ms(), ours.tunables("P", "G", "CLUSTER"), 100 * ours.Num("copy_share"), peer.ms(), peer.us() / ours.us()}
		}},
		{"algorithms/tridiagonal/README.md", "**float64**, 2^26 rows", func(t *testing.T, c, _ []string) []any {
			values, peer, times := strided(t, "h200-tridiagonal-peers-f64", c[0])
			ours, other := interleaved(t, "h200-tridiagonal-peers-f64", c[0])
			return append(values, peer/times[0], ours.ms(), ours.tunables("P", "G", "CLUSTER", "AHEAD"), other.ms(), other.us()/ours.us())
		}},
		{"algorithms/tridiagonal/README.md", "**One system, float64**", func(t *testing.T, c, _ []string) []any {
			n, err := strconv.ParseFloat(c[0], 64)
			if err != nil {
				t.Fatal(err)
			}
			of := func(version string) Row {
				return one(t, "h200-tridiagonal-large", "version="+version, fmt.Sprintf("N=%.0f", n))
			}
			ours := of("partition")
			return []any{nil, ours.us(), ours.hot(), ours.tunables("m", "P"), of("cusparse_nopivot").us(), of("cusparse_nopivot").us() / ours.us(), of("cusparse").us(), nil}
		}},
		{"algorithms/tridiagonal/README.md", "results/epyc-tridiagonal", func(t *testing.T, c, head []string) []any {
			values := []any{nil}
			for i := range head[1:] {
				precision, n := []string{"f32", "f64"}[i/4], []string{"64", "256", "1024", "4096"}[i%4]
				of := func(version string) float64 {
					return one(t, "epyc-tridiagonal", "version="+version, "precision="+precision, "N="+n).ms()
				}
				if above, below, ok := strings.Cut(c[0], " / "); ok {
					values = append(values, of(above)/of(below))
				} else {
					values = append(values, of(c[0]))
				}
			}
			return values
		}},
	}
}

// final returns the seconds of the best point of a search's task, measured again at its end.
func final(t *testing.T, name, param, value string) float64 {
	t.Helper()
	text, err := textfile.Read(filepath.Join(published.Path(root, name), "tune.json"))
	if err != nil {
		t.Fatal(err)
	}
	var report struct {
		Tasks []struct {
			Params map[string]any
			Final  struct{ Best struct{ Value float64 } }
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		t.Fatal(err)
	}
	for _, x := range report.Tasks {
		if fmt.Sprint(x.Params[param]) == value {
			return x.Final.Best.Value
		}
	}
	t.Fatalf("%s has no task of %s = %s", name, param, value)
	return 0
}

// strided returns the cells of cr, pcr, lf, wm and gtsv2StridedBatch in ms, the last's time and the least
// and the greatest of ours.
func strided(t *testing.T, name, n string) (cells []any, peer float64, times [2]float64) {
	t.Helper()
	cells, times = []any{nil}, [2]float64{math.Inf(1), 0}
	for _, version := range []string{"cr", "pcr", "lf", "wm"} {
		ms := one(t, name, "layout=contiguous", "version="+version, "N="+n).ms()
		cells, times = append(cells, ms), [2]float64{min(times[0], ms), max(times[1], ms)}
	}
	peer = one(t, name, "version=cusparse_strided", "N="+n).ms()
	return append(cells, peer), peer, times
}

// interleaved returns thomas, and the fastest algorithm of gtsvInterleavedBatch.
func interleaved(t *testing.T, name, n string) (ours, peer Row) {
	t.Helper()
	return one(t, name, "version=thomas", "layout=interleaved", "N="+n), least(t, "time_s", name, "version=cusparse_interleaved", "N="+n)
}

// unpublished are the tables whose figures no published run holds, and why.
var unpublished = map[string]map[string]string{
	"docs/cpu-arm64.md":                        {"first-level cache, our loops take": "results/neon-model has them as a table, written by lab/neon-model"},
	"docs/decisions.md":                        {"What was decided, why": "words; figures stand on the pages that it refers to"},
	"docs/measuring.md":                        {"## What the tool itself takes": "measured by make overhead, not kept"},
	"docs/plots.md":                            {"draws into `mine/paper`": "sizes of figures"},
	"algorithms/bicubic/README.md":             {"results/h200-counts/bicubic.txt": "counts a point, of the text of verify --counts; test/literature holds them"},
	"algorithms/fft/README.md":                 {"## Ceilings": "by hand", "is loaded meanwhile": "a model's steps", "again, with rotations": "a model's steps"},
	"algorithms/qr/README.md":                  {"in the simulator": "errors, not kept"},
	"algorithms/tridiagonal/README.md":         {"At least five values": "by hand"},
	"results/README.md":                        {"## Folders": "commands"},
	"results/h200-tridiagonal-sizes/README.md": {"searches keep of the optimum": "replays of searches, not kept"},
}
