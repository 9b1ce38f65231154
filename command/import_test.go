package command_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/algorithms/kernel"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/expression"
	"example.org/bench/framework/plan"
)

// pythonCondition makes one at random, over a to d. Only powers of names occur, so that
// whole numbers stay exact.
func pythonCondition(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"a", "b", "c", "d", "a", "b", "0", "1", "2", "3", "-2", "1.5", "2.0", "True", "False", "a ** 2", "2 ** c", "b ** -1", "(a / 2)"}[r.IntN(19)]
	}
	part := func() string { return pythonCondition(r, r.IntN(depth)) }
	switch r.IntN(20) {
	case 0, 1:
		return "(" + part() + " and " + part() + ")"
	case 2, 3:
		return "(" + part() + " or " + part() + ")"
	case 4:
		return "(not " + part() + ")"
	case 5, 6, 7:
		return "(" + part() + []string{" == ", " != ", " < ", " <= ", " > ", " >= "}[r.IntN(6)] + part() + ")"
	case 8:
		return "(" + part() + " < " + part() + " <= " + part() + ")"
	case 9:
		return "(" + part() + []string{" in ", " not in "}[r.IntN(2)] + []string{"[1, 2, 4]", "(0, -1)", "[a, 2]", "[1.5, True]", "[]"}[r.IntN(5)] + ")"
	case 10:
		return "(" + part() + " if " + part() + " else " + part() + ")"
	case 11:
		return []string{"min", "max"}[r.IntN(2)] + "(" + part() + ", " + part() + ")"
	case 12:
		return []string{"abs", "-", "+"}[r.IntN(3)] + "(" + part() + ")"
	}
	return "(" + part() + []string{" + ", " - ", " * ", " / ", " // ", " % ", " % "}[r.IntN(7)] + part() + ")"
}

// TestWrittenConditionsMeanPythons: what import writes of random conditions is good in a
// config, and holds where Python's dialect says so.
func TestWrittenConditionsMeanPythons(t *testing.T) {
	t.Parallel()
	values := map[string][]int64{"a": {-3, -2, -1, 0, 1, 2, 3}, "b": {0, 1, 2, 5}, "c": {0, 1}, "d": {4, 8}}
	names := []string{"a", "b", "c", "d"}
	ranges := expression.Ranges{"a": {Low: -3, High: 3}, "b": {Low: 0, High: 5}, "c": {Low: 0, High: 1}, "d": {Low: 4, High: 8}}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), "extern \"C\" __global__ void k(float *x) {}\n")
	type version struct {
		Name        string   `json:"name"`
		Constraints []string `json:"constraints"`
	}
	var versions []version
	var bound []*expression.Bound
	var texts []string
	r := rand.New(rand.NewPCG(20, 26))
	conditions := []string{"not c or a > 2", "(a > 2) == c", "c and a > 2", "(c or 3) == 3", "a + (c and 5) > 8", "a % 3 == 2", "a // 2 == -1", "a % -b == 0",
		"d % ((b * d) / 4) == 0", "a / 2 % 1 == 0", "(a / 2) % -1.5 == -0.5", "c", "b % 2", "d % 4 == 0 and a"}
	for len(versions) < 1500 {
		text := pythonCondition(r, 4)
		if n := len(versions); n < len(conditions) {
			text = conditions[n]
		}
		e, err := expression.ParsePython(text)
		if err != nil {
			t.Fatal(err)
		}
		b, err := e.Bind(func(name string) (expression.Variable, bool) {
			for i, n := range names {
				if n == name {
					return expression.Variable{Slot: i}, true
				}
			}
			return expression.Variable{}, false
		})
		if err != nil {
			t.Fatal(err)
		}
		written, err := e.ExprCondition(ranges)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if len(written) > 1000 { // which import refuses
			continue
		}
		versions, bound, texts = append(versions, version{fmt.Sprintf("v%d", len(versions)), []string{written}}), append(bound, b), append(texts, text)
	}
	var tunables []map[string]any
	for _, n := range names {
		tunables = append(tunables, map[string]any{"name": n, "values": values[n], "default": values[n][0]})
	}
	for ; len(versions) > 0; versions, bound, texts = versions[100:], bound[100:], texts[100:] {
		text, err := json.Marshal(map[string]any{"algorithm": map[string]any{"cuda": map[string]any{
			"source": "k.cu", "arguments": []any{map[string]any{"name": "x", "type": "f32", "size": 64, "use": "output"}},
			"kernels":  []any{map[string]any{"name": "k", "grid": 1, "block": 1}},
			"tunables": tunables, "versions": versions[:100], "verify": map[string]any{"none": "nothing runs"}}}})
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Parse(filepath.Join(dir, "k.json"), text)
		if err != nil {
			t.Fatal(err)
		}
		f, err := kernel.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range f.Versions {
			compareCondition(t, texts[i], versions[i].Constraints[0], bound[i], v, values)
		}
	}
}

// compareCondition evaluates a condition as Python and as the version has it.
func compareCondition(t *testing.T, python, written string, b *expression.Bound, v framework.Version, values map[string][]int64) {
	t.Helper()
	facts := plan.AnyGPU()
	for _, x := range values["a"] {
		for _, y := range values["b"] {
			for _, c := range values["c"] {
				for _, d := range values["d"] {
					err := v.Valid(nil, framework.Values{"a": framework.IntValue(x), "b": framework.IntValue(y), "c": framework.IntValue(c), "d": framework.IntValue(d)}, *facts)
					if want := b.Holds([]float64{float64(x), float64(y), float64(c), float64(d)}); want != (err == nil) {
						t.Errorf("%s, written %s, at a = %d, b = %d, c = %d, d = %d: Python says %t, the config %v", python, written, x, y, c, d, want, err)
						return
					}
				}
			}
		}
	}
}

// t1Flags is a T1 file of flags, with a place for its conditions.
const t1Flags = `{"General": {"BenchmarkName": "flags"},
 "ConfigurationSpace": {"TuningParameters": [
   {"Name": "a", "Type": "int", "Values": "[32, 64, 2048]", "Default": 32},
   {"Name": "b", "Type": "int", "Values": "[-3, -2, -1, 0, 1, 2, 3]", "Default": 0},
   {"Name": "pad", "Type": "int", "Values": "[0, 1]", "Default": 0}],
  "Conditions": [CONDITIONS]},
 "KernelSpecification": {"Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "LocalSize": {"X": "a", "Y": "1", "Z": "1"}, "CompilerOptions": [""],
  "GlobalSize": {"X": "1024 // a + (not pad)", "Y": "1", "Z": "1"}, "GlobalSizeType": "CUDA", "SharedMemory": 0,
  "Arguments": [{"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadWrite", "FillType": "Constant", "Size": 1024, "FillValue": 0.0}]}}`

// TestImportWritesGoodConfigs: with defaults that run, whatever the conditions; or none.
func TestImportWritesGoodConfigs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), "extern \"C\" __global__ void k(float *x) { x[0] = a + b + pad; }\n")
	at := func(conditions ...string) string {
		var list []string
		for _, c := range conditions {
			list = append(list, fmt.Sprintf(`{"Expression": %q, "Parameters": ["a", "b", "pad"]}`, c))
		}
		return strings.Replace(t1Flags, "CONDITIONS", strings.Join(list, ", "), 1)
	}
	for i, c := range []struct {
		text string
		note string // of the import; empty for none
	}{
		{at("not pad or a > 32"), ""},
		{at("(a > 32) == pad", "pad in [0, True]"), ""},
		{at("b % 3 == 2"), "the defaults a = 32, b = 0, pad = 0 do not run ((((b % 3) + 3) % 3) == 2 does not hold for b = 0); the config's are a = 32, b = -1, pad = 0"},
		{at("pad and a > 32", "b / pad > 1"), "the config's are a = 64, b = 2, pad = 1"},
		{at("(pad or 3) == 3", "a + (pad and 5) > 32", "a == 64 or pad"), "the config's are a = 64, b = 0, pad = 0"},
		{at("(a * 18014398509481984 + 1) % 2 == 1 or pad"), "the config's constraints differ from the file's conditions at 21 of 42 combinations compared; a = 32, b = -3, pad = 0"}, // beyond 2^53
		{strings.Replace(at("a % 64 == 0"), `"Default": 32`, `"Default": 2048`, 1), "the config's are a = 64, b = 0, pad = 0"},                                                       // blocks have 1024 threads
		{strings.Replace(at(), `"Default": 32`, `"Default": 48`, 1), "the default 48 of a is none of its values; it counts as 32"},
	} {
		name := fmt.Sprintf("%d", i)
		write(t, filepath.Join(dir, name+".t1.json"), c.text)
		status, out, errOut := execute(t, dir, benchPath, "import", name+".t1.json", "--config", name+".json")
		if status != 0 || !strings.Contains(errOut, c.note) || (c.note == "") != (errOut == "") || !strings.Contains(out, "good, as bench validate says") {
			t.Errorf("%s: status %d, %s%s\nwant %s", c.text, status, out, errOut, c.note)
		}
		if status, out, errOut := execute(t, dir, benchPath, "validate", name+".json"); status != 0 {
			t.Errorf("%s: status %d, %s%s", c.text, status, out, errOut)
		}
	}
	for i, c := range []struct{ text, want string }{
		{at("a > 64"), "none of its 14 points runs: 64 < a does not hold for a = 32"},
		{at("a > 4096"), "none of its 0 points runs"},
		{strings.Replace(at(), `"k.cu"`, `"none.cu"`, 1), "no config was written"},
		{strings.Replace(at("a == 32"), `"KernelName": "k"`, `"KernelName": "j"`, 1), "has no kernel j"},
	} {
		name := fmt.Sprintf("bad%d", i)
		write(t, filepath.Join(dir, name+".t1.json"), c.text)
		status, out, errOut := execute(t, dir, benchPath, "import", name+".t1.json", "--config", name+".json")
		if status != 2 || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: status %d, %s%s\nwant %s", c.text, status, out, errOut, c.want)
		}
		if found, _ := filepath.Glob(filepath.Join(dir, name+".json*")); found != nil {
			t.Errorf("%s left %v", c.text, found)
		}
	}
}

// t1Words is a T1 file of words and fractions.
const t1Words = `{"General": {"BenchmarkName": "words"},
 "ConfigurationSpace": {"TuningParameters": [
   {"Name": "type", "Type": "string", "Values": "['float', 'double']", "Default": "double"},
   {"Name": "f", "Type": "float", "Values": "[0.5, 1, 2.5]", "Default": 1},
   {"Name": "bx", "Type": "int", "Values": "[32, 64]", "Default": 32}],
  "Conditions": [{"Expression": "type == 'double' or f < 2", "Parameters": ["type", "f"]}, {"Expression": "type in ['float', 'double'] and f * 2 != 2", "Parameters": ["type", "f"]}]},
 "KernelSpecification": {"Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "LocalSize": {"X": "bx", "Y": "1", "Z": "1"},
  "GlobalSize": {"X": "1024 // bx", "Y": "1", "Z": "1"}, "GlobalSizeType": "CUDA", "SharedMemory": 0,
  "Arguments": [{"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadWrite", "FillType": "Constant", "Size": 1024, "FillValue": 0.0},
   {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": "1024 // bx"}]}}`

// cacheOfWords has results of it.
const cacheOfWords = `{"device_name": "D", "kernel_name": "k", "problem_size": [1024], "tune_params_keys": ["type", "f", "bx"],
 "tune_params": {"type": ["float", "double"], "f": [0.5, 1, 2.5], "bx": [32, 64]}, "objective": "time", "cache": {
 "float,0.5,64": {"type": "float", "f": 0.5, "bx": 64, "time": 1.5}, "double,2.5,64": {"type": "double", "f": 2.5, "bx": 64, "time": 0.5},
 "double,0.5,32": {"type": "double", "f": 0.5, "bx": 32, "time": 2.5}}}`

// TestImportWritesWords: words and fractions are tunables, conditions compare them, and the best of a cache's
// results is the default.
func TestImportWritesWords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), "extern \"C\" __global__ void k(float *x, int n) { x[0] = (type)f + bx; }\n")
	write(t, filepath.Join(dir, "t1.json"), t1Words)
	write(t, filepath.Join(dir, "cache.json"), cacheOfWords)
	status, out, errOut := execute(t, dir, benchPath, "import", "t1.json", "--config", "own.json")
	if want := "the config's are type = float, f = 0.5, bx = 32"; status != 0 || !strings.Contains(errOut, "the defaults type = double, f = 1, bx = 32 do not run") || strings.Contains(errOut, "differ") {
		t.Errorf("status %d, %s%s\nwant %s", status, out, errOut, want)
	}
	if status, out, errOut := execute(t, dir, benchPath, "import", "cache.json", "--t1", "t1.json", "--config", "best.json"); status != 0 || errOut != "" {
		t.Errorf("status %d, %s%s", status, out, errOut)
	}
	for name, want := range map[string]string{"own.json": "type=double f=0.5 bx=32", "best.json": "type=double f=2.5 bx=64"} {
		if status, out, errOut := execute(t, dir, benchPath, "validate", name); status != 0 {
			t.Errorf("%s: status %d, %s%s", name, status, out, errOut)
		}
		if status, out, errOut := execute(t, dir, benchPath, "plan", name, "--device", "h200", "--wisdom", "none"); status != 0 || !strings.Contains(out, want) {
			t.Errorf("%s: status %d, %s%s\nwant %s", name, status, out, errOut, want)
		}
		if status, out, errOut := execute(t, dir, benchPath, "verify", name, "--device", "sim"); status != 0 {
			t.Errorf("%s: status %d, %s%s", name, status, out, errOut)
		}
	}
	for _, c := range []struct{ want, old, replacement string }{
		{"parameter type has words and numbers; a config's tunables are of one kind", `"Type": "string", "Values": "['float', 'double']"`, `"Values": "['float', 2]"`},
		{"type is a word, which can only be compared", "type == 'double'", "type < 3"},
	} {
		write(t, filepath.Join(dir, "bad.json"), strings.Replace(t1Words, c.old, c.replacement, 1))
		if status, out, errOut := execute(t, dir, benchPath, "import", "bad.json", "--config", "none.json"); status != 2 || !strings.Contains(errOut, c.want) {
			t.Errorf("%s: status %d, %s%s", c.want, status, out, errOut)
		}
	}
	for want, args := range map[string][]string{
		"cache.json has results, and no kernel's file and arguments; want the T1 file that has these, and this one beside it": {"cache.json"},
		"its best result has bx = 64, which is none of the T1 file's values":                                                  {"cache.json", "--t1", "less.json"},
	} {
		write(t, filepath.Join(dir, "less.json"), strings.Replace(t1Words, "[32, 64]", "[32, 128]", 1))
		if status, out, errOut := execute(t, dir, benchPath, append([]string{"import", "--config", "none.json"}, args...)...); status != 2 || !strings.Contains(errOut, want) {
			t.Errorf("%s: status %d, %s%s", want, status, out, errOut)
		}
	}
}
