package fft

import (
	"fmt"
	"math/bits"
	"runtime"
	"testing"
	"time"

	"example.org/bench/framework"
)

// Benchmarks of the CPU version beside FFTW: each iteration runs both several
// times, so that a load on the machine meets both, and the best time of each
// counts.
// GOMAXPROCS sets the workers of both (-cpu does not: the first of its counts
// is ignored with B.Loop); -bench 'Float32/avx2/N=1024$' picks one.

func BenchmarkFloat32(b *testing.B) {
	benchmarkKernels(b, "f32", kernelsFor[complex64](), func(p *problem) []complex64 { return p.in32 })
}

func BenchmarkFloat64(b *testing.B) {
	benchmarkKernels(b, "f64", kernelsFor[complex128](), func(p *problem) []complex128 { return p.in64 })
}

func benchmarkKernels[T element](b *testing.B, precision string, list []*kernels, input func(*problem) []T) {
	for _, k := range list {
		for n := minN; n <= maxN; n *= 2 {
			b.Run(fmt.Sprintf("%s/N=%d", k.name, n), func(b *testing.B) {
				p := testProblem(b, n, max(1, defaultElements/n), precision, "forward")
				benchmarkBeside(b, k, p, input(p))
			})
		}
	}
}

func benchmarkBeside[T element](b *testing.B, k *kernels, p *problem, in []T) {
	workers := runtime.GOMAXPROCS(0)
	own := newStockhamCPU[T](k, p.N, p.Batch, p.Inverse, workers, tileKiB<<10)
	defer own.Close()
	fftw, err := prepareFFTW[T](p, framework.Env{Workers: workers}, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer fftw.Close()
	out := make([]T, len(in))
	best := func(least time.Duration, t transformer[T]) time.Duration {
		for range 4 { // the first after the other's may find threads asleep
			start := time.Now()
			if err := t.run(out, in); err != nil {
				b.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	ownBest, fftwBest := time.Hour, time.Hour
	for b.Loop() {
		ownBest, fftwBest = best(ownBest, own), best(fftwBest, fftw)
	}
	flops := 5 * float64(len(in)) * float64(bits.Len(uint(p.N))-1)
	b.ReportMetric(flops/ownBest.Seconds()/1e9, "GFLOP/s")
	b.ReportMetric(flops/fftwBest.Seconds()/1e9, "fftw-GFLOP/s")
	b.ReportMetric(fftwBest.Seconds()/ownBest.Seconds(), "x-fftw")
	b.ReportMetric(float64(ownBest.Nanoseconds()), "best-ns")
	b.ReportMetric(float64(fftwBest.Nanoseconds()), "fftw-best-ns")
}
