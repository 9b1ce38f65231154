package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// sample has each kind once or more, and what is none beside it.
const sample = `#define TILE 8 // a[i] < b
template <int N> struct Box { int x[N]; };
#ifndef BENCH_SIM
__device__ void only(float *a) { a[1] = 0; }
#else
__device__ void only(float *a) { a[threadIdx.x] = 2; }
#endif
__global__ void k(float *out, const float *in, int n) {
  __shared__ float tile[TILE][TILE + 1];
  extern __shared__ float more[];
  const int t = threadIdx.y;
  float sum = 0;
  if (t >= n) return;
  tile[t][n] = in[t];
  __syncthreads();
  for (int i = 0; i < n; i++) {
    sum += tile[i][t] * more[i];
  }
  out[t] = sum;
}
`

func TestMutantsOf(t *testing.T) {
	var got []string
	for _, m := range mutantsOf("k.cu", sample) {
		if m.apply(sample) == sample != m.Dynamic || strings.Count(m.apply(sample), "\n") != strings.Count(sample, "\n") {
			t.Errorf("%+v changes nothing, or lines", m)
		}
		got = append(got, fmt.Sprintf("%d %s: %s -> %s", m.Line, m.Kind, m.Old, m.New))
	}
	want := []string{
		"6 index + 1: threadIdx.x -> (threadIdx.x) + 1", "6 index - 1: threadIdx.x -> (threadIdx.x) - 1", "6 missing initialisation: a[threadIdx.x] = 2; -> ;", "6 swapped axes: x -> y",
		"9 shrunk shared array: TILE -> (TILE) - 1", "10 shrunk shared array: extern __shared__ float more[]; -> ", "11 swapped axes: y -> x", "12 missing initialisation:  = 0 -> ",
		"13 bound: >= -> >", "14 index + 1: t -> (t) + 1", "14 index - 1: t -> (t) - 1", "14 swapped axes: t][n -> n][t", "14 index + 1: n -> (n) + 1", "14 index - 1: n -> (n) - 1",
		"14 index + 1: t -> (t) + 1", "14 index - 1: t -> (t) - 1", "15 dropped barrier: __syncthreads(); -> ;", "16 missing initialisation:  = 0 -> ", "16 bound: < -> <=",
		"17 index + 1: i -> (i) + 1", "17 index - 1: i -> (i) - 1", "17 swapped axes: i][t -> t][i", "17 index + 1: t -> (t) + 1", "17 index - 1: t -> (t) - 1",
		"17 index + 1: i -> (i) + 1", "17 index - 1: i -> (i) - 1", "19 index + 1: t -> (t) + 1", "19 index - 1: t -> (t) - 1",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A report is right in the lines of the mistake, in the file of the mistake.
func TestRightLines(t *testing.T) {
	right := map[string][]int{
		"11 y":    {11, 13, 14, 17, 19}, // t is computed there
		"12  = 0": {12, 17, 19}, "13 >=": {13, 14, 15, 16, 17, 18, 19, 20}, "15 __syncthreads();": {8, 12, 20}, "16 <": {16, 17, 18},
		"9 TILE": {9, 14, 17},
	}
	for _, m := range mutantsOf("a/k.cu", sample) {
		want := right[fmt.Sprint(m.Line, " ", m.Old)]
		for _, line := range want {
			if !isRight(m, fmt.Sprintf("thread (0,0,0): k.cu:%d: race", line)) {
				t.Errorf("%s: line %d is wrong", m.id(), line)
			}
		}
		if want != nil && (isRight(m, "other.cu:12: race") || isRight(m, "k.cu:3: race") || isRight(m, "wrong")) {
			t.Errorf("%s: another place is right", m.id())
		}
		if m.Kind == shrunk && !m.Dynamic && !isRight(m, "k.cu:1: 0 bytes past the end of __shared__ tile (288 bytes)") {
			t.Errorf("%s: the array's name is wrong", m.id())
		}
	}
}

// TestSeededMutants is a small run: each mutant that is drawn is found, and a kernel
// without one is not. What lets threads read past the end is found in its place; where the
// axes are swapped, threads write what others do, and only the results are wrong.
func TestSeededMutants(t *testing.T) {
	t.Chdir("../..")
	list, err := subjects()
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(s subject) bool { return s.name != "configs/polybench/2dconv.json" })
	r, err := baseline(list)
	if err != nil || len(r.points) != 5 {
		t.Fatalf("%d points without a mutant: %v", len(r.points), err)
	}
	d, err := open()
	if err != nil {
		t.Fatal(err)
	}
	const path = "configs/polybench/2dconv.cu"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range (campaign{each: 1, seed: 3}).draw(mutantsOf(path, string(text))) {
		points, hashes := r.of(m, string(text))
		v := examine(d, m, string(text), map[string]subject{list[0].name: list[0]}, points, hashes)
		if v.Outcome != wrong && v.Outcome != named || (m.Kind == bound) != v.Right {
			t.Errorf("%s: %+v", m.id(), v)
		}
	}
	m := mutantsOf(path, string(text))[0]
	points, hashes := r.of(m, string(text))
	m.New = m.Old
	if v := examine(d, m, string(text), map[string]subject{list[0].name: list[0]}, points, hashes); v.Outcome != unchanged || v.Points != 5 {
		t.Errorf("no change: %+v", v)
	}
}
