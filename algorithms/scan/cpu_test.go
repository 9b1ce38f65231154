package scan

import (
	"fmt"
	"testing"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/internal/pages"
)

// setting is the parameters of a problem.
func setting(n, batch int64, kind, mode string) framework.Values {
	return framework.Values{
		"N":              framework.IntValue(n),
		"batch_elements": framework.IntValue(n * batch),
		"type":           framework.TextValue(kind),
		"mode":           framework.TextValue(mode),
	}
}

func testProblem(t testing.TB, params framework.Values) framework.Problem {
	t.Helper()
	q, err := newProblem(framework.Env{Seed: 7}, params)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// All vector code of this processor, and the Go code that replaces it, on lengths
// around the lanes, with plain and non-temporal stores. Under an emulator (-short)
// long ones are left out.
func TestVectorKernels(t *testing.T) {
	testKernels[float32, float64](t, "f32")
	testKernels[float64, float64](t, "f64")
	testKernels[int32, int32](t, "i32")
}

func testKernels[T element, A carry](t *testing.T, kind string) {
	for _, k := range append(kernelsFor[T](), nil) {
		name := kind + " Go"
		if k != nil {
			name = kind + " " + k.name
		}
		for _, mode := range []string{"inclusive", "exclusive"} {
			for _, n := range []int64{1, 4, 7, 8, 15, 16, 17, 48, 64, 4096, 4099, 32768, 40000, 131072} {
				for _, batch := range []int64{1, 2, 9} {
					// Nine sequences of several chunks are those of 40,000 elements.
					if testing.Short() && n*batch > 1<<15 || n*batch > 1<<19 {
						continue
					}
					q := testProblem(t, setting(n, batch, kind, mode)).(*problem[T])
					for _, threads := range []int{1, 2} {
						for _, streaming := range []bool{false, true} {
							c := newChunked[T, A](q.shape, k, threads, chunkKiB<<10, pieceKiB<<10)
							c.streaming = streaming
							out, free, err := pages.New[T](int64(q.elements()))
							if err != nil {
								t.Fatal(err)
							}
							c.run(out, q.in)
							for _, check := range q.compare(out, c.chain()) {
								if !check.OK() {
									t.Errorf("%s %s N %d batch %d, %d threads, streaming %v: %s is %.3g, bound %.3g",
										name, mode, n, batch, threads, streaming, check.Metric, check.Error, check.Bound)
								}
							}
							free()
							c.Close()
						}
					}
					q.Close()
				}
			}
		}
	}
}

func benchmarkCPU(b *testing.B, kind string, n, batch int64) {
	for _, version := range []string{"reference", "parallel"} {
		b.Run(fmt.Sprintf("N=%d/%s", n, version), func(b *testing.B) {
			q := testProblem(b, setting(n, batch, kind, "inclusive"))
			a, err := Factory().VersionOn(version, framework.CPU).New(framework.Env{Workers: 2}, q, nil)
			if err != nil {
				b.Fatal(err)
			}
			if err := a.PreRun(); err != nil {
				b.Fatal(err)
			}
			defer a.PostRun()
			best := time.Hour
			for b.Loop() {
				start := time.Now()
				if err := a.Run(); err != nil {
					b.Fatal(err)
				}
				best = min(best, time.Since(start))
			}
			b.ReportMetric(float64(a.Work().NominalBytes)/best.Seconds()/1e9, "best_GB/s")
		})
	}
}

func BenchmarkFloat32(b *testing.B) {
	for n := int64(64); n <= 1<<26; n *= 16 {
		benchmarkCPU(b, "f32", n, 1<<26/n)
	}
}

func BenchmarkFloat64(b *testing.B) {
	benchmarkCPU(b, "f64", 1024, 1<<14)
	benchmarkCPU(b, "f64", 1<<24, 1)
}

// Chunks and pieces of every size give the right sums, to one worker and to several, of
// sequences of many chunks and of many sequences to a piece.
func TestEveryChunk(t *testing.T) {
	v := Factory().VersionOn("parallel", framework.CPU)
	for i, tunable := range v.Tunables {
		n, batch := 3*(1<<20)/4+5, 2
		if i == 1 {
			n, batch = 1000, 2200
		}
		for j, x := range tunable.Values {
			kind := []string{"f32", "f64", "i32"}[j%3]
			params := framework.Values{"N": framework.IntValue(int64(n)), "batch_elements": framework.IntValue(int64(n * batch)), "type": framework.TextValue(kind)}
			algorithmtest.Solve(t, Factory(), nil, v.Name, params, framework.Values{tunable.Name: framework.IntValue(x)})
		}
	}
}
