package pattern

import (
	"math"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
)

func setting(k, n, s, g int64) framework.Values {
	return framework.Values{
		"K": framework.IntValue(k), "N": framework.IntValue(n), "S": framework.IntValue(s), "G": framework.IntValue(g),
	}
}

// answer is the match of a version's last run.
func answer(t *testing.T, a framework.BaseAlgorithm) match {
	t.Helper()
	switch a := a.(type) {
	case *sequential:
		return a.got
	case *parallel:
		return a.got
	}
	g := a.(*gpuRun)
	var got [1]match
	if err := gpu.Download(g.Device, got[:], g.buffers[resultBuffer]); err != nil {
		t.Fatal(err)
	}
	return got[0]
}

// run checks a version's answer and returns its match.
func run(t *testing.T, at string, a framework.BaseAlgorithm) (got match) {
	t.Helper()
	algorithmtest.Hold(t, at, a, func() { got = answer(t, a) })
	return got
}

// All vector code of this processor, and the Go code that replaces it, agree
// with v0 on every pattern of libraries whose lengths and shifts are not whole
// vectors.
func TestVectorCode(t *testing.T) {
	kernels := append([]*vectorKernel{nil}, vectorKernels()...)
	for i, s := range []shape{{7, 32, 101, 50}, {1, 1, 1, 1}, {3, 1, 16, 2}, {3, 5, 17, 3}, {2, 33, 15, 1}, {2, 8, 128, 4}, {2, 8, 129, 4}, {2, 3, 500, 4},
		{2, 8, 8, 3}, {2, 8, 9, 3}, {2, 8, 22, 3}, {2, 8, 28, 3}, {2, 8, 47, 3}} {
		p := makeProblem(s, uint64(i))
		for _, k := range kernels {
			name := "Go"
			if k != nil {
				name = k.name
			}
			a := &parallel{p: p, k: k, group: groupKiB << 10}
			a.prepare(1)
			for n, w := range p.weights {
				a.pairs[2*n], a.pairs[2*n+1] = w, -2*(w*p.signal[n])
			}
			for i := range p.K {
				want := p.reference()[i]
				got := a.pattern(i, a.best[0].sums)
				if got.shift != want.shift || got.gain != want.gain || math.Abs(float64(got.squared)-want.squared) > p.bounds(expanded).result(want.squared) {
					t.Errorf("%s %v: pattern %d: %v; want %v", name, s, i, got, want)
				}
			}
			if err := a.PostRun(); err != nil {
				t.Error(err)
			}
		}
	}
}

// equals is a library in which everything ties: the lowest pattern, shift and
// gain are the match.
func equals(s shape) *problem {
	p := makeProblem(s, 1)
	clear(p.templates)
	return p
}

// twoEquals has only shifts, only gains or only patterns tie.
func twoEquals() map[string]*problem {
	shifts := makeProblem(shape{3, 32, 101, 50}, 2)
	best := shifts.best()
	row := shifts.template(int(best.pattern))
	for i := range row { // the same elements every 32
		row[i] = shifts.signal[i%32]
	}
	gains := makeProblem(shape{3, 32, 101, 50}, 3)
	for g := range gains.gains {
		gains.gains[g] = gains.gains[g/2*2]
	}
	return map[string]*problem{"shifts": shifts, "gains": gains, "all": equals(shape{40, 32, 101, 50})}
}

func TestEqualsOnCPU(t *testing.T) {
	for name, p := range twoEquals() {
		for _, v := range cpuVersions() {
			a, err := v.New(framework.Env{Workers: 3}, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := run(t, name+" "+v.Name, a)
			if name == "all" && (got.pattern != 0 || got.shift != 0 || got.gain != 0) {
				t.Errorf("%s: match %v, want the first of everything", v.Name, got)
			}
		}
	}
}

// closeEnergies are patterns of which two shifts, 0 and 64, leave nearly the
// same error, a little more than rounding, though the sums of their squares
// are far apart: nothing, and twice the signal. The key is the better shift.
func closeEnergies() map[int32]*problem {
	list := map[int32]*problem{}
	for better, factor := range map[int32]float32{0: 2.0001, 64: 1.9999} {
		p := makeProblem(shape{1, 32, 101, 50}, 4)
		t := p.template(0)
		for i := range t {
			t[i] = 2
		}
		clear(t[:32])
		for n, a := range p.signal {
			t[64+n] = factor * a
		}
		list[better] = p
	}
	return list
}

func TestCloseEnergiesOnCPU(t *testing.T) {
	for better, p := range closeEnergies() {
		if r := p.reference()[0]; r.shift != better || r.gap > 2e-4 || r.gap < 2*p.bounds(expanded).atShift(r.shiftSum) {
			t.Errorf("shift %d is %g better, the bound %g; want %d, by little", r.shift, r.gap, p.bounds(expanded).atShift(r.shiftSum), better)
		}
		for _, v := range cpuVersions() {
			a, err := v.New(framework.Env{Workers: 1}, p, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := run(t, v.Name, a); got.shift != better {
				t.Errorf("%s: shift %d, want %d", v.Name, got.shift, better)
			}
		}
	}
}

// Groups of every size find the match, to one worker and to several.
func TestEveryGroup(t *testing.T) {
	v := Factory().VersionOn("parallel", framework.CPU)
	for _, x := range v.Tunables[0].Values {
		algorithmtest.Solve(t, Factory(), nil, v.Name, setting(600, 32, 21, 9), framework.Values{"GROUP": framework.IntValue(x)})
	}
}
