package fft

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/sim"
	"example.org/bench/gpu/cuda/sim/simtest"
)

// eachKernel are tunables of version "multi": N, S, P and r of each.
func eachKernel(split int64, each ...[4]int64) framework.Values {
	v := framework.IntValues("SPLIT", int(split), "B", 1)
	for i := range mostKernels {
		k, l := [4]int64{1, 1, 1, 1}, int64(1)
		if i < len(each) {
			k = each[i]
			l = k[1] / k[2]
		}
		for name, x := range map[string]int64{"N": k[0], "S": k[1], "P": k[2], "L": l, "r": k[3]} {
			v[name+kernelSuffix(i)] = framework.IntValue(x)
		}
	}
	return v
}

// TestMulti runs kernels that are not alike.
func TestMulti(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct {
		n, batch             int64
		precision, direction string
		split                int64
		each                 [][4]int64
	}{
		{8192, 3, "f32", "forward", 1, [][4]int64{{256, 2048, 8, 8}, {32, 1024, 4, 4}}},
		{8192, 1, "f64", "inverse", 0, [][4]int64{{16, 512, 16, 4}, {32, 256, 8, 8}, {16, 1024, 2, 2}}},
	} {
		algorithmtest.Solve(t, Factory(), d, "multi", params(x.n, x.n*x.batch, x.precision, x.direction), eachKernel(x.split, x.each...))
	}
}

// TestCooperative runs two and three passes in one kernel, with more tiles than blocks
// at once.
func TestCooperative(t *testing.T) {
	d := simtest.Open(t, sim.Checks())
	for _, x := range []struct {
		n, batch             int64
		precision, direction string
		s, p, r, split       int64
	}{
		{8192, 5, "f32", "forward", 512, 8, 8, 1},
		{8192, 2, "f64", "inverse", 64, 2, 2, 0},
	} {
		v := tunables(x.s, x.p, x.s/x.p, x.r, x.split, 1)
		for _, name := range []string{"AHEAD", "FETCH", "CHUNK", "LAG", "CLUSTER"} {
			delete(v, name)
		}
		algorithmtest.Solve(t, Factory(), d, "cooperative", params(x.n, x.n*x.batch, x.precision, x.direction), v)
	}
}

// TestMultiDefaults are the literature's choice on a TX1, row for row: S = 2048, P = 8,
// radix 8; two kernels, and three from N = 524288 on.
func TestMultiDefaults(t *testing.T) {
	for n := int64(8192); n <= maxN; n *= 2 {
		p := params(n, gpuElements, "f32", "forward")
		v := multiDefaults(p, boards[0])
		passes, err := planMultiOf(p, v)
		if err != nil {
			t.Fatal(n, err)
		}
		want := 2
		if n >= 524288 {
			want = 3
		}
		if len(passes) != want {
			t.Errorf("N = %d: %d kernels, want %d", n, len(passes), want)
		}
		for i, k := range passes {
			if k.elements() != 2048 || k.points != 8 || k.radix != 8 {
				t.Errorf("N = %d, kernel %d: S = %d, P = %d, r = %d", n, i+1, k.elements(), k.points, k.radix)
			}
		}
		if err := multiValid(p, v, boards[0]); err != nil {
			t.Errorf("N = %d: %v", n, err)
		}
	}
}

// TestMultiMeasuredDefaults are the fastest of results/h200-multi-defaults by both batches, at the lengths where one is.
func TestMultiMeasuredDefaults(t *testing.T) {
	wide := boards[len(boards)-1]
	for n, want := range map[int64][2][4]int64{
		1 << 14: {{128, 4096, 16, 256}, {128, 4096, 16, 256}},
		1 << 15: {{256, 4096, 16, 256}, {128, 4096, 16, 256}},
		1 << 16: {{256, 8192, 16, 512}, {256, 8192, 16, 512}},
		1 << 18: {{512, 8192, 32, 256}, {512, 8192, 32, 256}},
		1 << 20: {{1024, 16384, 32, 512}, {1024, 16384, 32, 512}},
		1 << 21: {{2048, 8192, 64, 128}, {1024, 16384, 32, 512}},
		1 << 22: {{2048, 8192, 64, 128}, {2048, 16384, 64, 256}},
		1 << 23: {{4096, 16384, 64, 256}, {2048, 16384, 64, 256}},
	} {
		p := params(n, gpuElements, "f32", "forward")
		v := multiDefaults(p, wide)
		for i, kernel := range want {
			for j, name := range []string{"N", "S", "P", "L"} {
				if name += kernelSuffix(i); v.Int(name) != kernel[j] {
					t.Errorf("N = %d: %s = %d, want %d", n, name, v.Int(name), kernel[j])
				}
			}
		}
		if err := multiValid(p, v, wide); err != nil {
			t.Errorf("N = %d: %v", n, err)
		}
	}
}

func TestMultiRefusals(t *testing.T) {
	good := func() framework.Values { return eachKernel(1, [4]int64{256, 2048, 8, 8}, [4]int64{32, 1024, 4, 4}) }
	p := params(8192, 8192, "f32", "forward")
	if err := multiValid(p, good(), boards[0]); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name  string
		value int64
		want  string
	}{
		{"N1", 128, "the product of N1, N2 and N3 is 4096, want N = 8192"},
		{"N2", 64, "N2 = 64 is not a power of two that divides what is left of N = 8192, 32"},
		{"N2", 3, "N2 = 3 is not a power of two"},
		{"N3", 2, "N3 = 2 is not a power of two that divides what is left"},
		{"S3", 64, "S3 = 64: want 1, because N3 = 1 means no such kernel"},
		{"S2", 2048, "S2 = 2048 is not P2·L2 = 1024"},
		{"r1", 16, "r1 = 16 exceeds P1 = 8"},
		{"L1", 0, "L1 = 0 is not a power of two"},
	} {
		v := good()
		v[x.name] = framework.IntValue(x.value)
		if err := multiValid(p, v, boards[0]); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s = %d: %v, want %q", x.name, x.value, err, x.want)
		}
	}
	v := good()
	v["S2"], v["L2"] = framework.IntValue(16), framework.IntValue(4)
	if err := multiValid(p, v, boards[0]); err == nil || !strings.Contains(err.Error(), "kernel 2: S = 16 has no room for a column of 32") {
		t.Error(err)
	}
}
