package figures

import (
	"math"
	"strconv"
	"testing"
)

// over returns the least and the greatest of a figure over points.
func over(of func(Row) float64, rows []Row) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, r := range rows {
		low, high = min(low, of(r)), max(high, of(r))
	}
	return low, high
}

// by returns the fastest peer's time by ours at each size of a run, in the order of ours.
func by(t *testing.T, name, ours, peer, axis string, ends ...string) (ratios []float64) {
	t.Helper()
	for _, r := range run(t, name, ours) {
		if len(ends) == 2 && (r.Num(axis) < nums(ends[0])[0] || r.Num(axis) > nums(ends[1])[0]) {
			continue
		}
		ratios = append(ratios, least(t, "time_s", name, peer, axis+"="+r[axis]).us()/r.us())
	}
	return ratios
}

func ends(lists ...[]float64) []float64 {
	low, high := math.Inf(1), 0.0
	for _, list := range lists {
		for _, x := range list {
			low, high = min(low, x), max(high, x)
		}
	}
	return []float64{low, high}
}

func join2(lists ...[]float64) (all []float64) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

const (
	all = "8388608"
	fft = "version=stockham"
)

// batched returns the ratios of gtsv2StridedBatch to each of ours, and of gtsvInterleavedBatch to thomas.
func batched(t *testing.T, name string) (best, slowest, interleavedBy []float64) {
	t.Helper()
	for _, n := range []string{"64", "128", "256", "512", "1024", "2048", "4096"} {
		_, peer, times := strided(t, name, n)
		ours, other := interleaved(t, name, n)
		best, slowest, interleavedBy = append(best, peer/times[0]), append(slowest, peer/times[1]), append(interleavedBy, other.us()/ours.us())
	}
	return best, slowest, interleavedBy
}

// tera and perJoule are what a version executes, in 10^12 a second and 10^9 a joule.
func tera(r Row) float64     { return r.Num("flops") / r.us() / 1e6 }
func perJoule(r Row) float64 { return r.Num("flops") / r.mJ() / 1e6 }

func bicubicAt(t *testing.T, version string) Row {
	t.Helper()
	return one(t, "h200-bicubic-literature", "rows=2048", "basis=hermite", "version="+version)
}

func sentences() []sentence {
	const page = resultsPage
	copyShare := func(r Row) float64 { return 100 * r.Num("copy_share") }
	upTo := func(t *testing.T, name, conditions string, n float64) (rows []Row) {
		for _, r := range run(t, name, conditions) {
			if r.Num("N") <= n {
				rows = append(rows, r)
			}
		}
		return rows
	}
	qr := func(t *testing.T) []float64 {
		tiles := "version=v9" // what it was called then
		if len(run(t, "h200-qr", tiles)) == 0 {
			tiles = "version=tiles"
		}
		return by(t, "h200-qr", tiles, "version=cusolver", "n")
	}
	registers := func(t *testing.T, batch string) Row {
		if rows := run(t, "h200-qr-batch", "version=registers", "param_batch="+batch); len(rows) == 1 {
			return rows[0]
		}
		return one(t, "h200-qr-batch", "version=v10", "param_batch="+batch) // what it was called then
	}
	peerQR := func(t *testing.T, version, batch string) float64 {
		return one(t, "h200-qr-batch", "version="+version, "param_batch="+batch).us()
	}
	scan := func(t *testing.T) []float64 {
		return append(by(t, "h200-scan-peers", "version=lf", "version=cub_bykey", "N"), by(t, "h200-scan-peers", "version=ks", "version=cub_bykey", "N")...)
	}
	single := func(t *testing.T, version string) Row {
		return one(t, "h200-scan-single", "version="+version, "type=f32")
	}
	npp := func(t *testing.T) float64 {
		return one(t, "h200-bicubic", "version=npp").us() / one(t, "h200-bicubic", "version=v5", "basis=hermite").us()
	}
	return []sentence{
		{"README.md", "our six algorithms are # to # times as fast as cuFFT, CUB, cuSPARSE, cuSOLVER and NPP", func(t *testing.T) []float64 {
			best, slowest, inter := batched(t, "h200-tridiagonal-peers")
			return ends(by(t, "h200-fft-peers", fft, "version=cufft", "N"), scan(t), best, slowest, inter, qr(t),
				[]float64{peerQR(t, "cublas", "16384") / registers(t, "16384").us(), npp(t)})
		}},
		{"README.md", "relative to cuFFT by size: # to # up to N = #, # at #, # to # beyond", func(t *testing.T) []float64 {
			ratios := func(from, to string) []float64 {
				return ends(by(t, "h200-fft-peers", fft, "version=cufft", "N", from, to))
			}
			return join2(ratios("64", "8192"), []float64{8192}, ratios("65536", "65536")[:1], []float64{65536}, ratios("131072", all))
		}},
		{"README.md", "reference # # ms ~# % # % # # # % stockham # # µs # % # % # # # % fftw # # µs # % # % # # # %", func(t *testing.T) (list []float64) {
			for _, version := range []string{"reference", "stockham", "fftw"} {
				r := one(t, "epyc-fft", "version="+version, "N=1024")
				list = append(list, 1024, r.us(), 100*r.half(), 100*(r.Num("time_q3_s")-r.Num("time_q1_s"))/r.Num("time_s"), r.Num("gflop_per_s"), r.Num("gbyte_per_s"), copyShare(r))
			}
			list[1] /= 1e3
			return list
		}},
		{"README.md", "stockham fastest at # of # problems, # times as fast as fftw (# to #); # times as fast as reference (# to #)", func(t *testing.T) []float64 {
			fftw := by(t, "epyc-fft", "version=stockham", "version=fftw", "N")
			reference := by(t, "epyc-fft", "version=stockham", "version=reference", "N")
			fastest := 0.0
			for i := range fftw {
				if fftw[i] > 1 && reference[i] > 1 {
					fastest++
				}
			}
			return join2([]float64{fastest, float64(len(fftw)), mean(fftw)}, ends(fftw), []float64{mean(reference)}, ends(reference))
		}},
		{page, "complex float# elements takes # ms up to N = #: # to # % of the measured copy ceiling and # to # times cuFFT's speed. From N = # on it is # to # times as fast as cuFFT", func(t *testing.T) []float64 {
			low, high := over(copyShare, upTo(t, "h200-fft-peers", fft, 4096))
			near := ends(by(t, "h200-fft-peers", fft, "version=cufft", "N", "64", "4096"))
			far := ends(by(t, "h200-fft-peers", fft, "version=cufft", "N", "16384", all))
			return join2([]float64{32, one(t, "h200-fft-peers", fft, "N=1024").ms(), 4096, low, high}, near, []float64{16384}, far)
		}},
		{page, "scans are # (one of #^#) and # times as fast as CUB (batches), batched tridiagonal solvers # to # times as fast as cuSPARSE, QR # to # times as fast as cuSOLVER and cuBLAS (which forms no Q), and bicubic interpolation # times as fast as NPP", func(t *testing.T) []float64 {
			best, slowest, inter := batched(t, "h200-tridiagonal-peers")
			return join2([]float64{single(t, "cub").us() / single(t, "lookback").us(), 2, 28, mean(scan(t))}, ends(best, slowest, inter),
				ends(qr(t), []float64{peerQR(t, "cublas", "16384") / registers(t, "16384").us()}), []float64{npp(t)})
		}},
		{page, "Geometric mean of the ratios: # from N = # on, # from N = # on, # over all # sizes", func(t *testing.T) []float64 {
			from := func(n string) float64 { return mean(by(t, "h200-fft-peers", fft, "version=cufft", "N", n, all)) }
			return []float64{from("65536"), 65536, from("16384"), 16384, from("64"), 18}
		}},
		{page, "the geometric means are #, # and #; no size is below #", func(t *testing.T) []float64 {
			from := func(n string) []float64 {
				return by(t, "h100-fft-peers/full-cache", fft, "version=cufft", "N", n, all)
			}
			return []float64{mean(from("65536")), mean(from("16384")), mean(from("64")), ends(from("64"))[0]}
		}},
		{"algorithms/fft/README.md", "Geometric means: H# #, from N = # on #, from # on #; H# #, #, #", func(t *testing.T) []float64 {
			from := func(name, n string) float64 { return mean(by(t, name, fft, "version=cufft", "N", n, all)) }
			const h100 = "h100-fft-peers/full-cache"
			return []float64{200, from("h200-fft-peers", "64"), 16384, from("h200-fft-peers", "16384"), 65536, from("h200-fft-peers", "65536"),
				100, from(h100, "64"), from(h100, "16384"), from(h100, "65536")}
		}},
		{page, "elements run at # to # % of the copy ceiling for N = # to #, # to # times as fast as CUB by key. One sequence of #^# takes # ms, # % of the copy ceiling, # times as fast as CUB", func(t *testing.T) []float64 {
			low, high := over(copyShare, upTo(t, "h200-scan-peers", "version=lf", 4096))
			ours := single(t, "lookback")
			return join2([]float64{low, high, 64, 4096}, ends(scan(t)), []float64{2, 28, ours.ms(), copyShare(ours), single(t, "cub").us() / ours.us()})
		}},
		{page, "our `v#` takes # ms, # % of the copy ceiling; NPP takes # ms, # times as long", func(t *testing.T) []float64 {
			ours := one(t, "h200-bicubic", "version=v5", "basis=hermite")
			return []float64{5, ours.ms(), copyShare(ours), one(t, "h200-bicubic", "version=npp").ms(), npp(t)}
		}},
		{page, "`v#` takes # ms for #,# patterns, # times as fast as the literature's fastest version on the same GPU. For #,# it takes # µs with cold caches and # µs back to back", func(t *testing.T) []float64 {
			v5, v4 := one(t, "h200-pattern", "version=v5", "K=100000"), one(t, "h200-pattern", "version=v4", "K=100000")
			small := one(t, "h200-pattern", "version=v5", "K=3000")
			return []float64{5, v5.ms(), 100, 0, v4.us() / v5.us(), 3, 0, small.us(), small.hot()}
		}},
		{page, "matrices of #×# with Q take # ms; cuBLAS takes # ms and forms no Q (# times). One matrix takes # µs, in cuSOLVER # µs. #×n take # to # ms for n = # to #, # to # times as fast as cuSOLVER", func(t *testing.T) []float64 {
			batch := registers(t, "16384")
			tiles := run(t, "h200-qr", "version=v9")
			if len(tiles) == 0 {
				tiles = run(t, "h200-qr", "version=tiles")
			}
			low, high := over(Row.ms, tiles)
			return join2([]float64{64, 64, batch.ms(), peerQR(t, "cublas", "16384") / 1e3, peerQR(t, "cublas", "16384") / batch.us(), registers(t, "1").us(), peerQR(t, "cusolver", "1"),
				1024, low, high, 64, 1024}, ends(qr(t)))
		}},
		{"algorithms/qr/README.md", "`registers` is # times as fast as cuBLAS, which forms no Q, and # times as fast as cuSOLVER at batch #", func(t *testing.T) []float64 {
			return []float64{peerQR(t, "cublas", "16384") / registers(t, "16384").us(), peerQR(t, "cusolver", "1") / registers(t, "1").us(), 1}
		}},
		{page, "batched float# is # to # times as fast as gtsv#StridedBatch, interleaved # to # times as fast as gtsvInterleavedBatch. One float# system of #⁵ to #·#⁷ rows is # to # times as fast as gtsv#_nopivot", func(t *testing.T) []float64 {
			best, slowest, inter := batched(t, "h200-tridiagonal-peers")
			return join2([]float64{32}, ends(best, slowest), []float64{2}, ends(inter), []float64{64, 10, 5, 10}, ends(by(t, "h200-tridiagonal-large", "version=partition", "version=cusparse_nopivot", "N")), []float64{2})
		}},
		{page, "the FFT is # to # times as fast as cuFFT, geometric mean #. Batches of scans run at # to # % of the copy ceiling, one sequence of #^# at # %. Tridiagonal systems are # to # times as fast as gtsv#StridedBatch, interleaved # to # times as fast as gtsvInterleavedBatch", func(t *testing.T) []float64 {
			ratios := by(t, "h200-fft-peers-f64", fft, "version=cufft", "N")
			low, high := over(copyShare, upTo(t, "h200-scan-peers-f64", "version=lf", 4096))
			best, _, inter := batched(t, "h200-tridiagonal-peers-f64")
			return join2(ends(ratios), []float64{mean(ratios), low, high, 2, 27, copyShare(one(t, "h200-scan-single-f64", "version=lookback"))}, ends(best), []float64{2}, ends(inter))
		}},
		{page, "LAPACK's gtsv over the batch takes # to # times as long as `parallel`", func(t *testing.T) []float64 {
			return ends(by(t, "epyc-tridiagonal", "version=parallel precision=f32", "version=lapack precision=f32", "N"), by(t, "epyc-tridiagonal", "version=parallel precision=f64", "version=lapack precision=f64", "N"))
		}},
		{embeddedPage, "holds: #, # and # times v#'s at K = #; executed #, # and # times", func(t *testing.T) []float64 {
			of := func(v string) Row { return one(t, "h200-pattern-literature", "K=10000", "version="+v) }
			nominal := func(v string) float64 {
				return of(v).Num("gflop_per_s_per_W") / of("v1").Num("gflop_per_s_per_W")
			}
			executed := func(v string) float64 {
				return of(v).Num("flops") / of(v).mJ() / (of("v1").Num("flops") / of("v1").mJ())
			}
			return []float64{nominal("v2"), nominal("v3"), nominal("v4"), 1, 10000, executed("v2"), executed("v3"), executed("v4")}
		}},
		{embeddedPage, "(Table #; `results/h#-pattern-speedups`, v# # ms): v# #, v# #, v# #, v# #; on a TX#", func(t *testing.T) []float64 {
			of := func(v string) Row { return one(t, "h200-pattern-speedups", "K=3000", "version="+v) }
			by := func(v string) float64 { return of("v0").us() / of(v).us() }
			return []float64{4, 200, 0, of("v0").ms(), 1, by("v1"), 2, by("v2"), 3, by("v3"), 4, by("v4"), 1}
		}},
		{embeddedPage, "holds: v# executes # GFLOP/s, v# #; v# and v# do #,# operations, v# to v# #,#", func(t *testing.T) []float64 {
			of := func(v string) Row { return one(t, "h200-qr-literature-64", "version="+v) }
			rate := func(v string) float64 { return of(v).Num("flops") / of(v).us() / 1e3 }
			thousands := func(v string) []float64 {
				n := of(v).Num("flops")
				return []float64{math.Floor(n / 1000), math.Mod(n, 1000)}
			}
			return join2([]float64{8, rate("v8"), 4, rate("v4"), 7, 8}, thousands("v7"), []float64{4, 6}, thousands("v4"))
		}},
		{embeddedPage, "holds: # to # GB/s; v# to v# # to #", func(t *testing.T) []float64 {
			moved := func(r Row) float64 { return (r.Num("load_bytes") + r.Num("store_bytes")) / r.us() / 1e3 }
			var global, shared []float64
			for _, r := range run(t, "h200-qr-literature-64") {
				if r["version"] <= "v4" {
					global = append(global, moved(r))
				} else {
					shared = append(shared, moved(r))
				}
			}
			return join2(ends(global), []float64{5, 8}, ends(shared))
		}},
		{embeddedPage, "holds: it moves # TB/s at # columns, v# #, in # of v#'s time", func(t *testing.T) []float64 {
			of := func(v string) Row { return one(t, "h200-qr-literature", "n=1024", "version="+v) }
			moved := func(r Row) float64 { return (r.Num("load_bytes") + r.Num("store_bytes")) / r.us() / 1e6 }
			return []float64{moved(of("v1")), 1024, 2, moved(of("v2")), of("v1").us() / of("v2").us(), 2}
		}},
		{embeddedPage, "The rate of what is executed does not: v# does # TFLOP/s at # rows, v# #, and # GFLOP/J to #", func(t *testing.T) []float64 {
			of := func(v string) Row {
				return one(t, "h200-bicubic-literature", "rows=2048", "basis=hermite", "version="+v)
			}
			return []float64{2, of("v2").Num("flops") / of("v2").us() / 1e6, 2048, 1, of("v1").Num("flops") / of("v1").us() / 1e6,
				of("v2").Num("flops") / of("v2").mJ() / 1e6, of("v1").Num("flops") / of("v1").mJ() / 1e6}
		}},
		{literaturePage, "v# takes # to # of v#'s time, about half there; that its FLOPS are lower does not hold: # TFLOP/s to v#'s #", func(t *testing.T) []float64 {
			share := join2(by(t, "h200-bicubic-literature", "version=v1 basis=hermite", "version=v2 basis=hermite", "rows"), by(t, "h200-bicubic-literature", "version=v1 basis=bspline", "version=v2 basis=bspline", "rows"))
			return join2([]float64{2}, ends(share), []float64{1, tera(bicubicAt(t, "v2")), 1, tera(bicubicAt(t, "v1"))})
		}},
		{literaturePage, "it needs # of v#'s energy and executes # GFLOP/J, v# #", func(t *testing.T) []float64 {
			v1, v2 := bicubicAt(t, "v1"), bicubicAt(t, "v2")
			return []float64{v2.mJ() / v1.mJ(), 1, perJoule(v2), 1, perJoule(v1)}
		}},
		{literaturePage, "v# executes more per joule than v# from # on (# GFLOP/J to # at #), and needs less energy from # on", func(t *testing.T) []float64 {
			at := func(version, factor string) Row {
				return one(t, "h200-bicubic-factor", "basis=hermite", "version="+version, "column_factor="+factor)
			}
			from := func(better func(v1, v2 Row) bool) float64 { // the first factor from which v1 stays better
				for first := 32; ; first-- {
					f := strconv.Itoa(first)
					if first == 0 || !better(at("v1", f), at("v2", f)) {
						return float64(first + 1)
					}
				}
			}
			return []float64{1, 2, from(func(v1, v2 Row) bool { return perJoule(v1) > perJoule(v2) }), perJoule(at("v1", "32")), perJoule(at("v2", "32")), 32,
				from(func(v1, v2 Row) bool { return v1.mJ() < v2.mJ() })}
		}},
		{literaturePage, "the order of the versions, as there; #, #, # and # times v#, one core of a Xeon", func(t *testing.T) (list []float64) {
			v0 := one(t, "h200-pattern-speedups", "K=3000", "version=v0").us()
			for _, v := range []string{"v1", "v2", "v3", "v4"} {
				list = append(list, v0/one(t, "h200-pattern-speedups", "K=3000", "version="+v).us())
			}
			return append(list, 0)
		}},
		{literaturePage, "on an H# v# executes # GFLOP/J, v# #, v# # (of the problem's #, #, #)", func(t *testing.T) []float64 {
			of := func(v string) Row { return one(t, "h200-pattern-literature", "K=10000", "version="+v) }
			nominal := func(v string) float64 { return of(v).Num("gflop_per_s_per_W") }
			return []float64{200, 4, perJoule(of("v4")), 3, perJoule(of("v3")), 1, perJoule(of("v1")), nominal("v4"), nominal("v3"), nominal("v1")}
		}},
		{embeddedPage, "v# takes # to # of v#'s time; its sums stay in registers", func(t *testing.T) []float64 {
			return join2([]float64{3}, ends(by(t, "h200-qr-literature", "version=v2", "version=v3", "n")), []float64{2})
		}},
	}
}
