package kernel

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
)

// addText is a config of two inputs and an answer of N floats, or a sum of them.
const addText = `{"algorithm": {"cuda": {
	"source": "add.cu",
	"params": [{"name": "N", "default": 2097152}],
	"arguments": [
		{"name": "x", "type": "TYPE", "size": "N", "fill": {"random": [0, 9]}},
		{"name": "y", "type": "TYPE", "size": "N", "fill": {"random": [0, 9]}},
		{"name": "z", "type": "TYPE", "size": "N", "use": "output"},
		{"name": "n", "type": "i32", "value": "N"}
	],
	"kernels": [{"name": "add", "grid": "ceildiv(N, 128)", "block": 128}],
	"versions": VERSIONS,
	"verify": VERIFY
}}}`

// TestMemoryIsKnownBefore: what points of kernels and C functions take is within 10 % of
// what is said before, however their answers are checked.
func TestMemoryIsKnownBefore(t *testing.T) {
	if !algorithmtest.InOwnProcess(t) {
		return
	}
	const gpu, both = `[{"name": "gpu"}]`, `[{"name": "gpu"}, {"name": "c", "c": {"source": "add.c", "function": "add"}}]`
	board := algorithmtest.NewBoard(t)
	for _, c := range []struct{ element, versions, verify string }{
		{"f32", both, `{"c": {"source": "add.c", "function": "add", "double": true, "options": ["-DREAL=double"]}}`},
		{"f32", both, `{"c": {"source": "add.c", "function": "add"}}`},
		{"i32", gpu, `{"kernels": [{"name": "add", "grid": "ceildiv(N, 256)", "block": 256}]}`},
		{"i32", gpu, `{"none": "nobody knows"}`},
	} {
		number := map[string]string{"f32": "float", "i32": "int"}[c.element]
		path := files(t, map[string]string{
			"add.cu": strings.ReplaceAll(`extern "C" __global__ void add(const NUMBER *x, const NUMBER *y, NUMBER *z, int n) {
				int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) z[i] = x[i] + y[i]; }`, "NUMBER", number),
			"add.c":  "#ifndef REAL\n#define REAL float\n#endif\nvoid add(const REAL *x, const REAL *y, REAL *z, int n) { for (int i = 0; i < n; i++) z[i] = x[i] + y[i]; }\n",
			"x.json": strings.NewReplacer("TYPE", c.element, "VERSIONS", c.versions, "VERIFY", c.verify).Replace(addText),
		})
		f := factory(t, path)
		t.Log(c.verify)
		points := board.EveryVersion(t, f, framework.Values{}, false)
		if want := strings.Count(c.versions, "name"); len(points) != want {
			t.Fatalf("%d versions, want %d", len(points), want)
		}
		board.MemoryIsKnown(t, f, points)
	}
}
