// Package compile compiles every GPU kernel for every board, without a GPU,
// and compares its use of registers, shared and local memory with the board's
// limits.
package compile

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// points are the parameters that an algorithm's kernels differ by, and small
// sizes of what they do not differ by; an algorithm without an entry is
// compiled at the defaults of its parameters.
func points(algorithm string) []framework.Values {
	switch algorithm {
	case "fft": // its own tests compile every length
		var list []framework.Values
		directions := []string{"forward", "inverse"} // which differ in signs
		for i, n := range []int64{64, 1 << 12, 1 << 14, 1 << 18} {
			for j, precision := range []string{"f32", "f64"} {
				list = append(list, framework.Values{
					"N": framework.IntValue(n), "batch_elements": framework.IntValue(n),
					"precision": framework.TextValue(precision), "direction": framework.TextValue(directions[(i+j)%2]),
				})
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

// complete adds the defaults of the parameters that a point does not name.
func complete(factory *framework.Factory, point framework.Values) framework.Values {
	params := framework.Values{}
	for _, p := range factory.Params {
		params[p.Name] = p.Default
	}
	maps.Copy(params, point)
	return params
}

// lacking are versions for which a board has no cooperative launches.
var lacking = []string{"fft on Jetson TX1 cooperative"}

func TestKernelsFitEveryBoard(t *testing.T) {
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	for _, factory := range algorithms.All() {
		used := map[string]*board{} // by board and version
		points := points(factory.Name)
		for i, point := range points {
			params := complete(factory, point)
			problem := newProblem(t, factory, params)
			for _, place := range boardsOf(i, len(points)) {
				for _, v := range kernels(factory) {
					b := used[place.name+" "+v.Name]
					if b == nil {
						b = &board{compiler: compiler}
						used[place.name+" "+v.Name] = b
					}
					b.facts = place.Facts
					if err := prepareDefaults(b, problem, v, params); err != nil {
						t.Errorf("%s %s on %s %v: %v", factory.Name, v.Name, b.facts.Name, params, err)
					}
				}
			}
			problem.Close()
		}
		for name, b := range used {
			where := factory.Name + " on " + name
			if lacks := slices.Contains(lacking, where); lacks != (b.kernels == 0) || b.launches < b.kernels {
				t.Errorf("%s: %d kernels compiled, %d launches", where, b.kernels, b.launches)
			}
			t.Logf("%s: %d kernels, %d launches", where, b.kernels, b.launches)
		}
	}
}

// place is a board under the name that its kernels are counted by.
type place struct {
	name string
	gpu.Facts
}

// boardsOf are the boards that a point is compiled for: the oldest and the newest, whose
// instructions differ most, and in turn one of those between; all, where there are fewer
// points than that.
func boardsOf(point, points int) (list []place) {
	last := len(boards) - 1
	for i, b := range boards {
		switch between := i > 0 && i < last; {
		case !between || points < last-1:
			list = append(list, place{b.Name, b})
		case i-1 == point%(last-1):
			list = append(list, place{"a board between", b})
		}
	}
	return list
}

// kernels are an algorithm's own versions for GPUs.
func kernels(factory *framework.Factory) []framework.Version {
	return slices.DeleteFunc(slices.Clone(factory.Versions), func(v framework.Version) bool { return v.Processor != framework.GPU || v.Peer || !v.Takes(false) })
}

// newProblem makes the inputs, once for all versions and boards.
func newProblem(t *testing.T, factory *framework.Factory, params framework.Values) framework.Problem {
	t.Helper()
	problem, err := factory.NewProblem(framework.Env{Seed: 1, Workers: 1, Note: func(string, ...any) {}}, params)
	if err != nil {
		t.Fatal(err)
	}
	return problem
}

// prepareDefaults is prepare at a version's default tunables. A version that does not
// support the point is none of these tests' concern.
func prepareDefaults(b *board, problem framework.Problem, v framework.Version, params framework.Values) error {
	if v.Supports != nil && v.Supports(params, b.facts) != nil {
		return nil
	}
	tunables := framework.Values{}
	if v.Defaults != nil {
		tunables = v.Defaults(params, b.facts)
	}
	if err := prepare(b, problem, v, params, tunables); err != nil {
		return fmt.Errorf("its own defaults %v: %w", tunables, err)
	}
	return nil
}

// prepare brings a version to its first Run on a board whose memory is free.
func prepare(b *board, problem framework.Problem, v framework.Version, params, tunables framework.Values) (err error) {
	b.next = 0
	if v.Valid != nil {
		if err := v.Valid(params, tunables, b.facts); err != nil {
			return err
		}
	}
	algorithm, err := v.New(framework.Env{Seed: 1, Workers: 1, Device: b, Note: func(string, ...any) {}}, problem, tunables)
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
		spills := gpu.Source{
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
}`}
		for known, good := range map[int]bool{0: false, 8: false, 1 << 10: true} {
			b.local = map[string]int{"spill": known}
			if _, err := b.Compile(spills); (err == nil) != good {
				t.Errorf("%s: a kernel that spills, with %d bytes of local memory known: %v", facts.Name, known, err)
			}
		}
		b.local = map[string]int{"other": 1 << 10}
		if _, err := b.Compile(spills); err == nil {
			t.Errorf("%s: a kernel that spills is accepted", facts.Name)
		}
		k := kernel{b, "k", gpu.Attributes{Registers: 40, StaticSharedBytes: 1 << 10, MaxThreadsPerBlock: 1024}}
		if err := k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 512}, SharedBytes: facts.SharedOptIn - 1<<10}, int32(1)); err != nil {
			t.Errorf("a launch within all limits: %v", err)
		}
		for what, shape := range map[string]gpu.Launch{
			"too many threads": {Block: gpu.Dim3{X: 1025}},
			"too much shared":  {Block: gpu.Dim3{X: 32}, SharedBytes: facts.SharedOptIn},
			"grid too high":    {Grid: gpu.Dim3{Y: 65536}, Block: gpu.Dim3{X: 32}},
		} {
			if k.Launch(0, shape) == nil {
				t.Errorf("%s: %s: accepted", facts.Name, what)
			}
		}
		k.takes.Registers = facts.RegistersBlock/1024 + 1
		if k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 1024}}) == nil {
			t.Errorf("%s: 1024 threads of %d registers: accepted", facts.Name, k.takes.Registers)
		}
		if k.Launch(0, gpu.Launch{Block: gpu.Dim3{X: 32}}, 1) == nil {
			t.Errorf("%s: an int argument: accepted", facts.Name)
		}
	}
}
