package command_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBadInput: each mistake gets one clear line and the right exit status.
func TestBadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string { return write(t, filepath.Join(dir, name), text) }
	occupied := file("occupied", "a file where a folder should be")
	good := file("good.json", `{"algorithm": "fft", "versions": ["reference"], "static_args": {"N": 64, "batch_elements": 64}, `+quick+`}`)
	cases := []struct {
		name   string
		args   []string
		status int
		want   []string // all in the one line on standard error
	}{
		{"missing config", []string{"run", "none.json"}, 2, []string{"none.json", "no such file"}},
		{"config is a folder", []string{"run", dir}, 2, []string{dir, "folder"}},
		{"malformed", []string{"run", file("malformed.json", "{\n  \"algorithm\": \"fft\",,\n}")}, 2, []string{"malformed.json:2:22"}},
		{"empty", []string{"run", file("empty.json", "")}, 2, []string{"empty.json"}},
		{"wrong type", []string{"run", file("type.json", `{"algorithm": 3}`)}, 2, []string{"type.json:1:15", "algorithm", "string"}},
		{"unknown key", []string{"run", file("key.json", `{"algorithm": "fft", "sweeps": {}}`)}, 2, []string{"key.json:1:22", "sweeps"}},
		{"unknown algorithm", []string{"run", file("alg.json", `{"algorithm": "ftf"}`)}, 2, []string{"alg.json:1:15", "ftf", "fft"}},
		{"unknown version", []string{"run", file("ver.json", `{"algorithm": "fft", "versions": ["stokham"]}`)}, 2, []string{"ver.json:1:35", "stokham", "stockham"}},
		{"unknown parameter", []string{"run", file("par.json", `{"algorithm": "fft", "static_args": {"batch_element": 64}}`)}, 2, []string{"par.json:1:", "batch_element", "batch_elements"}},
		{"unknown sensor", []string{"run", file("sen.json", `{"algorithm": "fft", "sensors": ["nvlm"]}`)}, 2, []string{"sen.json:1:", "nvlm", "nvml"}},
		{"no power of two", []string{"run", file("pow.json", `{"algorithm": "fft", "versions": ["reference"], "sweep_arg": {"N": [64, 100]}}`)}, 2, []string{"pow.json:1:", "100", "power of two", "128"}},
		{"constraint cut off", []string{"validate", file("cut.json", `{"algorithm": "scan", "tuning_constraints": ["S == P * "], "sweep_arg": {"N": [1024]}}`)}, 2,
			[]string{`cut.json:1:46: tuning_constraints[0]: expression "S == P * ": at character 9: it ends where a number, a name or a bracket is wanted`}},
		{"constraint's function", []string{"validate", file("call.json", `{"algorithm": "scan", "tuning_constraints": ["foo(S) == 1"]}`)}, 2, []string{"call.json:1:46: ", "unknown function foo; there are abs"}},
		{"constraint's name", []string{"validate", file("name.json", `{"algorithm": "scan", "tuning_constraints": ["S == P * L", "S == P * LL"]}`)}, 2,
			[]string{`name.json:1:60: tuning_constraints[1]: LL is neither a parameter nor a tunable of scan; did you mean "L"?`}},
		{"constraint's word", []string{"validate", file("word.json", `{"algorithm": "scan", "tuning_constraints": ["N == 'x'"]}`)}, 2, []string{"word.json:1:46: ", `the word "x"`}},
		{"constraint in plan", []string{"plan", filepath.Join(dir, "name.json")}, 2, []string{"name.json:1:60: "}},
		{"constraint in run", []string{"run", filepath.Join(dir, "cut.json")}, 2, []string{"cut.json:1:46: "}},
		{"constraint in analytical tune", []string{"tune", filepath.Join(dir, "name.json"), "--strategy", "analytical", "--device", "jetson-tx1"}, 2, []string{"name.json:1:60: "}},
		{"processor", []string{"run", good, "--processor", "TPU"}, 2, []string{"TPU", "auto, CPU, GPU"}},
		{"device", []string{"run", good, "--device", "gpu0"}, 2, []string{"gpu0", "cuda:0"}},
		{"GPU asked for and absent", []string{"run", file("gpu.json", `{"algorithm": "fft", "processor": "GPU"}`)}, 2, []string{"GPU", "libcuda"}},
		{"GPU asked for against the config", []string{"run", file("cpu.json", `{"algorithm": "fft", "processor": "CPU"}`), "--processor", "GPU"}, 2, []string{"GPU", "libcuda"}},
		{"no such tree", []string{"run", good, "--root", "nosuch"}, 2, []string{"--root", "nosuch does not exist"}},
		{"no such tree of modes", []string{"modes", "--root", "nosuch"}, 2, []string{"--root", "nosuch does not exist"}},
		{"unknown verb", []string{"rnu"}, 2, []string{"rnu"}},
		{"unknown flag", []string{"run", "--fast", good}, 2, []string{"--fast"}},
		{"no config", []string{"run"}, 2, []string{"CONFIG is missing"}},
		{"output folder is a file", []string{"run", good, "--out", occupied}, 1, []string{occupied}},
		{"output folder below a file", []string{"run", good, "--out", occupied + "/x"}, 1, []string{occupied}},
		{"full disk", []string{"run", good, "--out", "/dev/full/x"}, 1, []string{"/dev/full"}},
		{"unwritable folder", []string{"run", good, "--out", "/proc/bench"}, 1, []string{"/proc/bench"}},
		{"resume of nothing", []string{"run", good, "--out", filepath.Join(dir, "fresh"), "--resume"}, 1, []string{"fresh", "resume"}},
		{"plot of nothing", []string{"plot", dir}, 2, []string{dir}},
		{"list of nothing", []string{"list", "ftf"}, 2, []string{"ftf", "fft"}},
		{"verify of nothing", []string{"verify", "ftf"}, 2, []string{"ftf", "fft"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, out, errOut := execute(t, dir, benchPath, c.args...)
			if status != c.status {
				t.Errorf("status %d, want %d\n%s%s", status, c.status, out, errOut)
			}
			said, examples, _ := strings.Cut(errOut, ", as in\n  bench ")
			lines := strings.Split(strings.TrimSpace(said), "\n")
			if strings.Contains(examples, "bench:") {
				t.Errorf("more than examples follow:\n%s", errOut)
			}
			last := lines[len(lines)-1]
			for _, w := range c.want {
				if !strings.Contains(last, w) {
					t.Errorf("%q is not in: %s", w, errOut)
				}
			}
			if c.status == 2 && len(lines) != 1 {
				t.Errorf("%d lines, want one:\n%s", len(lines), errOut)
			}
		})
	}
}

func TestValidateNamesEveryMistake(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "bad.json"), "{\n \"algorithm\": \"fft\",\n \"sweep\": {},\n \"measure\": {\"noise\": \"low\"}\n}")
	status, _, errOut := execute(t, dir, benchPath, "validate", c)
	if status != 2 {
		t.Errorf("status %d, want 2", status)
	}
	for _, w := range []string{"bad.json:3:2", "bad.json:4:"} {
		if !strings.Contains(errOut, w) {
			t.Errorf("%q is not in:\n%s", w, errOut)
		}
	}
}

func TestReadOnlyVerbs(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"list"}, {"list", "fft"}, {"doctor"}, {"version"}, {"plan", "configs/fft.json"}, {"--help"}, {"run", "--help"}} {
		status, out, errOut := execute(t, "..", benchPath, args...)
		if status != 0 || len(out) < 20 {
			t.Errorf("%v: status %d\n%s%s", args, status, out, errOut)
		}
	}
	if _, err := os.Stat("../results/fft/journal.jsonl.new"); err == nil {
		t.Error("plan wrote results")
	}
}

// What a program says, and names in files, must not reach the terminal as it is.
func TestControlCharactersAreNotObeyed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "evil.sh"), []byte("#!/bin/sh\nprintf '\\033]0;title\\007\\302\\2332J\\342\\200\\256' >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	config := write(t, filepath.Join(dir, "evil.json"), `{"executable": "./evil.sh", "kernel_name": "k\u001b[2Jk", "output_file_prefix": "evil", "static_args": {"--text": "\u001b[1m\u202e"}, "sensors": []}`)
	for _, verb := range [][]string{{"run", config}, {"plan", config}, {"plan", config, "--json"}, {"compare", "results/evil", "results/evil"}, {"validate", config}} {
		_, out, errOut := execute(t, dir, benchPath, verb...)
		if i := strings.IndexFunc(out+errOut, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0x202e }); i >= 0 {
			t.Errorf("%s: %q", verb[0], (out + errOut)[i:])
		}
		if verb[0] == "run" && !strings.Contains(out+errOut, `2J\u202e`) {
			t.Errorf("what the program said is not told:\n%s%s", out, errOut)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "results/evil/evil_time.csv"))
	if err != nil || !strings.Contains(string(text), "k\x1b[2Jk") {
		t.Errorf("the CSV has not the name as it is: %v\n%q", err, text)
	}
}
