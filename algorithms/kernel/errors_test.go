package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/framework/config"
	"example.org/bench/framework/plan"
)

// Each change of a good config is refused at its place, with what would be
// right. The place is the line and column of the mark.
func TestErrorsPointAtTheConfig(t *testing.T) {
	good := axpy("", `,
 "constraints": ["BLOCK <= 64"]`)
	for _, c := range []struct{ old, replacement, want string }{
		{`"x.cu"`, `^"y.cu"`, "no such file or directory; a path is relative to the config"},
		{`"value": "N"}`, `"value": ^"M"}`, `at character 1: "M" is not a name here; did you mean "N"?`},
		{`"value": "N"}`, `"value": "BLOCK"}`, "right is called with (a, x, y), as listed in arguments, without scratch and values that depend on launches, and takes 4"},
		{`"size": "N", "fill"`, `"size": ^"N +", "fill"`, "at character 3: it ends where a number, a name or a bracket is wanted"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `^{"name": "n", "type": "i32"}`, "want value, which makes a scalar, or size"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `^{"name": "n", "type": "i32", "value": 1, "size": 2}`, "value makes a scalar and size a vector; want one of them"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `{"name": ^"a", "type": "i32", "value": "N"}`, "a is the name of arguments[0].name already"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `{"name": "n", "type": ^"int", "value": "N"}`, `"int" is i32 here; want that`},
		{`{"name": "n", "type": "i32", "value": "N"}`, `{"name": "n", "type": ^"integer", "value": "N"}`, `"integer" is not a type`},
		{`{"name": "n", "type": "i32", "value": "N"}`, `{"name": "n", "type": ^"pointer", "size": "N"}`, "a pointer is passed as 0 and has a value"},
		{`{"name": "n", "type": "i32", "value": "N"}`, `^{"name": "n", "type": "i32", "value": "N", "compare": "sum"}`, "compare are a vector's"},
		{`"fill": {"random": [-1, 1]}},
  {"name": "y"`, `"fill": {"random": [-1, 1]}, "compare": ^"sum"},
  {"name": "y"`, "x is not an answer; want the use output or in_place"},
		{`"use": "in_place", "fill": {"random": [-1, 1]}}`, `"use": "output"}, {"name": "z", "type": "f32", "size": ^"BLOCK", "use": "output"}`, "want \"compare\", such as \"sum\""},
		{`"size": "N", "fill"`, `"size": "N", "shape": ^["N"], "fill"`, "the size is the product of the shape; want size or shape"},
		{`"size": "N", "fill"`, `"shape": ["N", ^"M"], "fill"`, `"M" is not a name here; did you mean "N"?`},
		{`"constraints"`, `"benign": [{"line": ^"y.cu:1", "reason": "none"}], "constraints"`, "y.cu is no file of the source x.cu"},
		{`"constraints"`, `"benign": [{"line": ^"x.cu:900", "reason": "none"}], "constraints"`, "x.cu has "},
		{`"constraints"`, `"constants": [{"name": ^"shif", "type": "f32", "value": 1}], "constraints"`, `x.cu has no variable shif; did you mean "shift"?`},
		{`"constraints"`, `"constants": [^{"name": "axpy", "type": "f32"}], "constraints"`, "what does axpy hold? want size and fill, or value, or from"},
		{`"constraints"`, `"constants": [{"name": "axpy", "from": ^"z"}], "constraints"`, `"z" is not an argument`},
		{`"constraints"`, `"constants": [{"name": "axpy", "from": ^"n"}], "constraints"`, "n holds nothing before a run; want an argument with fill"},
		{`"constraints"`, `"constants": [{"name": "axpy", "from": "x", "type": ^"f64"}], "constraints"`, "x is of f32; want that type, or none"},
		{`"constraints"`, `"constants": [{"name": ^"a b", "type": "f32", "value": 1}], "constraints"`, `"a b" is not a name of C++`},
		{`{"name": "axpy", "grid"`, `{"name": ^"many", "grid"`, "kernel many is a template in"},
		{`"x.cu"`, `^["x.cu", "y.ptx"]`, "y.ptx is compiled code, which is a source alone"},
		{`"x.cu"`, `^"k_{M}.ptx"`, `{M} is neither a parameter nor a tunable; did you mean "N"?`},
		{`"x.cu"`, `^"no_{N}.ptx"`, "there is no file"},
		{`{"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}}`, `^{"name": "x", "type": "f32", "size": "N"}`, "what does x hold before a run?"},
		{`"use": "in_place"`, `"use": "input"`, "no vector has the use output or in_place"},
		{`{"random": [-1, 1]}}`, `{"random": ^[1, -1]}}`, "1 is above -1; want [least, greatest]"},
		{`{"random": [-1, 1]}}`, `{"file": ^"a.npy"}}`, "no such file"},
		{`{"random": [-1, 1]}}`, `^{"random": [-1, 1], "constant": 1}}`, "want one of random, constant and file"},
		{`{"random": [-1, 1]}}`, `^{"keep": true}}`, "want one of random, constant and file"},
		{`{"random": [-1, 1]}}`, `{"constant": 1, "keep": ^true}}`, "it is of random numbers"},
		{`{"name": "axpy", "grid"`, `{"name": ^"axpi", "grid"`, `x.cu has no kernel axpi; did you mean "axpy"?`},
		{`"block": "BLOCK"`, `"block": "BLOCK", "arguments": ["a", ^"z"]`, `"z" is not an argument`},
		{`"axpy", "grid"`, `^"axpy", "arguments": ["a", "y"], "grid"`, "kernel axpy takes 4 arguments in"},
		{`"grid": "ceildiv(N, BLOCK)"`, `"grid": ["ceildiv(N, BLOCK)", ^"Y"]`, `"Y" is not a name here`},
		{`"values": [32, 64]`, `"values": ^[32, "x"]`, "32 is a number and others are words; want one kind"},
		{`"name": "BLOCK"`, `"name": ^"N"`, "N is the name of a parameter already"},
		{`"name": "BLOCK"`, `"name": ^"max"`, "max has a meaning in expressions"},
		{`"BLOCK <= 64"`, `^"BLOCK + 'a'"`, "at character 7: invalid operation: + (mismatched types int and string)"},
		{`"default": 100`, `"default": ^0.5`, "0.5 is not a whole number"},
		{`"default": 100`, `"default": ^0`, "0 is not from min to max; want 1 to 100000"},
		{`"verify": {"c"`, `"verify": ^{"none": "because", "c"`, "want one of c, kernels, program, files and none, which say where the right answer comes from; got 2"},
		{`"x.c"`, `^"y.c"`, "no such file"},
		{`"right"`, `^"left"`, "x.c has no function left"},
		{`"double": true}`, `"double": true}, "tolerance": {"x": ^0}`, "x is not an output"},
		{`"double": true}`, `"double": true}, "at": [{"M": ^3}]`, "M is not a parameter"},
		{`"constraints"`, `"versions": [{"name": "a"}, {"name": ^"a"}], "constraints"`, `two versions are called "a"; want another name`},
		{`"constraints"`, `"versions": [{"name": "c", "c": {"source": "x.c", "function": "same", "double": ^true}}], "constraints"`, "only the right answer may be in double precision"},
		{`{"c": {"source": "x.c", "function": "right", "double": true}}`, `{"kernels": ^[{"name": "again", "grid": 1, "block": 1}]},
 "versions": [{"name": "c", "c": {"source": "x.c", "function": "same"}}]`, "version c runs on the CPU, where no kernel can give the right answer"},
	} {
		refused(t, good, c.old, c.replacement, c.want, map[string]string{
			"x.cu": axpyKernel + "__constant__ float shift[2];\ntemplate <class T> __global__ void many(T a, const T *x, T *y, int n) {}\n", "x.c": axpyRight,
			"k_1.ptx": ".entry axpy(.param .u32 a, .param .u64 b, .param .u64 c, .param .u32 d) {}"})
	}
	if _, err := load(files(t, map[string]string{"x.json": good, "x.cu": axpyKernel, "x.c": axpyRight})); err != nil {
		t.Errorf("the good config: %v", err)
	}
}

// refused loads a good config in which something is replaced, beside other files. Its complaint must have these
// words, at the place of the replacement's ^ if it has one.
func refused(t *testing.T, good, old, replacement, want string, beside map[string]string) {
	t.Helper()
	if !strings.Contains(good, old) {
		t.Fatalf("no %s in the good config", old)
	}
	text := strings.Replace(good, old, replacement, 1)
	line, column := 0, 0
	if before, after, ok := strings.Cut(text, "^"); ok {
		line, column = strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n")
		text = before + after
	}
	all := maps.Clone(beside)
	all["x.json"] = text
	_, err := load(files(t, all))
	list, ok := err.(*config.Errors)
	if !ok {
		t.Errorf("%s: %v", replacement, err)
		return
	}
	if !slices.ContainsFunc(list.List, func(e config.Error) bool {
		return strings.Contains(e.Msg, want) && (line == 0 || e.Pos.Line == line && e.Pos.Column == column)
	}) {
		t.Errorf("%s: got\n%v\nwant %d:%d: %s", replacement, err, line, column, want)
	}
}

// TestNoKeyTakesAComment: // would drop the rest of the expression, in whatever key it stands.
func TestNoKeyTakesAComment(t *testing.T) {
	good := axpy("", `,
 "requires": ["N > 0"], "nominal_flops": "2*N", "nominal_bytes": "8*N", "items": {"name": "rows", "count": "N"}, "constraints": ["BLOCK <= 64"],
 "options": [{"option": "-O1", "when": "BLOCK == 32"}], "constants": [{"name": "shift", "type": "f32", "size": "N * 1", "fill": {"constant": 1}}],
 "flops": "3*N", "load_bytes": "4*N", "store_bytes": "5*N"`)
	right := strings.Replace(axpyRight, "int n)", "int n, const double *shift)", 1)
	good = strings.Replace(good, `"block": "BLOCK"`, `"block": ["BLOCK", "1 + 0"], "shared_bytes": "BLOCK * 4"`, 1)
	for _, formula := range []string{"N > 50 ? 2.5 : 1", "N", "ceildiv(N, BLOCK)", "BLOCK", "1 + 0", "BLOCK * 4", "N > 50 ? 64 : 32", "N > 0", "2*N", "8*N", "BLOCK <= 64",
		"BLOCK == 32", "N * 1", "3*N", "4*N", "5*N"} {
		for at := 0; ; {
			next := strings.Index(good[at:], `"`+formula+`"`)
			if next < 0 {
				break
			}
			at += next + len(formula) + 1 // before the closing quote
			key := good[strings.LastIndex(good[:at-len(formula)-1], `": `)-6 : at]
			if strings.Contains(key, `name`) {
				continue
			}
			path := files(t, map[string]string{"x.json": good[:at] + " // 2" + good[at:], "x.cu": axpyKernel + "__constant__ float shift[2];", "x.c": right})
			if _, err := load(path); err == nil || !strings.Contains(err.Error(), "want floor(a / b) or ceildiv(a, b)") {
				t.Errorf("%s: %v", key, err)
			}
		}
	}
	if _, err := load(files(t, map[string]string{"x.json": good, "x.cu": axpyKernel + "__constant__ float shift[2];", "x.c": right})); err != nil {
		t.Errorf("the good config: %v", err)
	}
}

// marked takes the mark out of a config; place is its line and column.
func marked(t *testing.T, text string) (place, rest string) {
	t.Helper()
	before, after, ok := strings.Cut(text, "^")
	if !ok {
		t.Fatalf("no mark in %s", text)
	}
	return fmt.Sprintf("x.json:%d:%d", strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n")), before + after
}

// The plan refuses a parameter that requires excludes at the parameter's value,
// and an expression that fails at a value at the expression.
func TestErrorsOfValues(t *testing.T) {
	for _, c := range []struct{ old, replacement, sweep, want string }{
		{`"size": "N", "fill"`, `"size": ^"N/3", "fill"`, "[99, 100]", `: algorithm.cuda.arguments[1].size: N/3 is 33.333333333333336 for N = 100; want a whole number`},
		{`"size": "N", "fill"`, `"size": ^"N - 10", "fill"`, "[9, 10, 11]", `: algorithm.cuda.arguments[1].size: x has N - 10 = -1 elements for N = 9; want 1 to 2^40 (and 1 more here)`},
		{`"size": "N", "fill"`, `"size": ^"-1", "fill"`, "[10]", `: algorithm.cuda.arguments[1].size: x has -1 elements; want 1 to 2^40`},
		{`"value": "N"}`, `"value": ^"N*N*1000000"}`, "[4, 1000]", `: algorithm.cuda.arguments[3].value: N*N*1000000 for N = 1000: 1e+12 is not of type i32; want a whole number from -2147483648 to 2147483647`},
		{`"verify"`, `"constants": [{"name": "again", "type": "f32", "size": ^"N - 9", "fill": {"constant": 1}}], "verify"`, "[9]", `: algorithm.cuda.constants[0].size: again has N - 9 = 0 elements for N = 9; want 1 to 2^40`},
		{`"verify"`, `"constants": [{"name": "again", "type": "u8", "value": ^"N"}], "verify"`, "[9, 300]", `: algorithm.cuda.constants[0].value: N for N = 300: 300 is not of type u8; want a whole number from 0 to 255`},
		{`"verify"`, `"constants": [{"name": "again", "from": "x", "size": ^"2*N"}], "verify"`, "[9]", `: algorithm.cuda.constants[0].size: again has 18 elements for N = 9, and x 9; want at most as many`},
		{`"size": "N", "fill"`, `"shape": ^["N", "N - 9"], "fill"`, "[9, 10]", `: algorithm.cuda.arguments[1].shape: x has (N) * (N - 9) = 0 elements for N = 9; want 1 to 2^40`},
		{`"value": "N > 50 ? 2.5 : 1"`, `"value": ^"1e39"`, "[9]", `: algorithm.cuda.arguments[0].value: 1e39: 1e+39 is not of type f32; want a number from -3.4028235e+38 to 3.4028235e+38`},
		{`"value": "N > 50 ? 2.5 : 1"`, `"value": ^"log2(8 - N)"`, "[9]", `: algorithm.cuda.arguments[0].value: log2(8 - N) for N = 9: log2(-1) is no real number`},
		{`"value": "N > 50 ? 2.5 : 1"`, `"value": ^"log2(9 - N)"`, "[9]", `: algorithm.cuda.arguments[0].value: log2(9 - N) for N = 9: log2(0) is no real number`},
		{`"value": "N"}`, `"value": ^"18446744073709551615.0"}`, "[9]", `: algorithm.cuda.arguments[3].value: 18446744073709551615.0 is 1.8446744073709552e+19; want a whole number from -2^63 to 2^63-1`},
		{`"verify"`, `"constants": [{"name": "again", "type": "f16", "value": ^"N*1000"}], "verify"`, "[9, 70]", `: algorithm.cuda.constants[0].value: N*1000 for N = 70: 70000 is not of type f16; want a number from -65504 to 65504`},
		{`"verify"`, `"constants": [{"name": "again", "type": "u64", "value": ^"3 - N"}], "verify"`, "[9]", `: algorithm.cuda.constants[0].value: 3 - N is -6 for N = 9; want 0 to 2^63-1 for an u64`},
		{`"verify"`, `"requires": ["N % 2 == 0"], "verify"`, "[4, ^7]", `: sweep_arg.N[1]: N % 2 == 0 does not hold for N = 7`},
		{`"verify"`, `"requires": [^"N"], "verify"`, "[4]", `: algorithm.cuda.requires[0]: N is 4 for N = 4; want a comparison`},
		{`"verify"`, `"nominal_flops": ^"N - 5", "verify"`, "[4, 7]", `: algorithm.cuda.nominal_flops: N - 5 is -1 for N = 4; want 0 or more`},
		{`"verify"`, `"nominal_flops": ^"-5", "verify"`, "[4, 7]", `: algorithm.cuda.nominal_flops: this is -5; want 0 or more`},
		{`"verify"`, `"items": {"name": "a", "count": ^"N/0"}, "verify"`, "[4]", `: algorithm.cuda.items.count: N/0 for N = 4: division by 0`},
	} {
		text := strings.TrimSuffix(strings.Replace(axpy("", ""), c.old, c.replacement, 1), "}") +
			",\n\n\n\n" + `  "sweep_arg": {"N":       ` + c.sweep + "}}"
		place, text := marked(t, text)
		right := axpyRight
		if strings.Contains(text, `"again", "type"`) { // a constant of its own, which the function takes
			right = strings.Replace(right, "int n)", "int n, NUMBER again)", 1)
		}
		path := files(t, map[string]string{"x.json": text, "x.cu": axpyKernel, "x.c": right})
		cfg, err := config.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := New(cfg)
		if err != nil {
			t.Errorf("%s: %v", c.replacement, err)
			continue
		}
		if _, err := plan.Make(t.Context(), cfg, f, plan.Machine{GPU: plan.AnyGPU()}); err == nil || !strings.Contains(err.Error(), place+c.want) {
			t.Errorf("%s: got %v; want %s%s", c.replacement, err, place, c.want)
		}
	}
}

// What the device cannot launch is a skipped point with a reason.
func TestLimitsOfTheDevice(t *testing.T) {
	for old, c := range map[string]struct{ replacement, want string }{
		`"block": "BLOCK"`:              {`"block": ["BLOCK", 32]`, "kernel axpy: 64·32·1 threads per block; the device allows 1024"},
		`"block": "BLOCK"}`:             {`"block": "BLOCK", "shared_bytes": 300000}`, "kernel axpy: 300000 bytes of shared memory per block; the device allows 232448"},
		`"grid": "ceildiv(N, BLOCK)"`:   {`"grid": [1, "1000*N"]`, "kernel axpy: a grid of 1·100000·1 blocks; CUDA allows 65535 in y and z"},
		`"default": "N > 50 ? 64 : 32"`: {`"default": "N/64"`, "default of BLOCK: N/64 is 1.5625 for N = 100"},
	} {
		path := files(t, map[string]string{"x.json": strings.Replace(axpy("", ""), old, c.replacement, 1), "x.cu": axpyKernel, "x.c": axpyRight})
		cfg, err := config.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Make(t.Context(), cfg, f, plan.Machine{GPU: plan.AnyGPU()})
		if err != nil || len(p.Points) != 1 || !strings.Contains(p.Points[0].Skip, c.want) {
			t.Errorf("%s: got %+v, %v; want it skipped: %s", c.replacement, p, err, c.want)
		}
	}
}

// The worker gets the config as JSON, without places, and makes the same of it.
func TestConfigTravels(t *testing.T) {
	path := files(t, map[string]string{"x.json": axpy("", ""), "x.cu": axpyKernel, "x.c": axpyRight})
	cfg, err := config.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	before := cfg.Hash
	if _, err := New(cfg); err != nil {
		t.Fatal(err)
	}
	if cfg.Hash == before {
		t.Error("the hash does not cover the kernels' file")
	}
	text, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var other config.Config
	if err := json.Unmarshal(text, &other); err != nil {
		t.Fatal(err)
	}
	f, err := New(&other)
	if err != nil {
		t.Fatal(err)
	}
	if f.Name != "x" || len(f.Versions) != 1 || f.Versions[0].Name != "axpy" || other.Hash != cfg.Hash {
		t.Errorf("got %+v", f)
	}
	if checks, _, err := algorithmtest.Try(f, device(t), "axpy", framework.Values{"N": framework.IntValue(33)}, nil); err != nil || !algorithmtest.Good(checks) {
		t.Errorf("got %v, %v", checks, err)
	}
}

func TestArraysOfOtherForms(t *testing.T) {
	e, _ := elementNamed("f32")
	v := newVector(e, 6)
	v.random(-1, 1, 3, 0)
	path := filepath.Join(t.TempDir(), "v.npy")
	if err := writeArray(path, v); err != nil {
		t.Fatal(err)
	}
	if got, err := readArray(path, e, 6); err != nil || string(got.data) != string(v.data) {
		t.Errorf("got %v, %v", got, err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f64, _ := elementNamed("f64")
	for _, c := range []struct {
		old, replacement string
		e                element
		n                int64
		want             string
	}{
		{"", "", f64, 6, `holds elements of "<f4"; want "<f8" (f64)`},
		{"", "", e, 7, "holds 6 numbers, of shape (6,); want 7"},
		{"(6,)", "(2, 3)", e, 6, ""},
		{"(6,)", "(2,-3)", e, 6, "shape is (2,-3)"},
		{"False", "True ", e, 6, "Fortran order"},
		{"(6,)", "(99999999999,99999999999)", e, 6, "shape is"},
		{"descr", "descx", e, 6, "lacks descr or shape"},
	} {
		text := strings.Replace(string(whole), c.old, c.replacement, 1)
		if len(text) > len(whole) { // the header keeps its length
			text = strings.Replace(text, strings.Repeat(" ", len(text)-len(whole)), "", 1)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readArray(path, c.e, c.n); c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s for %s: got %v; want %q", c.replacement, c.old, err, c.want)
		}
	}
	for _, n := range []int{3, 7, 9, 11, 100, len(whole) - 1} {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readArray(path, e, 6); err == nil {
			t.Errorf("a file cut off after %d bytes is read", n)
		}
	}
}

// Files of arrays come from elsewhere: none may panic or take more memory than
// the vector.
func FuzzArray(f *testing.F) {
	e, _ := elementNamed("f32")
	path := filepath.Join(f.TempDir(), "v.npy")
	v := newVector(e, 3)
	if err := writeArray(path, v); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:20])
	f.Add(v.data)
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr': '<f4', 'shape': ()}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := decodeArray("v", bytes.NewReader(data), int64(len(data)), e, 3); err == nil && len(got.data) != 12 {
			t.Errorf("got %d bytes", len(got.data))
		}
	})
}

// Configs come from others: none may panic, and what is refused has a place.
func FuzzConfig(f *testing.F) {
	f.Add(axpy("", ""))
	f.Add(everything)
	f.Add(tileConfig)
	f.Add(axpy(`{"kernels": [{"name": "again", "grid": 1, "block": 32}], "at": [{"N": 1}]}`, `, "versions": [{"name": "a", "c": {"source": "x.c", "function": "same"}}]`))
	f.Add(axpy(`{"files": {"y": "y.npy"}, "tolerance": {"y": 0}}`, `, "items": {"name": "a", "count": "N*N*N*N*N*N"}`))
	f.Add(axpy(`{"program": ["true"]}`, `, "constraints": ["BLOCK/0 > device.warp_size", 1, "true"], "requires": ["N"]`))
	folder := f.TempDir()
	for name, text := range map[string]string{"x.cu": axpyKernel, "x.cl": tileCL, "x.c": axpyRight} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		cfg, err := config.Parse(filepath.Join(folder, "x.json"), []byte(text))
		if err != nil || !cfg.HasKernels() {
			return
		}
		made, err := New(cfg)
		if err != nil {
			for _, e := range err.(*config.Errors).List {
				if e.Pos.Line == 0 || e.Msg == "" {
					t.Errorf("no place or no message: %+v", e)
				}
			}
			return
		}
		if p, err := plan.Make(t.Context(), cfg, made, plan.Machine{GPU: plan.AnyGPU()}); err == nil {
			CheckPoints(cfg, p.Points, *plan.AnyGPU()) //nolint:errcheck // any error will do
		}
		made.HostBytes(params(made, nil))
	})
}
