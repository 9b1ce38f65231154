package command

import (
	"path/filepath"
	"strings"
	"testing"
)

// What each stage refuses: the schema, the kernels, the plan, the search, sensors and counters.
const mistaken = `{"algorithm": {"cuda": {"source": "x.cu", "params": [{"name": "N", "default": 64}], "colour": 1,
 "arguments": [{"name": "x", "type": "float", "size": "N", "use": "output"}],
 "kernels": [{"name": "kernal", "grid": "M", "block": "B"}],
 "tunables": [{"name": "B", "values": [32, 64]}], "verify": {"none": "nothing runs"}}},
 "sweep_arg": {"N": ["many"]}, "tunables": {"C": [1]}, "measure": {"noise": 2},
 "tuning_constraints": ["Z == 1"], "sensors": ["none"], "counters": ["nothing"]}`

// TestEveryMistakeAtOnce: a stage that refuses a config leaves no others out, and what may only follow from a
// mistake is not told.
func TestEveryMistakeAtOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "x.cu"), "extern \"C\" __global__ void kernel(float *x) { x[0] = 1; }\n")
	path := filepath.Join(dir, "x.json")
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"all": {mistaken, []string{"algorithm.cuda.colour: unknown key", "arguments[0].type: \"float\" is f32 here", "kernels[0].name: ", "kernels[0].grid: at character 1: \"M\"",
			"sweep_arg.N[0]: \"many\" is a word", "tunables.C: \"C\" is not a tunable", "measure.noise: 2 is not below 1", "tuning_constraints[0]: Z is neither",
			"sensors[0]: \"none\" is not a sensor", "counters[0]: \"nothing\" is neither"}},
		"a key is missing": {strings.Replace(mistaken, `, "verify": {"none": "nothing runs"}`, "", 1), []string{"algorithm.cuda: the key \"verify\" is missing", "algorithm.cuda.colour: unknown key",
			"arguments[0].type: \"float\" is f32 here", "kernels[0].name: ", "kernels[0].grid: at character 1: \"M\"", "sweep_arg.N[0]: \"many\" is a word",
			"tunables.C: \"C\" is not a tunable", "measure.noise: 2 is not below 1", "tuning_constraints[0]: Z is neither", "sensors[0]: \"none\" is not a sensor", "counters[0]: \"nothing\" is neither"}},
		"a built-in's": {`{"algorithm": "fft", "sweep_arg": {"N": [64.5], "M": [1]}, "versions": ["stokham"], "sensors": ["none"], "measure": {"repeats": 0}}`,
			[]string{"sweep_arg.N[0]: 64.5 is not a whole number", "sweep_arg.M: \"M\" is not a parameter", "versions[0]: \"stokham\" is not a version", "sensors[0]: ", "measure.repeats: 0 is less than 1"}},
		"no algorithm": {`{"algorithm": "ftt", "sensors": ["none"]}`, []string{"algorithm: \"ftt\" is not an algorithm", "sensors[0]: "}},
		"the points of the defaults": {strings.NewReplacer(`"colour": 1,`, "", "float", "f32", "kernal", "kernel", `"M"`, `"N - 64"`, `"tunables": {"C": [1]}, "measure": {"noise": 2},`, "",
			`"tuning_constraints": ["Z == 1"], "sensors": ["none"], "counters": ["nothing"]`, `"sensors": []`).Replace(mistaken),
			[]string{"sweep_arg.N[0]: \"many\" is a word", "kernels[0].grid: N - 64 is 0 for N = 64"}},
		"what follows": {`{"algorithm": {"cuda": {"source": "x.cu", "arguments": [{"nam": "x"}], "kernels": [{"name": "kernel", "grid": 1, "block": 1}], "verify": {"none": "nothing runs"}}}}`,
			[]string{"arguments[0]: the key \"name\" is missing", "arguments[0].nam: unknown key"}},
	} {
		write(t, path, c.text)
		status, _, errOut := runIn(t, "validate", path)
		if n := strings.Count(errOut, "\n"); status != exitUsage || n != len(c.want) {
			t.Errorf("%s: status %d, %d lines, want %d:\n%s", name, status, n, len(c.want), errOut)
		}
		for _, w := range c.want {
			if !strings.Contains(errOut, w) {
				t.Errorf("%s: no %s in\n%s", name, w, errOut)
			}
		}
	}
}
