// Package compile compiles every GPU kernel for every board, without a GPU,
// and compares its use of registers, shared and local memory with the board's
// limits.
package compile

import (
	"fmt"
	"testing"

	"bench/algorithms"
	"bench/cuda"
	"bench/cuda/nvrtc"
	"bench/framework"
)

// points are the parameters that an algorithm's kernels differ by, and small
// sizes of what they do not differ by; an algorithm without an entry is
// compiled at the defaults of its parameters.
func points(algorithm string) []framework.Values {
	switch algorithm {
	case "fft": // its own tests compile every length
		var list []framework.Values
		for _, n := range []int64{64, 1 << 12, 1 << 14, 1 << 18} {
			for _, precision := range []string{"f32", "f64"} {
				for _, direction := range []string{"forward", "inverse"} {
					list = append(list, framework.Values{
						"N": framework.IntValue(n), "batch_elements": framework.IntValue(n),
						"precision": framework.TextValue(precision), "direction": framework.TextValue(direction),
					})
				}
			}
		}
		return list
	case "scan":
		var list []framework.Values
		modes := []string{"inclusive", "exclusive"} // which differ in a register
		for i, n := range []int64{64, 512, 4096, 8192} {
			for j, kind := range []string{"f32", "f64", "i32"} {
				list = append(list, framework.Values{
					"N": framework.IntValue(n), "batch_elements": framework.IntValue(n),
					"type": framework.TextValue(kind), "mode": framework.TextValue(modes[(i+j)%2]),
				})
			}
		}
		return list
	case "pattern": // few patterns, and more than a warp each; its own tests compile more tunables
		return []framework.Values{{"K": framework.IntValue(40)}, {"K": framework.IntValue(4000)}}
	case "qr": // its own tests compile other tunables
		matrices := func(m, n, batch int64, q string) framework.Values {
			return framework.Values{
				"m": framework.IntValue(m), "n": framework.IntValue(n), "batch": framework.IntValue(batch), "q": framework.TextValue(q),
			}
		}
		// One that all versions take, for which defaults differ by the batch; tall
		// ones; and many rows per thread.
		return []framework.Values{
			matrices(64, 64, 1, "reduced"), matrices(64, 64, 1<<12, "reduced"), matrices(1024, 64, 1, "reduced"), matrices(4000, 4, 1, "reduced"),
		}
	case "tridiagonal": // its own tests compile more lengths
		batch := func(n, batch int64, precision, layout string) framework.Values {
			return framework.Values{
				"N": framework.IntValue(n), "batch": framework.IntValue(batch),
				"precision": framework.TextValue(precision), "layout": framework.TextValue(layout),
			}
		}
		return []framework.Values{
			batch(64, 3, "f32", "contiguous"), batch(1<<10, 3, "f64", "contiguous"),
			batch(512, 3, "f32", "interleaved"), batch(512, 3, "f64", "interleaved"),
			batch(100_000, 1, "f32", "contiguous"), batch(100_000, 1, "f64", "contiguous"),
		}
	}
	return []framework.Values{{}}
}

func TestKernelsFitEveryBoard(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	for _, facts := range boards {
		t.Run(facts.Name, func(t *testing.T) {
			for _, factory := range algorithms.All() {
				for _, v := range factory.Versions {
					if v.Processor != framework.GPU || v.Peer {
						continue
					}
					b := &board{facts: facts, compiler: compiler}
					for _, point := range points(factory.Name) {
						params := framework.Values{}
						for _, p := range factory.Params {
							params[p.Name] = p.Default
						}
						for name, value := range point {
							params[name] = value
						}
						if err := prepare(b, factory, v, params); err != nil {
							t.Errorf("%s %s %v: %v", factory.Name, v.Name, params, err)
						}
					}
					if b.kernels == 0 || b.launches < b.kernels {
						t.Errorf("%s %s: %d kernels compiled, %d launches", factory.Name, v.Name, b.kernels, b.launches)
					}
					t.Logf("%s %s: %d kernels, %d launches", factory.Name, v.Name, b.kernels, b.launches)
				}
			}
		})
	}
}

// prepare brings a version to its first Run on a board at its default
// tunables. A version that does not support the point is none of this test's
// concern.
func prepare(b *board, factory *framework.Factory, v framework.Version, params framework.Values) (err error) {
	if v.Supports != nil && v.Supports(params, b.facts) != nil {
		return nil
	}
	tunables := framework.Values{}
	if v.Defaults != nil {
		tunables = v.Defaults(params, b.facts)
	}
	if v.Valid != nil {
		if err := v.Valid(params, tunables, b.facts); err != nil {
			return fmt.Errorf("its own defaults %v: %w", tunables, err)
		}
	}
	env := framework.Env{Seed: 1, Workers: 1, Device: b, Note: func(string, ...any) {}}
	problem, err := factory.NewProblem(env, params)
	if err != nil {
		return err
	}
	defer problem.Close()
	algorithm, err := v.New(env, problem, tunables)
	if err != nil {
		return err
	}
	defer func() {
		if after := algorithm.PostRun(); err == nil {
			err = after
		}
	}()
	if err := algorithm.PreRun(); err != nil {
		return err
	}
	return algorithm.Run()
}

// The board must refuse what the GPU would; otherwise the test above shows
// nothing.
func TestBoardRefuses(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	for _, facts := range boards {
		b := &board{facts: facts, compiler: compiler}
		_, err := b.Compile(cuda.Source{
			Name:    "spill.cu",
			Kernels: []string{"spill"},
			Options: []string{"--maxrregcount=16"},
			Text: `
extern "C" __global__ void spill(float *x) {
  float a[64];
#pragma unroll
  for (int i = 0; i < 64; i++) a[i] = x[i * 32 + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 64; i++) x[(63 - i) * 32 + threadIdx.x] = a[i] * a[(i + 7) % 64];
}`})
		if err == nil {
			t.Errorf("%s: a kernel that spills is accepted", facts.Name)
		}
		k := kernel{b, "k", cuda.Attributes{Registers: 40, StaticSharedBytes: 1 << 10, MaxThreadsPerBlock: 1024}}
		if err := k.Launch(0, cuda.Launch{Block: cuda.Dim3{X: 512}, SharedBytes: facts.SharedOptIn - 1<<10}, int32(1)); err != nil {
			t.Errorf("a launch within all limits: %v", err)
		}
		for what, shape := range map[string]cuda.Launch{
			"too many threads": {Block: cuda.Dim3{X: 1025}},
			"too much shared":  {Block: cuda.Dim3{X: 32}, SharedBytes: facts.SharedOptIn},
			"grid too high":    {Grid: cuda.Dim3{Y: 65536}, Block: cuda.Dim3{X: 32}},
		} {
			if k.Launch(0, shape) == nil {
				t.Errorf("%s: %s: accepted", facts.Name, what)
			}
		}
		k.takes.Registers = facts.RegistersBlock/1024 + 1
		if k.Launch(0, cuda.Launch{Block: cuda.Dim3{X: 1024}}) == nil {
			t.Errorf("%s: 1024 threads of %d registers: accepted", facts.Name, k.takes.Registers)
		}
		if k.Launch(0, cuda.Launch{Block: cuda.Dim3{X: 32}}, 1) == nil {
			t.Errorf("%s: an int argument: accepted", facts.Name)
		}
	}
}
