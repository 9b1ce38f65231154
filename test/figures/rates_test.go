package figures

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/test/published"
)

const ratePage = "results/h200-rate-qr/README.md"

// units are what a second or a joule is in a cell's unit.
var units = map[string]float64{"µs": 1e6, "ms": 1e3, "mJ": 1e3, "J": 1}

// inUnit is a figure in the unit that its cell ends with, nil of an empty cell.
func inUnit(t *testing.T, cell string, of float64) any {
	t.Helper()
	if cell == "" {
		return nil
	}
	unit := units[cell[strings.LastIndex(cell, " ")+1:]]
	if unit == 0 {
		t.Fatalf("%q has no unit", cell)
	}
	return unit * of
}

// atRate returns the cells of a row of latencies; point returns that of a row's first cell and rate.
func atRate(point func(t *testing.T, what, rate string) Row) func(*testing.T, []string, []string) []any {
	what := ""
	return func(t *testing.T, c, _ []string) []any {
		if c[0] != "" {
			what, _, _ = strings.Cut(c[0], ", 4 transforms")
		}
		values, rate := []any{nil, nil}, c[1]
		if strings.HasPrefix(rate, "highest") {
			rate = "max"
		}
		r := point(t, what, rate)
		if rate == "max" {
			values[1] = r.Num("release_hz")
		}
		for i, column := range []string{"latency_p50_s", "latency_p99_s", "latency_p999_s", "latency_worst_s", "energy_J"} {
			values = append(values, inUnit(t, c[2+i], r.Num(column)))
		}
		return values
	}
}

func rateTables() []table {
	return []table{
		{ratePage, "One of two H200s", atRate(func(t *testing.T, what, rate string) Row {
			at := map[string][]string{
				"empty kernel, spinning, 10^6 releases": {"h200-rate-empty-spin"}, "QR 64 × 64": {"h200-rate-qr"}, "pattern matching, 3000": {"h200-rate-pattern"},
				"FFT 1024": {"h200-rate-fft", "N=1024"}, "FFT 4096": {"h200-rate-fft", "N=4096"}, "FFT 4096, memory of the device": {"h200-rate-memory", "memory=device"},
				"mapped": {"h200-rate-memory", "memory=mapped"}, "managed": {"h200-rate-memory", "memory=managed"},
			}[what]
			if at == nil {
				t.Fatalf("no run is known for %q", what)
			}
			return one(t, at[0], append(at[1:], "rate_hz="+rate)...)
		})},
		{ratePage, "whose wake-ups came up to", atRate(func(t *testing.T, what, rate string) Row {
			return one(t, "h100-rate-fft-10-1000", strings.Replace(what, "FFT ", "N=", 1), "rate_hz="+rate)
		})},
		{ratePage, "from input to answer: QR of 64 matrices", answers()},
	}
}

// answers follows the rows downwards: a row's first cell, where it has one, is the memory from there on.
func answers() func(*testing.T, []string, []string) []any {
	memory := ""
	return func(t *testing.T, c, _ []string) []any {
		if c[0] != "" {
			memory = c[0]
		}
		host := c[1]
		if host == "" {
			host = "pageable" // the default, where nothing is copied
		}
		values := []any{nil, nil}
		for i, of := range []struct{ version, timed, column string }{
			{"v8", "kernel", "time_s"}, {"registers", "kernel", "time_s"}, {"v8", "answer", "time_s"}, {"registers", "answer", "time_s"}, {"registers", "kernel", "energy_J"}, {"registers", "answer", "energy_J"},
		} {
			if c[2+i] == "" {
				values = append(values, nil)
				continue
			}
			cell, _, spread := strings.Cut(c[2+i], " ± ")
			r := one(t, "h100-rate-answer", "version="+of.version, "timed="+of.timed, "memory="+memory, "host="+host)
			value := inUnit(t, cell, r.Num(of.column))
			if spread {
				value = []float64{value.(float64), 100 * r.half()}
			}
			values = append(values, value)
		}
		return values
	}
}

// copiedQR are the times from input to answer of the two versions with arrays that are copied.
func copiedQR(t *testing.T, memory, host string) [2]float64 {
	of := func(version string) float64 {
		return one(t, "h100-rate-answer", "timed=answer", "version="+version, "memory="+memory, "host="+host).us()
	}
	return [2]float64{of("v8"), of("registers")}
}

// highest are the rates that held, and the lowest that did not.
func highest(t *testing.T, column string) []float64 {
	return []float64{one(t, "h200-rate-qr", "rate_hz=max").Num(column), one(t, "h200-rate-fft", "N=1024").Num(column), one(t, "h200-rate-fft", "N=4096").Num(column)}
}

// notFound are the seconds of the search that found no rate for pattern matching, and the lowest rate that did not hold.
func notFound(t *testing.T) (list []float64) {
	rows, err := Table(filepath.Join(published.Path(root, "h200-rate-pattern"), "pattern_rate.csv"))
	if err != nil {
		t.Fatal(err)
	}
	failed := Where(rows, "rate_hz=max status=failed")
	if len(failed) != 1 {
		t.Fatalf("%d failed points", len(failed))
	}
	var seconds, hz float64
	if _, err := fmt.Sscanf(failed[0]["reason"], "no rate was found that meets its deadlines in %g s: at %g Hz too many were missed;", &seconds, &hz); err != nil {
		t.Fatal(failed[0]["reason"], err)
	}
	return []float64{seconds, hz}
}

func rateSentences() []sentence {
	const docs = "docs/rates.md"
	empty := func(t *testing.T) Row { return one(t, "h200-rate-empty-spin") }
	qr := func(t *testing.T, rate string) Row { return one(t, "h200-rate-qr", "rate_hz="+rate) }
	kinds := func(t *testing.T) []Row { return run(t, "h200-rate-memory") }
	late := func(column string, rows []Row) float64 {
		_, most := over(func(r Row) float64 { return r.Num(column) }, rows)
		return most
	}
	pinned := func(t *testing.T) []float64 {
		slow, soon := copiedQR(t, "device", "pageable"), copiedQR(t, "device", "pinned")
		return []float64{slow[0] / soon[0], slow[1] / soon[1]}
	}
	return []sentence{
		{ratePage, "The GPU idles at # to # W with a context, so that a period's energy is that of idling as long, within # %", func(t *testing.T) []float64 {
			rows := slices.Concat(run(t, "h200-rate-qr"), run(t, "h200-rate-fft"), kinds(t), run(t, "h200-rate-pattern"))
			low, high := over(func(r Row) float64 { return r.Num("idle_power_W") }, rows)
			_, off := over(func(r Row) float64 {
				return 100 * math.Abs(r.Num("energy_J")/(r.Num("idle_power_W")*r.Num("run_time_s"))-1)
			}, rows)
			return []float64{low, high, math.Ceil(off)}
		}},
		{ratePage, "worst latency is a wake-up # ms late; a thousandth of its wake-ups are later than # µs, and # % of its releases miss the # µs that they have", func(t *testing.T) []float64 {
			r := empty(t)
			return []float64{1e3 * r.Num("wakeup_worst_s"), 1e6 * r.Num("wakeup_p999_s"), 100 * r.Num("miss_share"), 1e6 * r.Num("allowed_s")}
		}},
		{ratePage, "runs take # to # % of the period there, and FFT # kept # Hz in a series of its own. The lowest rates that did not hold are # Hz for QR, and # and # Hz for the FFTs", func(t *testing.T) []float64 {
			use := highest(t, "utilisation")
			alone := one(t, "h200-rate-memory", "memory=device", "misses=0")
			return join2([]float64{100 * slices.Min(use), 100 * slices.Max(use), 4096, alone.Num("release_hz")}, highest(t, "highest_high_hz"))
		}},
		{ratePage, "after # s of searching none had held in a whole series, and # Hz had missed a deadline", notFound},
		{ratePage, "Where QR's runs follow each other sooner, the median falls from # µs at # Hz to # at the highest rate", func(t *testing.T) []float64 {
			var medians []float64
			for _, rate := range []string{"10", "100", "1000", "max"} {
				medians = append(medians, -1e6*qr(t, rate).Num("latency_p50_s"))
			}
			if !slices.IsSorted(medians) {
				t.Errorf("the medians do not fall: %g", medians)
			}
			return []float64{-medians[0], 10, -medians[3]}
		}},
		{ratePage, "the FFTs' medians, # to # µs, are within each other's intervals; of `mapped` # of # releases missed their deadline", func(t *testing.T) []float64 {
			rows := kinds(t)
			low, high := over(func(r Row) float64 { return r.Num("latency_p50_s") }, rows)
			for _, r := range rows {
				if low < r.Num("latency_p50_low_s") || high > r.Num("latency_p50_high_s") {
					t.Errorf("%s: the medians, %g to %g, are not in its interval", r["memory"], low, high)
				}
			}
			mapped := one(t, "h200-rate-memory", "memory=mapped")
			return []float64{1e6 * low, 1e6 * high, mapped.Num("misses"), mapped.Num("releases")}
		}},
		{ratePage, "wake-ups came up to # ms late, idle at # W with a context, missed # and # % at # Hz", func(t *testing.T) []float64 {
			rows := run(t, "h100-rate-fft-10-1000")
			missed := func(n string) float64 {
				return 100 * one(t, "h100-rate-fft-10-1000", "rate_hz=1000", "N="+n).Num("miss_share")
			}
			return []float64{1e3 * late("wakeup_worst_s", rows), late("idle_power_W", rows), missed("1024"), missed("4096"), 1000}
		}},
		{ratePage, "pinned arrays give the answer # and # times as soon as pageable ones, the two kernels differ by # and these answers by #, and pages that move cost about # times as much as copies of pinned arrays", func(t *testing.T) []float64 {
			kernel := func(version string) float64 {
				return one(t, "h100-rate-answer", "timed=kernel", "memory=device", "host=pageable", "version="+version).us()
			}
			soon, moved := copiedQR(t, "device", "pinned"), copiedQR(t, "managed", "pageable")
			return join2(pinned(t), []float64{kernel("v8") / kernel("registers"), soon[0] / soon[1], mean([]float64{moved[0] / soon[0], moved[1] / soon[1]})})
		}},
		{ratePage, "FFTs of #^# elements take # to # ms from input to answer with pinned arrays whatever N and library, # to # GB/s both ways together, where the kernels alone take # to # ms", func(t *testing.T) []float64 {
			rows, alone := run(t, "h100-rate-fft-answer"), []float64{}
			for _, r := range rows {
				alone = append(alone, one(t, "h100-fft-peers/full-cache", "version="+r["version"], "N="+r["N"]).ms())
			}
			low, high := over(Row.ms, rows)
			moved := func(ms float64) float64 {
				return (rows[0].Num("copied_in_bytes") + rows[0].Num("copied_out_bytes")) / ms / 1e6
			}
			return join2([]float64{2, 26, low, high, moved(high), moved(low)}, ends(alone))
		}},
		{ratePage, "kernel and answer: N = # # and # µs, # # µs and # ms", func(t *testing.T) []float64 {
			of := func(timed, n string) Row { return one(t, "h100-rate-gemm", "timed="+timed, "N="+n) }
			return []float64{256, of("kernel", "256").us(), of("answer", "256").us(), 1024, of("kernel", "1024").us(), of("answer", "1024").ms()}
		}},
		{ratePage, "At a rate of # Hz one matrix of # × # has its answer after # µs in the median and # µs at p# by `registers`, after # and # µs by cuSOLVER, spinning, pinned; each period takes # mJ, the idle GPU's", func(t *testing.T) []float64 {
			of := func(version string) Row { return one(t, "h100-rate-qr-answer", "rate_hz=1000", "version="+version) }
			percentiles := func(r Row) []float64 {
				return []float64{1e6 * r.Num("latency_p50_s"), 1e6 * r.Num("latency_p999_s")}
			}
			ours, peer := percentiles(of("registers")), percentiles(of("cusolver"))
			return join2([]float64{1000, 64, 64}, ours, []float64{99.9}, peer, []float64{of("registers").mJ()})
		}},
		{ratePage, "the same matrix at # Hz takes # ms in the median alone, # beside a GPU that computes half of the time, # all of the time, # beside one that copies # GB/s", func(t *testing.T) []float64 {
			list := []float64{100}
			for _, beside := range []string{"none", "gpu:0.5", "gpu:1", "gpu_bandwidth_Bps:1e11"} {
				list = append(list, 1e3*one(t, "h100-rate-beside", "beside="+beside).Num("latency_p50_s"))
			}
			return append(list, 100)
		}},
		{docs, "at # Hz one of a hundred is later than # ms, one of a thousand than # ms", func(t *testing.T) []float64 {
			return []float64{1000, 1e3 * qr(t, "1000").Num("latency_p99_s"), 1e3 * qr(t, "1000").Num("latency_p999_s")}
		}},
		{docs, "QR of # × # holds # Hz without a miss. At # Hz its median is # µs, p# # µs and the worst # µs", func(t *testing.T) []float64 {
			r := qr(t, "1000")
			return []float64{64, 64, qr(t, "max").Num("release_hz"), 1000, 1e6 * r.Num("latency_p50_s"), 99, 1e6 * r.Num("latency_p99_s"), 1e6 * r.Num("latency_worst_s")}
		}},
		{docs, "FFTs kept # and # Hz, and for pattern matching # s of searching found none: at # Hz a deadline was missed", func(t *testing.T) []float64 {
			return append(highest(t, "release_hz")[1:], notFound(t)...)
		}},
		{docs, "pinned arrays give QR's answer # and # times as soon as pageable ones. Managed pages cost about # times as much as copies of pinned arrays", func(t *testing.T) []float64 {
			soon, moved := copiedQR(t, "device", "pinned"), copiedQR(t, "managed", "pageable")
			return join2(pinned(t), []float64{mean([]float64{moved[0] / soon[0], moved[1] / soon[1]})})
		}},
	}
}
