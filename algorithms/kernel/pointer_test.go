package kernel

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// Pointers into arguments: to a row for each turn of a loop, the same argument twice, an array of pointers to
// rows and one to several arguments, and one in a structure.
const (
	pointerKernels = `struct Part { const float *from; int n; };
extern "C" __global__ void scale(float *row, const float *same, int i) { row[threadIdx.x] = same[8 * i + threadIdx.x] * (i + 1); }
extern "C" __global__ void sums(float *sums, const float *const *rows, float **three, Part part) {
    int i = threadIdx.x;
    for (int k = 0; k < 8; k++) sums[i] += rows[i][k];
    for (int k = 0; k < 3; k++) sums[i] += 100 * three[k][i];
    if (i < part.n) sums[i] += 10000 * part.from[i];
}
`
	pointerConfig = `{"algorithm": {"cuda": {"source": "x.cu", "params": [{"name": "ROWS", "default": 4}],
 "arguments": [
  {"name": "m", "type": "f32", "shape": ["ROWS", 8], "use": "in_place", "fill": {"random": [-1, 1]}},
  {"name": "row", "from": "m", "offset": "8*r"}, {"name": "same", "from": "m"}, {"name": "r", "type": "i32", "value": "r"},
  {"name": "sums", "type": "f32", "size": "ROWS", "use": "in_place", "fill": {"constant": 0}},
  {"name": "rows", "from": "m", "for": {"i": "ROWS"}, "offset": "8*i"},
  {"name": "x", "type": "f32", "size": "ROWS", "fill": {"random": [-1, 1]}},
  {"name": "y", "type": "f32", "size": "ROWS", "fill": {"random": [-1, 1]}},
  {"name": "three", "from": ["x", "y", "x"]},
  {"name": "part", "fields": [{"name": "from", "from": "x", "offset": "SKIP"}, {"name": "n", "type": "i32", "value": "ROWS - SKIP"}]}],
 "kernels": [
  {"for": {"r": "ROWS"}, "kernels": [{"name": "scale", "grid": 1, "block": 8, "arguments": ["row", "same", "r"]}]},
  {"name": "sums", "grid": 1, "block": "ROWS", "arguments": ["sums", "rows", "three", "part"]}],
 "tunables": [{"name": "SKIP", "values": [1, 2]}],
 "verify": {"c": {"source": "x.c", "function": "right", "double": true}}}}}`
	pointerRight = `void right(double *m, double *sums, const double *x, const double *y) {
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 8; k++) m[8 * i + k] *= i + 1;
        for (int k = 0; k < 8; k++) sums[i] += m[8 * i + k];
        sums[i] += 100 * (x[i] + y[i] + x[i]);
        if (i < 3) sums[i] += 10000 * x[i + 1];
    }
}
`
)

func TestPointersIntoArguments(t *testing.T) {
	d := device(t)
	texts := map[string]string{"x.json": pointerConfig, "x.cu": pointerKernels, "x.c": pointerRight}
	try := func() ([]framework.Check, error) {
		checks, _, err := algorithmtest.Try(factory(t, files(t, texts)), d, "scale", nil, nil)
		return checks, err
	}
	if checks, err := try(); err != nil || len(checks) != 2 || !algorithmtest.Good(checks) {
		t.Errorf("%v, %v", checks, err)
	}
	// m and sums once more, for what they hold before a run, x and y too, and seven pointers.
	f := factory(t, files(t, texts))
	if got := f.Versions[0].DeviceBytes(params(f, nil), framework.IntValues("SKIP", 1)); got != 4*2*(32+4+4+4)+8*(4+3) {
		t.Errorf("%d bytes on the device", got)
	}
	for _, wrong := range []string{`"offset": "8*r"|"offset": "8*(ROWS - 1 - r)"`, `"same", "from": "m"|"same", "from": "m", "offset": 0, "for": {"z": 1}`, `"offset": "8*i"|"offset": "4*i"`,
		`"x", "y", "x"]|"x", "x", "x"]`, `"offset": "SKIP"|"offset": "SKIP - 1"`, `"n", "type": "i32", "value": "ROWS - SKIP"|"n", "type": "i32", "value": "ROWS - SKIP - 1"`} {
		old, replacement, _ := strings.Cut(wrong, "|")
		if !strings.Contains(pointerConfig, old) {
			t.Fatalf("no %s in the config", old)
		}
		texts["x.json"] = strings.Replace(pointerConfig, old, replacement, 1)
		cfg, err := load(files(t, texts))
		if err != nil {
			continue
		}
		if checks, _, err := algorithmtest.Try(cfg, d, "scale", nil, nil); err == nil && algorithmtest.Good(checks) {
			t.Errorf("%s: %v", wrong, checks)
		}
	}
	// A fault in a row is told of the argument that the launch has.
	texts["x.json"] = pointerConfig
	texts["x.cu"] = strings.Replace(pointerKernels, "row[threadIdx.x] =", "row[threadIdx.x + 8] =", 1)
	if _, err := try(); err == nil || !strings.Contains(err.Error(), "past the end of argument 2, same, an allocation of 128 bytes") {
		t.Error(err)
	}
}

// TestPointersOnADriver: the driver gets an address in the vector, and an array that holds addresses.
func TestPointersOnADriver(t *testing.T) {
	text := `{"algorithm": {"cuda": {"source": "x.cu", "arguments": [
 {"name": "y", "type": "u64", "size": 8, "use": "output", "fill": {"constant": 7}}, {"name": "third", "from": "y", "offset": 2},
 {"name": "list", "from": "y", "for": {"i": 4}, "offset": "2*i"}`
	parameters, passed := "unsigned long *y, unsigned long **l", `"third", "list"`
	for _, name := range strings.Split("abcdefgh", "") {
		text += `, {"name": "` + name + `", "type": "i64", "value": 0}`
		parameters += ", long " + name
		passed += `, "` + name + `"`
	}
	text += `], "kernels": [{"name": "ten", "grid": 1, "block": 1, "arguments": [` + passed + `]}], "verify": {"none": "the driver knows one kernel"}}}}`
	f := factory(t, files(t, map[string]string{"x.json": text, "x.cu": `extern "C" __global__ void ten(` + parameters + `) { *y += 1; }`}))
	g := drivertest.Build(t).Open(t)
	run := ranOn(t, f, g, nil)
	got, err := run.answer(0)
	if len(run.tables) != 1 {
		t.Fatalf("%d arrays of pointers", len(run.tables))
	}
	for content, at := range run.tables {
		if list := []byte(content); len(list) != 32 || uint64(list[8])|uint64(list[9])<<8 != uint64(run.vectors[0]+16)&0xffff {
			t.Errorf("an array of %x for a vector at %x", list, run.vectors[0])
		}
		if words := view[uint64](got); err != nil || words[2] != 7+uint64(at) || words[0] != 7 {
			t.Errorf("%x, %v; want %x added to the third", words, err, at)
		}
	}
}

func TestPointersAreRefused(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`"from": "m", "offset": "8*r"`, `"from": "n", "offset": "8*r"`, `algorithm.cuda.arguments[1].from: "n" is not an argument with a size; did you mean "m"? arguments: m, sums, x, y`},
		{`"from": "m", "offset": "8*r"`, `"from": "r"`, `"r" is not an argument with a size`},
		{`"from": "m", "offset": "8*r"`, `"from": "m", "offset": "8*r", "type": "f32"`, "algorithm.cuda.arguments[1]: row points into another argument, which has type, size, use and fill; want only name, from, offset and for"},
		{`"from": "m", "offset": "8*r"`, `"offset": "8*r"`, "algorithm.cuda.arguments[1]: offset and for belong to from, the argument that row points into"},
		{`"offset": "8*r"`, `"offset": "9*r + 7"`, "algorithm.cuda.arguments[1].offset: 9*r + 7 is 34 for r = 3; m has 32 elements"},
		{`"offset": "8*i"`, `"offset": "8*i - 1"`, "algorithm.cuda.arguments[5].offset: 8*i - 1 is -1 for i = 0; m has 32 elements"},
		{`"for": {"i": "ROWS"}`, `"for": {"i": "ROWS - 4"}`, "algorithm.cuda.arguments[5].for.i: ROWS - 4 is 0 for ROWS = 4; want 1 to 65536 pointers"},
		{`"for": {"i": "ROWS"}`, `"for": {"SKIP": "ROWS"}`, "SKIP is the name of a parameter, a tunable or a loop"},
		{`"for": {"i": "ROWS"}`, `"for": {"i": "ROWS", "j": 2}`, `algorithm.cuda.arguments[5].for: want one name, as in {"i": 16}`},
		{`"from": ["x", "y", "x"]`, `"from": ["x", "y"], "for": {"i": 2}`, "algorithm.cuda.arguments[8].from: for repeats pointers into one argument; want one name"},
		{`"arguments": ["sums", "rows",`, `"arguments": ["sums", "row",`, "algorithm.cuda.kernels[1]: the place of row, 8*r, depends on r, which is no loop around this launch"},
		{`"arguments": ["row", "same", "r"]`, `"arguments": ["rows", "same", "r"]`, "algorithm.cuda.arguments[5]: argument rows is an array of pointers, and kernel scale of x.cu takes float *row"},
	} {
		if !strings.Contains(pointerConfig, c.old) {
			t.Fatalf("no %s in the config", c.old)
		}
		err := checkedConfig(t, map[string]string{"x.json": strings.Replace(pointerConfig, c.old, c.replacement, 1), "x.cu": pointerKernels, "x.c": pointerRight})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant %s", c.replacement, err, c.want)
		}
	}
}
