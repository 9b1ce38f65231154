package bicubic

import (
	"errors"
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim/simtest"
	"example.org/bench/internal/dynlib"
)

// nppImpulse is what NPP 13.0.1 on one H200 gave along 16 rows by a factor of
// 8 for an input of 1 in row 0, from the first output on (the rest is 0), and
// in row 15, up to the last.
var nppImpulse = map[int][]float64{
	0: {1.0546875, 1.0341797, 1, 0.88867188, 0.765625, 0.63476562, 0.5, 0.36523438, 0.234375, 0.11132812, 0,
		-0.034179688, -0.0546875, -0.063476562, -0.0625, -0.053710938, -0.0390625, -0.020507812},
	15: {-0.020507812, -0.0390625, -0.053710938, -0.0625, -0.063476562, -0.0546875, -0.034179688, 0, 0.11132812,
		0.234375, 0.36523438, 0.5, 0.63476562, 0.765625, 0.88867188, 1, 1.0341797, 1.0546875, 1.0634766, 1.0625, 1.0537109},
}

// The places reproduce the recorded answers, edges included.
func TestNPPPlaces(t *testing.T) {
	places := nppPlaces(16, 8)
	for row, want := range nppImpulse {
		first := 0
		if row == 15 {
			first = len(places) - len(want)
		}
		for i, p := range places {
			got := 0.0
			for j, at := range p.points {
				if at == row {
					got += p.weights[j]
				}
			}
			expected := 0.0
			if k := i - first; k >= 0 && k < len(want) {
				expected = want[k]
			}
			if math.Abs(got-expected) > 5e-8 {
				t.Errorf("output %d of an impulse in row %d: %g, NPP gives %g", i, row, got, expected)
			}
		}
	}
}

// NPP's cubic in float32 is accepted; weights off by a thousandth, this
// package's own answer, and a point that is not written are not.
func TestCompareNPPRefuses(t *testing.T) {
	p := testProblem(t, setting(12, 17, 8, 2, "hermite"))
	make32 := func(shift float32) []float32 {
		out := make([]float32, p.points())
		down, across := nppPlaces(p.Rows, p.RowFactor), nppPlaces(p.Cols, p.ColumnFactor)
		for y, d := range down {
			for x, a := range across {
				var sum float32
				for i, row := range d.points {
					var line float32
					for j, column := range a.points {
						line += float32(a.weights[j]) * p.in[row*p.Cols+column]
					}
					sum += (float32(d.weights[i]) + shift*float32(i%2*2-1)) * line
				}
				out[y*p.outCols()+x] = sum
			}
		}
		return out
	}
	right := make32(0)
	if checks := p.compareNPP(right); !algorithmtest.Good(checks) {
		t.Errorf("NPP's cubic is refused: %v", checks)
	}
	if algorithmtest.Good(p.compareNPP(make32(1e-3))) {
		t.Error("weights off by 1e-3 are accepted")
	}
	own := make([]float32, p.points())
	definition{p}.run(own)
	if algorithmtest.Good(p.compareNPP(own)) {
		t.Error("the Catmull-Rom answer is accepted")
	}
	right[77] = float32(math.NaN())
	if algorithmtest.Good(p.compareNPP(right)) {
		t.Error("a point not written is accepted")
	}
}

func TestNPPSupports(t *testing.T) {
	v := nppVersion()
	if err := v.Supports(setting(8, 8, 8, 2, "hermite"), gpu.Facts{}); err != nil {
		t.Error(err)
	}
	if err := v.Supports(setting(8, 8, 8, 2, "bspline"), gpu.Facts{}); err == nil {
		t.Error("NPP takes B-splines")
	}
	if _, err := nppLibrary.Open("libabsent.so.1"); err == nil || !strings.Contains(err.Error(), "libabsent.so.1") || !strings.Contains(err.Error(), "install") {
		t.Errorf("an absent library: %v", err)
	}
}

// A negative result of NPP is an error that names the call, a positive one a
// warning.
func TestNPPFails(t *testing.T) {
	for code, want := range map[int32]string{-6: "nppiResize_32f_C1R_Ctx: error -6", 29: ""} {
		lib := &nppFunctions{library: &dynlib.Library{Name: "libnppig.so"}}
		lib.resize = func(uintptr, int32, nppSize, nppRect, uintptr, int32, nppSize, nppRect, int32, nppContext) int32 {
			return code
		}
		env := framework.Env{Device: simtest.Open(t), Note: func(string, ...any) {}}
		n := &nppRun{gpuRun: newGPURun(env, testProblem(t, setting(4, 4, 2, 2, "hermite"))), lib: lib}
		err := n.PreRun()
		if err == nil {
			err = n.Run()
		}
		if err = errors.Join(err, n.PostRun()); (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%d: %v, want %q", code, err, want)
		}
	}
}
