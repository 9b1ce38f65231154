package figures

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"example.org/bench/test/published"
)

func literatureTables() []table {
	return []table{{"algorithms/fft/README.md", "results/h200-tune-fft-large", func(t *testing.T, c, _ []string) []any {
		sizes, by := largeFFT(t)
		i := slices.Index(sizes, c[0])
		if i < 0 {
			t.Fatalf("N = %s was not searched", c[0])
		}
		defaults := 0.0
		for _, x := range search(t, "h200-tune-fft-large") {
			if size(x) == c[0] {
				defaults = 1e6 * x.Final.Default.Value
			}
		}
		return []any{nil, defaults, defaults * by[1][i] / by[0][i], defaults * by[2][i] / by[0][i], by[0][i] / by[3][i]}
	}}, {"algorithms/fft/README.md", "(`results/h200-multi-defaults`", func(t *testing.T, c, _ []string) []any {
		choice := func(n, s1, p1, s2, p2, b string) []string {
			return []string{"N=" + n, "S1=" + s1, "P1=" + p1, "S2=" + s2, "P2=" + p2, "B=" + b}
		}
		n := c[0]
		before := choice(n, "8192", "16", "8192", "16", "2")
		now := choice(n, "4096", "16", "4096", "16", "2")
		switch n {
		case "131072", "262144":
			now = choice(n, "8192", "32", "8192", "32", "2")
		case "2097152":
			before, now = choice(n, "16384", "64", "16384", "64", "1"), choice(n, "8192", "64", "16384", "32", "1")
		case "4194304":
			before, now = choice(n, "16384", "64", "16384", "64", "1"), choice(n, "8192", "64", "16384", "64", "1")
		}
		cells := []any{nil}
		for _, elements := range []string{"16777216", "67108864"} {
			for _, x := range [][]string{before, now} {
				if n == "262144" {
					x = append(x, "N1=512")
				}
				cells = append(cells, one(t, "h200-multi-defaults", append(x, "batch_elements="+elements)...).us())
			}
		}
		return cells
	}}}
}

// literatureSentences are those of the comparison with the sources that have figures, but for the study of embedded GPUs.
func literatureSentences() []sentence {
	const page = literaturePage
	large := func(t *testing.T) (list []float64) {
		_, by := largeFFT(t)
		for _, x := range by {
			list = append(list, harmonic(x))
		}
		return list
	}
	return []sentence{
		{page, "evaluations agree in size (# of # for the FFT)", func(t *testing.T) []float64 {
			_, n := phi(t, "fft", "bo")
			return []float64{float64(n), float64(len(run(t, "h200-tuning/fft-exhaustive")))}
		}},
		{page, "on an H# # evaluations a size", func(t *testing.T) []float64 {
			return []float64{200, float64(len(run(t, "h200-tune-fft-large"))) / float64(len(search(t, "h200-tune-fft-large")))}
		}},
		{page, "Φ of the searches # to # here, # to # there; of the guideline, made for embedded GPUs, # to # here, # to # there", func(t *testing.T) []float64 {
			return join2(phis(t, "best", "bo"), []float64{0.98, 1}, phis(t, "analytical"), []float64{0.97, 1})
		}},
		{page, "search #, Bayesian search with the source's stop rule #, our defaults #, guideline #", func(t *testing.T) []float64 {
			x := large(t)
			return []float64{x[1], x[2], x[0], x[3]}
		}},
		{"algorithms/fft/README.md", "is # for the defaults, which were made by hand, # for `best` after # evaluations in all, # for `bo` after # with", func(t *testing.T) []float64 {
			x := large(t)
			return []float64{x[0], x[1], float64(len(run(t, "h200-tune-fft-large"))), x[2], float64(len(run(t, "h200-tune-fft-large-bo")))}
		}},
		{page, "ours # to # times as fast here, with fewer kernels. Several kernels are ahead of cuFFT from N = # on; one launch with barriers is # to # % slower", func(t *testing.T) []float64 {
			multi := by(t, "h200-fft-literature", "version=multi", "version=cufft", "N")
			sizes := run(t, "h200-fft-literature", "version=multi")
			ahead := len(sizes)
			for ahead > 0 && multi[ahead-1] > 1 {
				ahead--
			}
			slower := ends(by(t, "h200-fft-literature", "version=multi", "version=cooperative", "N"))
			return join2(ends(by(t, "h200-fft-peers", fft, "version=cufft", "N", "8192", all)), []float64{sizes[ahead].Num("N"), 100 * (slower[0] - 1), 100 * (slower[1] - 1)})
		}},
		{"algorithms/fft/README.md", "# % of the copy ceiling down to # %. `stockham` gains by one pass up to #^#; from #^# on\n  it has two too. The two are equal within # % up to #^#; beyond, `multi` takes # to # % longer", func(t *testing.T) []float64 {
			multi := run(t, "h200-fft-literature", "version=multi")
			low, high := over(func(r Row) float64 { return r.Num("copy_share") }, multi)
			ratio := by(t, "h200-fft-literature", "version=stockham", "version=multi", "N")
			equal := slices.IndexFunc(ratio, func(x float64) bool { return x < 1.005 })
			beyond := equal + slices.IndexFunc(ratio[equal:], func(x float64) bool { return x > 1.01 })
			apart, longer := 0.0, ends(ratio[beyond:])
			for _, x := range ratio[equal:beyond] {
				apart = max(apart, math.Abs(x-1))
			}
			exponent := func(i int) float64 { return math.Log2(multi[i].Num("N")) }
			return []float64{100 * high, 100 * low, 2, exponent(equal - 1), 2, exponent(equal), 100 * apart, 2, exponent(beyond - 1), 100 * (longer[0] - 1), 100 * (longer[1] - 1)}
		}},
		{"algorithms/fft/README.md", "is ahead of cuFFT from N = # on, by # to # %; cuFFT needs # to # % more energy there", func(t *testing.T) []float64 {
			var sizes, times, energies []float64
			for _, r := range run(t, "h200-fft-literature", "version=multi") {
				cufft := one(t, "h200-fft-literature", "version=cufft", "N="+r["N"])
				if cufft.us() > r.us() {
					sizes, times, energies = append(sizes, r.Num("N")), append(times, 100*(cufft.us()/r.us()-1)), append(energies, 100*(cufft.mJ()/r.mJ()-1))
				}
			}
			return join2([]float64{sizes[0]}, ends(times), ends(energies))
		}},
		{"algorithms/fft/README.md", "takes # to # % longer than `multi` and needs # % less to # % more energy", func(t *testing.T) []float64 {
			var times, energies []float64
			for _, r := range run(t, "h200-fft-literature", "version=multi") {
				cooperative := one(t, "h200-fft-literature", "version=cooperative", "N="+r["N"])
				times, energies = append(times, 100*(cooperative.us()/r.us()-1)), append(energies, 100*(cooperative.mJ()/r.mJ()-1))
			}
			more := ends(energies)
			return join2(ends(times), []float64{-more[0], more[1]})
		}},
		{"algorithms/fft/README.md", "compute capability #; # to # % slower than `multi`", func(t *testing.T) []float64 {
			slower := ends(by(t, "h200-fft-literature", "version=multi", "version=cooperative", "N"))
			return []float64{6, 100 * (slower[0] - 1), 100 * (slower[1] - 1)}
		}},
		{"algorithms/fft/README.md", "`best` begins with the defaults of then and is # to # % faster than they are", func(t *testing.T) []float64 {
			var gains []float64
			for _, x := range search(t, "h200-tune-fft-large") {
				gains = append(gains, 100*(x.Final.Default.Value/x.Final.Best.Value-1))
			}
			return ends(gains)
		}},
		{"algorithms/qr/README.md", "in float# # (cuSOLVER) and\n# times (cuBLAS) for one matrix and # times for #", func(t *testing.T) []float64 {
			ratio := func(peer, batch string) float64 {
				return one(t, "h200-qr-batch-f64", "version="+peer, "param_batch="+batch).us() / one(t, "h200-qr-batch-f64", "version=registers", "param_batch="+batch).us()
			}
			return []float64{64, ratio("cusolver", "1"), ratio("cublas", "1"), ratio("cublas", "16384"), 16384}
		}},
		{"algorithms/qr/README.md", "in float# `tiles` misses it with # to # (# in the geometric mean with the #×# points)", func(t *testing.T) []float64 {
			var ratios []float64
			for _, r := range run(t, "h200-qr-f64", "version=cusolver") {
				ratios = append(ratios, r.us()/(1e6*final(t, "h200-tune-qr-f64", "n", r["n"])))
			}
			registers := func(peer, batch string) float64 {
				return one(t, "h200-qr-batch-f64", "version="+peer, "param_batch="+batch).us() / one(t, "h200-qr-batch-f64", "version=registers", "param_batch="+batch).us()
			}
			sum, all := 0.0, append([]float64{registers("cusolver", "1"), registers("cublas", "16384")}, ratios...)
			for _, x := range all {
				sum += math.Log(x)
			}
			return join2([]float64{64}, ends(ratios), []float64{math.Exp(sum / float64(len(all))), 64, 64})
		}},
		{"docs/measuring.md", "reads # to # % longer, copies # to # % and writes at most # %", func(t *testing.T) []float64 {
			longer := func(version string) (list []float64) {
				for _, r := range run(t, "h200-flush/clean", "version="+version) {
					list = append(list, 100*(one(t, "h200-flush/dirty", "version="+version, "MB="+r["MB"]).us()/r.us()-1))
				}
				return ends(list)
			}
			return join2(longer("read"), longer("copy"), longer("write")[1:])
		}},
		{page, "no block is good everywhere, as there; the best reaches # %, there less than # %", func(t *testing.T) []float64 {
			return []float64{100 * study(t, "h200", "least.csv")[0].Num("least"), 30}
		}},
		{page, "on the H#: # %", func(t *testing.T) []float64 {
			return []float64{100, 100 * study(t, "h100", "least.csv")[0].Num("least")}
		}},
		{page, "the H#'s best reach # and more on the H#, there # to #", func(t *testing.T) []float64 {
			low, _ := over(func(r Row) float64 { return r.Num("fraction") }, Where(study(t, "h200", "transfer.csv"), "gpu=H100"))
			return []float64{100, low, 200, 0.47, 0.99}
		}},
		{page, "no: # and more, there # to #, for the same reason", func(t *testing.T) []float64 {
			low, _ := over(func(r Row) float64 { return r.Num("fraction") }, Where(study(t, "h100", "transfer.csv"), "gpu=H200"))
			return []float64{low, 0.45, 0.99}
		}},
		{page, "on the H# the forest reaches Standard # with # samples, # % (there # %), random search Standard # with #, # % (there # %)", func(t *testing.T) []float64 {
			at := func(standard, model string) float64 {
				return Where(study(t, "h100", "samples.csv"), "benchmark=syr2k standard="+standard)[0].Num(model)
			}
			rf, random := at("2", "rf"), at("1", "random")
			return []float64{100, 2, rf, 100 * rf / 7262, 1.2, 1, random, 100 * random / 7262, 1}
		}},
		{page, "on the H#: the best model saves # % and more in # of #, there in most", func(t *testing.T) []float64 { return []float64{200, 40, saves(t, "h200", "1"), 11} }},
		{page, "to Standard #, V# | the same | `h#-iterml-whole`, `tuning-iterml` | on the H#: # % and more in # of #", func(t *testing.T) []float64 {
			return []float64{2, 100, 200, 200, 40, saves(t, "h200", "2"), 11}
		}},
		{page, "to Standard #, P# | the same | `h#-iterml-whole` | on the H#: # % and more in # of #", func(t *testing.T) []float64 {
			return []float64{1, 100, 100, 100, 40, saves(t, "h100", "1"), 11}
		}},
		{page, "on the H#: in # of #; in `#mm`, # of # blocks are good, and no model reaches it with # samples", func(t *testing.T) []float64 {
			count, of := good(t, "h100", "3mm")
			return []float64{100, saves(t, "h100", "2"), 11, 3, count, of, 1238}
		}},
		{page, "no: m = # to # from #·#^# on (H#), there # to #, which keep # to # % here; one stream at # of the # N up to #^# (H#), above another number by # to # %", func(t *testing.T) []float64 {
			ms, keeps := kept(t, "rtx2080ti-partition", 2e5, "", "h200-tridiagonal-sizes/f64-small", "h200-tridiagonal-sizes/f64-large")
			k := ends(keeps)
			single, sizes, gain := streams(t)
			return join2(ends(ms), []float64{2, 10, 5, 200, 32, 64, 100 * k[0], 100 * k[1], single, sizes, 10, 7, 100}, gain)
		}},
		{page, "recursion takes # to # of the best time without it from #^# rows on, in float# # to # (H#); with the m_i that the source's rule gives # to #, float# # to #", func(t *testing.T) []float64 {
			_, f64 := recursive(t, "f64")
			_, f32 := recursive(t, "f32")
			rule64, _ := ruled(t, "rule-f64")
			rule32, _ := ruled(t, "rule-f32")
			return join2(ends(from(1e6, f64)), []float64{10, 6, 32}, ends(from(1e6, f32)), []float64{200}, ends(from(1e6, rule64)), []float64{32}, ends(from(1e6, rule32)))
		}},
		{page, "finds R for # of the sizes here, where the commonest is #", func(t *testing.T) []float64 {
			return predicted(t, "h200-tridiagonal-recursion/f64", "R")
		}},
		{"results/h200-tridiagonal-sizes/README.md", "finds m for # of the sizes on the H# in float# and # in float#, where always the commonest m finds # and #; R for # and # on the H# (# and #); the number of streams up to #^# rows for # (#)", func(t *testing.T) []float64 {
			a, b := predicted(t, "h100-tridiagonal-sizes", "m"), predicted(t, "h100-tridiagonal-sizes-f32", "m")
			r, s, n := predicted(t, "h200-tridiagonal-recursion/f64", "R"), predicted(t, "h200-tridiagonal-recursion/f32", "R"), predicted(t, "h100-tridiagonal-streams/small", "STREAMS")
			return []float64{a[0], 100, 64, b[0], 32, a[1], b[1], r[0], s[0], 200, r[1], s[1], 10, 6, n[0], n[1]}
		}},
		{"results/h200-tridiagonal-sizes/README.md", "in float# none at #^#, then one step at # of the # sizes up to #·#^#, and two to four at # of the # above", func(t *testing.T) []float64 {
			steps, _ := recursive(t, "f64")
			var one, upTo, more, above float64
			for n, r := range steps {
				switch {
				case n == 1e5 && r != 0:
					t.Errorf("R = %v is best at 10^5 rows", r)
				case n > 1e5 && n <= 4.8e6:
					if upTo++; r == 1 {
						one++
					}
				case n > 4.8e6:
					if above++; r >= 2 {
						more++
					}
				}
			}
			return []float64{64, 10, 5, one, upTo, 4.8, 10, 6, more, above}
		}},
		{"results/h200-tridiagonal-sizes/README.md", "So recursion takes # to # of the best time without it from #^# rows on in float#, # to # in float#, and at #^# rows # and #. No step is best at # of the # sizes in float#, one at #, two or more at #", func(t *testing.T) []float64 {
			f64, steps := ruled(t, "rule-f64")
			f32, _ := ruled(t, "rule-f32")
			return join2(ends(from(1e6, f64)), []float64{10, 6, 64}, ends(from(1e6, f32)), []float64{32, 10, 5, f64[1e5], f32[1e5], steps[0], float64(len(f64)), 64, steps[1], steps[2]})
		}},
		{page, "nothing is lost from #·#^# rows on", func(t *testing.T) []float64 {
			first := 0.0 // the least N from which both devices want the same m
			for n, r := range bests(t, "h100-tridiagonal-sizes") {
				if r["m"] != bests(t, "h200-tridiagonal-sizes/f64-small", "h200-tridiagonal-sizes/f64-large")[n]["m"] {
					first = max(first, n)
				}
			}
			next := math.Inf(1)
			for n := range bests(t, "h100-tridiagonal-sizes") {
				if n > first {
					next = min(next, n)
				}
			}
			return []float64{next / 1e6, 10, 6}
		}},
		{page, "# % up to #^# rows, # to # % of # to # % from #^# on", func(t *testing.T) []float64 {
			var small, large []float64
			rows, err := Table(filepath.Join(published.Path(root, "h100-tridiagonal-occupancy"), "tridiagonal-partition_kernel_counters.csv.gz"))
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				x := r.Num("value")
				if run(t, "h100-tridiagonal-occupancy")[int(r.Num("point"))].Num("N") <= 1e5 {
					small = append(small, x)
				} else {
					large = append(large, x)
				}
			}
			s, l := ends(small), ends(large)
			if math.Round(s[0]) != math.Round(s[1]) && s[1]-s[0] > 1 {
				t.Errorf("up to 10^5 rows %.3g to %.3g %%", s[0], s[1])
			}
			return []float64{(s[0] + s[1]) / 2, 10, 5, l[0], l[1], 25, 38, 10, 6}
		}},
		{page, "The # Ti's m keep # to # % (H#) and # to # % (H#) from #·#^# on", func(t *testing.T) []float64 {
			_, b := kept(t, "rtx2080ti-partition", 2e5, "", "h200-tridiagonal-sizes/f64-small", "h200-tridiagonal-sizes/f64-large")
			_, a := kept(t, "rtx2080ti-partition", 2e5, "", "h100-tridiagonal-sizes")
			x, y := ends(b), ends(a)
			return []float64{2080, 100 * x[0], 100 * x[1], 200, 100 * y[0], 100 * y[1], 100, 2, 10, 5}
		}},
		{page, "no: # to # from #·#^# on, there # to #, which keep # to # % here", func(t *testing.T) []float64 {
			ms, keeps := kept(t, "rtx2080ti-partition-f32", 2e5, "h200-tridiagonal-sizes/f32-mended", "h200-tridiagonal-sizes/f32", "h200-tridiagonal-sizes/f32-large")
			k := ends(keeps)
			return join2(ends(ms), []float64{2, 10, 5, 32, 64, 100 * k[0], 100 * k[1]})
		}},
	}
}
