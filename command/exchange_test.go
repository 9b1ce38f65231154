package command_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cacheFile is what Kernel Tuner leaves when it is killed: no end, half of a
// configuration.
const cacheFile = `{
"device_name": "GPU A",
"kernel_name": "k",
"problem_size": 64,
"tune_params_keys": ["x", "y"],
"tune_params": {"x": [1, 2], "y": [1, 2]},
"objective": "time",
"cache": {
"1,1": {"x": 1, "y": 1, "time": 4.0, "times": [4.0]},
"2,1": {"x": 2, "y": 1, "time": 1.0, "times": [1.0]},
"1,2": {"x": 1, "y": 2, "time": "RuntimeFailedConfig"},
"2,2": {"x": 2, "y": 2, "ti`

// TestFilesOfOtherTuners: imported, replayed, exported and read again.
func TestFilesOfOtherTuners(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.json"), cacheFile)
	run := func(want int, args ...string) (out, errOut string) {
		t.Helper()
		status, out, errOut := execute(t, dir, benchPath, args...)
		if status != want {
			t.Fatalf("%v: status %d\n%s\n%s", args, status, out, errOut)
		}
		return out, errOut
	}
	out, errOut := run(0, "import", "a.json", "--out", "imported")
	if !strings.Contains(out, "3 configurations, 2 of them valid") || !strings.Contains(errOut, "has no end") {
		t.Errorf("%s\n%s", out, errOut)
	}
	out, _ = run(0, "replay", "imported/a.csv.gz", "--manifest", "imported/manifest.json", "--strategy", "exhaustive", "--budget", "3", "--repeats", "2", "--json")
	if !strings.Contains(out, `"median":1`) {
		t.Error(out)
	}
	for _, format := range []string{"kernel-tuner", "t1", "t4"} {
		run(0, "export", "--to", format, "a.json", "--out", "exported")
	}
	out, _ = run(0, "import", "exported/a.t4.json", "--t1", "exported/a.t1.json", "--out", "again")
	if !strings.Contains(out, "3 configurations, 2 of them valid") {
		t.Error(out)
	}
	out, _ = run(0, "import", "a.json", "--out", "imported", "--json")
	var told struct {
		Name       string
		Kernel     string
		Parameters []string
		Values     map[string][]string
		Valid      int
		Declared   bool
	}
	if err := json.Unmarshal([]byte(out), &told); err != nil || told.Name != "a" || told.Kernel != "k" || len(told.Parameters) != 2 || strings.Join(told.Values["y"], " ") != "1 2" || told.Valid != 2 || told.Declared {
		t.Errorf("%s (%v)", out, err)
	}
	if out, _ = run(0, "import", "exported/a.t1.json", "--json"); !strings.Contains(out, `"configurations":4,"valid":4,"declared":true`) {
		t.Error(out)
	}
	if out, _ = run(0, "export", "--to", "t4", "a.json", "--out", "exported", "--json"); out != `{"name":"a","file":"exported/a.t4.json"}`+"\n" {
		t.Error(out)
	}
	for _, file := range []string{"a.csv.gz"} {
		one, err := os.ReadFile(filepath.Join(dir, "imported", file))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "imported", "b.csv.gz"), string(one))
	}
	run(0, "transfer", "imported/a.csv.gz", "imported/b.csv.gz")
	run(2, "import", "absent.json")
	run(2, "export", "--to", "csv", "a.json")
	run(2, "export", "a.json")
	run(2, "transfer", "--reference", "absent", "--manifest", "m.json", "a.json")
	run(2, "import")
}

// TestTransferAndPhiOfSearches: two exhaustive searches of one version, and a
// short one, compared with the first.
func TestTransferAndPhiOfSearches(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := tuneConfig(t, dir, `, "sweep_arg": {"ms": [1, 2]}, "tunables": {"A": [2, 3], "B": [1, 2, 4]}`)
	for out, more := range map[string][]string{"one": {"--strategy", "exhaustive"}, "two": {"--strategy", "exhaustive"}, "short": {"--strategy", "random", "--budget", "2"}} {
		if status, text, errOut := execute(t, dir, madeUpPath, append([]string{"tune", config, "--device", "cpu", "--wisdom", "none", "--confirm", "0", "--out", out}, more...)...); status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, text, errOut)
		}
	}
	status, out, errOut := execute(t, dir, madeUpPath, "transfer", "--json", "one", "two")
	if status != 0 || strings.Count(out, "\n") != 4 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var x struct{ Performance float64 }
		if err := json.Unmarshal([]byte(line), &x); err != nil || x.Performance < 0.5 || x.Performance > 1 {
			t.Errorf("%s (%v)", line, err)
		}
	}
	status, out, errOut = execute(t, dir, madeUpPath, "transfer", "--reference", "one", "--json", "one", "short")
	if status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errOut)
	}
	var got []map[string]any
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		var q map[string]any
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			t.Fatal(err)
		}
		got = append(got, q)
	}
	if len(got) != 2 || got[0]["phi"] != 1.0 || got[0]["evaluations"] != 12.0 || got[0]["points"] != 12.0 || got[1]["evaluations"] != 4.0 {
		t.Fatalf("%v", got)
	}
	if phi := got[1]["phi"].(float64); phi < 0 || phi > 1 {
		t.Errorf("Φ of the short search is %v", phi)
	}
}

// The kernel of a T1 file becomes a config, which is good as it is.
func TestImportedKernel(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "twice.cu"), "__constant__ float w[2];\n__global__ void twice(float *y, float *x) { y[blockIdx.x * block_size_x + threadIdx.x] = w[1] * x[0]; }\n")
	write(t, filepath.Join(dir, "t1.json"), `{"ConfigurationSpace": {"TuningParameters": [{"Name": "block_size_x", "Type": "int", "Values": "[32, 64]", "Default": 64}], "Conditions": []},
 "KernelSpecification": {"Language": "CUDA", "KernelName": "twice", "KernelFile": "twice.cu", "ProblemSize": 128, "LocalSize": {"X": "block_size_x"}, "GlobalSize": {"X": "1"},
  "Arguments": [{"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "FillType": "Constant", "FillValue": 0, "Size": 128},
   {"Name": "w", "Type": "float", "MemoryType": "Vector", "MemType": "Constant", "AccessType": "ReadOnly", "FillType": "Constant", "FillValue": 2, "Size": 2}]}}`)
	for _, step := range []struct {
		status int
		want   string
		args   []string
	}{
		{0, "k.json: good, as bench validate says", []string{"import", "t1.json", "--config", "k.json"}},
		{0, "k.json: good, 1 point", []string{"validate", "k.json"}},
		{2, "k.json exists; want another name", []string{"import", "t1.json", "--config", "k.json"}},
		{2, "--config takes one T1 file, not 2", []string{"import", "t1.json", "t1.json", "--config", "l.json"}},
		{2, "want no --out and --json with it", []string{"import", "t1.json", "--json", "--config", "l.json"}},
		{2, "ConfigurationSpace.TuningParameters is needed", []string{"import", "k.json", "--config", "l.json"}},
	} {
		if status, out, errOut := execute(t, dir, benchPath, step.args...); status != step.status || !strings.Contains(out+errOut, step.want) {
			t.Errorf("%v: status %d\n%s%s\nwant %d, %s", step.args, status, out, errOut, step.status, step.want)
		}
	}
}
