package figures

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.org/bench/framework/stats"
)

const resultsPage, embeddedPage, literaturePage = "results/README.md", "results/literature/embedded.md", "results/literature/README.md"

// inTurns are the medians of bench ab of a and b over its repeats, in microseconds, and the mean ratio of
// a's to b's.
func inTurns(t *testing.T, name, problem string) (a, b, ratio float64) {
	t.Helper()
	var all []Row
	if err := join(&all, root+"/results/"+name+"/ab.csv"); err != nil {
		t.Fatal(err)
	}
	var as, bs, ratios []float64
	for _, r := range all {
		if r["problem"] == problem && r["kind"] == "trial" {
			as, bs, ratios = append(as, 1e6*r.Num("median_a_s")), append(bs, 1e6*r.Num("median_b_s")), append(ratios, 1/r.Num("ratio"))
		}
	}
	return stats.Median(as), stats.Median(bs), mean(ratios)
}

func resultsTables() []table {
	return []table{
		{resultsPage, "FFTW 3.3.10 planned by FFTW_MEASURE", func(t *testing.T, c, head []string) []any {
			values := []any{nil}
			for _, n := range head[1:] {
				fftw, ours, ratio := inTurns(t, "epyc-fft-ab", "fft N "+n)
				values = append(values, map[string]float64{"ours (µs)": ours, "FFTW (µs)": fftw, "FFTW's time / ours": ratio}[c[0]])
			}
			return values
		}},
		{resultsPage, "**FFT against cuFFT, 2^26", func(t *testing.T, c, _ []string) []any {
			ours, cufft := one(t, "h200-fft-peers", "version=stockham", "N="+c[0]), one(t, "h200-fft-peers", "version=cufft", "N="+c[0])
			return []any{nil, ours.us(), cufft.us(), cufft.us() / ours.us(), 100 * ours.Num("copy_share")}
		}},
		{"results/h200-flush/README.md", "Cold times on one H200", func(t *testing.T, c, head []string) []any {
			version, flush, _ := strings.Cut(c[0], ", ")
			values := []any{nil}
			for _, size := range head[1:] {
				at := []string{"version=" + version, "MB=" + strings.TrimSuffix(size, " MB")}
				clean, this := one(t, "h200-flush/clean", at...).us(), one(t, "h200-flush/"+flush, at...).us()
				if flush == "clean" {
					values = append(values, clean)
				} else {
					values = append(values, []float64{this, 100 * (this/clean - 1)})
				}
			}
			return values
		}},
		{resultsPage, "### Energy against the peers", energyCells()},
		{resultsPage, "#### Without the copies", withoutCopies},
	}
}

// sweep are the points of one comparison in h100-peers: ours, the peer's, and the column of sizes.
type sweep struct{ run, ours, peer, axis string }

// pairs returns ours and the fastest of the peer at each size of the sweep at which both are.
func (s sweep) pairs(t *testing.T) (sizes []string, ours, peer map[string]Row) {
	t.Helper()
	ours, peer = map[string]Row{}, map[string]Row{}
	for _, r := range run(t, "h100-peers/"+s.run, s.ours) {
		ours[r[s.axis]] = r
	}
	for _, r := range run(t, "h100-peers/"+s.run, s.peer) {
		if _, both := ours[r[s.axis]]; !both {
			continue
		}
		if before, is := peer[r[s.axis]]; !is || r.us() < before.us() {
			if !is {
				sizes = append(sizes, r[s.axis])
			}
			peer[r[s.axis]] = r
		}
	}
	return sizes, ours, peer
}

// energyCells follows the rows downwards: a row's first cell, where it has one, or the beginning of its
// second says what the rows from there on compare.
func energyCells() func(*testing.T, []string, []string) []any {
	at := sweep{}
	set := []struct {
		first, second string
		to            sweep
	}{
		{"FFT, 2^26", "", sweep{"fft-peers", "version=stockham", "version=cufft", "N"}},
		{"scan, 2^26", "", sweep{"scan-peers", "version=ks", "version=cub_bykey", "N"}},
		{"", "N = 4096, lf", sweep{"scan-peers", "version=lf", "version=cub_bykey", "N"}},
		{"", "one of 2^26, lookback", sweep{"scan-peers", "version=lookback", "version=cub", "N"}},
		{"", "one of 2^28", sweep{"scan-single", "version=lookback type=f32", "version=cub type=f32", "N"}},
		{"tridiagonal, 2^26 rows", "", sweep{"tridiagonal-peers", "version=wm layout=contiguous", "version=cusparse_strided", "N"}},
		{"", "interleaved, N = 64", sweep{"tridiagonal-peers", "version=thomas layout=interleaved", "version=cusparse_interleaved", "N"}},
		{"one system, FP64", "", sweep{"tridiagonal-large", "version=partition", "version=cusparse_nopivot", "N"}},
		{"bicubic, Hermite", "", sweep{"bicubic-peers", "version=v5 basis=hermite", "version=npp", "rows"}},
		{"QR, 1024 × n", "", sweep{"qr-peers", "version=tiles", "version=cusolver", "n"}},
		{"QR, 64 × 64", "", sweep{"qr-batch-peers", "version=registers", "version=cusolver", "param_batch"}},
		{"", "16384, against cuBLAS", sweep{"qr-batch-peers", "version=registers", "version=cublas", "param_batch"}},
		{"patterns", "", sweep{"pattern-peers", "version=v5", "version=v4", "K"}},
	}
	return func(t *testing.T, c, _ []string) []any {
		for _, s := range set {
			if s.first != "" && s.first == c[0] || s.first == "" && strings.HasPrefix(c[1], s.second) {
				at = s.to
			}
		}
		size := strings.NewReplacer("one of 2^26", "67108864", "one of 2^28", "268435456", "2·10^6", "2000000", "5·10^7", "50000000", "10^5", "100000",
			"10,000", "10000", "100,000", "100000", "1000,", "1000", "N = ", "", "n = ", "", "interleaved, ", "").Replace(c[1])
		size, _, _ = strings.Cut(strings.TrimPrefix(size, "one, "), ",")
		size, _, _ = strings.Cut(size, " ")
		if strings.HasPrefix(c[1], "one, registers") {
			size = "1"
		}
		sizes, ours, peer := at.pairs(t)
		a, b := ours[size], peer[size]
		if a == nil || b == nil {
			t.Fatalf("%s: no point of size %q for %q", at.run, size, c[1])
		}
		var ratios []float64
		low, high := math.Inf(1), 0.0
		for _, n := range sizes {
			r := peer[n].mJ() / ours[n].mJ()
			ratios, low, high = append(ratios, r), min(low, r), max(high, r)
		}
		values := []any{nil, nil, a.us(), b.us(), a.mJ(), b.mJ(), b.mJ() / a.mJ(), nil}
		if strings.Contains(c[7], "mean") && !strings.HasPrefix(c[0], "scan") {
			values[7] = []float64{float64(len(sizes)), low, high, mean(ratios)}
		}
		return values
	}
}

// withoutCopies are the energies of a row's first cell.
func withoutCopies(t *testing.T, c, _ []string) []any {
	set := []struct{ name, run, ours, peer string }{
		{"tridiagonal, N = 64", "tridiagonal-peers", "version=pcr N=64", "version=cusparse_strided N=64"},
		{"N = 4096", "tridiagonal-peers", "version=pcr N=4096", "version=cusparse_strided N=4096"},
		{"interleaved, N = 64", "tridiagonal-peers", "version=thomas N=64", "version=cusparse_interleaved N=64"},
		{"interleaved, N = 4096", "tridiagonal-peers", "version=thomas N=4096", "version=cusparse_interleaved N=4096"},
		{"one system", "tridiagonal-large", "version=partition", "version=cusparse_nopivot"},
		{"QR, 1024", "qr-peers", "version=tiles", "version=cusolver"},
		{"QR, 64", "qr-batch-peers", "version=registers param_batch=1", "version=cusolver param_batch=1"},
		{"16384", "qr-batch-peers", "version=registers param_batch=16384", "version=cublas param_batch=16384"},
	}
	for _, s := range set {
		if !strings.HasPrefix(c[0], s.name) {
			continue
		}
		const in = "h200-peers-energy/"
		a, b := one(t, in+s.run, s.ours), least(t, "energy_J", in+s.run, s.peer)
		share := func(r Row) float64 { return r.Num("energy_uncertainty_J") / r.Num("energy_J") }
		ratio, copies := b.mJ()/a.mJ(), 1e3*b.Num("restoring_energy_J")
		return []any{nil, a.mJ(), b.mJ(), copies, []float64{ratio, ratio * math.Hypot(share(a), share(b))}, (b.mJ() + copies) / a.mJ()}
	}
	t.Fatalf("no energies are known for %q", c[0])
	return nil
}

// studyTables are those of the study of embedded GPUs.
func studyTables() []table {
	of := func(t *testing.T, name string, conditions ...string) func(version string) Row {
		return func(version string) Row { return one(t, name, append(conditions, "version="+version)...) }
	}
	rows := func(t *testing.T, at func(string) Row, what string, versions ...string) []any {
		values := []any{}
		for _, v := range versions {
			r := at(v)
			executed, moved := r.Num("flops"), r.Num("load_bytes")+r.Num("store_bytes")
			values = append(values, map[string]float64{"executed, GFLOP/s": executed / r.us() / 1e3, "loads and stores, GB/s": moved / r.us() / 1e3, "time, µs": r.us(), "back to back, µs": r.hot(), "power, W": r.Num("power_W"), "W": r.Num("power_W"),
				"energy, mJ": r.mJ(), "mJ": r.mJ(), "J": r.mJ() / 1e3, "ms": r.ms(), "GFLOP/J": r.Num("gflop_per_s_per_W")}[what])
		}
		return values
	}
	at := "" // the size of the row above, where a row has none
	basis := "hermite"
	return append([]table{
		{embeddedPage, "## Pattern matching, K = 10000", func(t *testing.T, c, _ []string) []any {
			version, _, _ := strings.Cut(c[0], ",")
			r := of(t, "h200-pattern-literature", "K=10000")(version)
			return []any{nil, r.us(), r.Num("gflop_per_s"), r.Num("power_W"), r.mJ(), r.Num("gflop_per_s_per_W"), r.Num("flops") / r.us() / 1e3, r.Num("flops") / r.mJ() / 1e6}
		}},
		{embeddedPage, "## QR, 1024 rows", func(t *testing.T, c, _ []string) []any {
			if c[0] != "" {
				at = c[0]
			}
			return append([]any{nil}, rows(t, of(t, "h200-qr-literature", "n="+at), c[4], "v1", "v2", "v3")...)
		}},
		{embeddedPage, "## QR of 64 × 64", func(t *testing.T, c, head []string) []any {
			return append([]any{nil}, rows(t, of(t, "h200-qr-literature-64"), c[0], head[1:]...)...)
		}},
		{embeddedPage, "## Bicubic interpolation by rows", func(t *testing.T, c, head []string) []any {
			if c[0] != "" {
				if at, basis = c[0], "hermite"; strings.HasPrefix(at, "B-spline, ") {
					at, basis = strings.TrimPrefix(at, "B-spline, "), "bspline"
				}
			}
			return append([]any{nil, nil}, rows(t, of(t, "h200-bicubic-literature", "rows="+at, "basis="+basis), c[1], head[2:]...)...)
		}},
		{embeddedPage, "## Bicubic interpolation by the column's factor", func(t *testing.T, c, _ []string) []any {
			if c[0] != "" {
				at = c[0]
			}
			values := append([]any{nil, nil}, rows(t, of(t, "h200-bicubic-factor", "column_factor="+at), c[1], "v1", "v2", "v3", "v4", "v5")...)
			return append(values, rows(t, of(t, "h200-bicubic-factor-bspline", "column_factor="+at), c[1], "v1", "v2", "v5")...)
		}},
	}, partitionTables()...)
}

func partitionTables() []table {
	const page = "results/h200-tridiagonal-sizes/README.md"
	sized := func(t *testing.T, names []string, conditions ...string) (rows []Row) {
		for _, n := range names {
			rows = append(rows, run(t, n, conditions...)...)
		}
		return rows
	}
	best := func(rows []Row) Row {
		least := rows[0]
		for _, r := range rows {
			if r.us() < least.us() {
				least = r
			}
		}
		return least
	}
	recursion := func(name string) func(*testing.T, []string, []string) []any {
		return func(t *testing.T, c, _ []string) []any {
			var steps []Row
			for r := range 5 {
				steps = append(steps, best(run(t, name, "N="+c[0], fmt.Sprint("R=", r))))
			}
			with := best(steps[1:])
			values := []any{nil, []float64{steps[0].us(), steps[0].Num("m")}, []float64{steps[1].us(), steps[1].Num("m"), steps[1].Num("m1")}}
			for _, r := range steps[2:] {
				values = append(values, []float64{r.us(), r.Num("m")})
			}
			values = append(values, best(steps)["R"], with.us()/steps[0].us(), nil, nil)
			if c[8] != "" {
				var same []Row
				for _, r := range run(t, name, "N="+c[0], "m="+steps[0]["m"]) {
					if r["R"] != "0" {
						same = append(same, r)
					}
				}
				values[8] = best(same).us() / steps[0].us()
			}
			return values
		}
	}
	h200 := []string{"h200-tridiagonal-sizes/f64-small", "h200-tridiagonal-sizes/f64-large"}
	h100 := []string{"h100-tridiagonal-sizes"}
	return []table{
		{page, "optimum that the source's m keeps here:", func(t *testing.T, c, head []string) []any {
			rows := sized(t, h200, "N="+c[0], "STREAMS=1")
			values := []any{nil}
			for _, h := range head[1:7] {
				values = append(values, best(Where(rows, "m="+strings.TrimPrefix(h, "m = "))).us())
			}
			all, there := best(rows), best(Where(rows, "m="+c[8]))
			values = append(values, all.Num("m"), nil, all.us()/there.us())
			if c[10] == "" {
				return append(values, nil, nil, nil)
			}
			single := sized(t, []string{"h200-tridiagonal-sizes/f32"}, "N="+c[0])
			return append(values, best(single).Num("m"), nil, best(single).us()/best(Where(single, "m="+c[11])).us())
		}},
		{page, "what it keeps of the optimum on the other:", func(t *testing.T, c, head []string) []any {
			a, b := sized(t, h100, "N="+c[0]), sized(t, h200, "N="+c[0], "STREAMS=1")
			values := []any{nil}
			for _, h := range head[1:6] {
				values = append(values, best(Where(a, "m="+strings.TrimPrefix(h, "m = "))).us())
			}
			onA, onB := best(a), best(b)
			keeps := func(rows []Row, m string) float64 { return best(rows).us() / best(Where(rows, "m="+m)).us() }
			return append(values, onA.Num("m"), onB.Num("m"), keeps(a, onB["m"]), keeps(b, onA["m"]), nil, keeps(a, c[10]))
		}},
		{page, "float64 on an H200:", recursion("h200-tridiagonal-recursion/f64")},
		{page, "float32 on an H200:", recursion("h200-tridiagonal-recursion/f32")},
		{page, "`-f32`), the best with it takes:", func(t *testing.T, c, _ []string) []any {
			values := []any{nil}
			for precision, all := range []string{"h100-tridiagonal-sizes", "h100-tridiagonal-sizes-f32"} {
				none := best(run(t, all, "N="+c[0]))
				var with []Row
				for _, r := range run(t, "h100-tridiagonal-recursion/"+[]string{"f64", "f32"}[precision], "N="+c[0]) {
					if r["R"] != "0" {
						with = append(with, r)
					}
				}
				values = append(values, []float64{none.us(), none.Num("m")}, best(with).us(), best(with)["R"], best(with).us()/none.us())
			}
			return values
		}},
		{page, "all 3996 points of the 37 sizes", func(t *testing.T, c, head []string) []any {
			values := []any{nil}
			for _, h := range head[1:] {
				r := best(sized(t, []string{"h100-tridiagonal-streams/small", "h100-tridiagonal-streams/middle", "h100-tridiagonal-streams/large-0", "h100-tridiagonal-streams/large-1"},
					"N="+c[0], fmt.Sprintf("STREAMS=%.0f", nums(h)[0])))
				values = append(values, []float64{r.us(), r.Num("m")})
			}
			return values
		}},
	}
}
