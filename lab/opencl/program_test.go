package opencl

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework/record"
	"example.org/bench/test/program"
)

// bench runs the program in a folder of its own, with PoCL and without NVRTC, and returns what it says and its status.
func bench(t *testing.T, dir string, args ...string) (string, int) {
	t.Helper()
	c := exec.Command(binary, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "BENCH_PLOTS=none", "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_CACHE_HOME="+cache, "BENCH_NVRTC="+filepath.Join(dir, "none.so"))
	text, err := c.CombinedOutput()
	if _, ended := err.(*exec.ExitError); err != nil && !ended {
		t.Fatal(err)
	}
	return string(text), c.ProcessState.ExitCode()
}

var (
	binary, home string
	cache        string // of compiled code: this user's, which other tests fill too
)

func TestMain(m *testing.M) {
	var err error
	if cache, err = os.UserCacheDir(); err != nil {
		panic(err)
	}
	if home, err = os.MkdirTemp("", "opencl-"); err != nil {
		panic(err)
	}
	binary = filepath.Join(home, "bench")
	if err := program.Build("cmd/bench", "", binary); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(home)
	os.Exit(status)
}

// The template goes through every verb that measures, and each says what it did.
func TestVerbs(t *testing.T) {
	dir := t.TempDir()
	for _, step := range []struct {
		args   string
		status int
		want   []string
	}{
		{"new mine --template opencl", 0, []string{"mine/mine.cl", "bench run mine/mine.json"}},
		{"validate mine/mine.json", 0, []string{"good, 6 points where all versions run"}},
		{"plan mine/mine.json", 0, []string{"naive  opencl:0  N=512"}},
		{"verify mine/mine.json", 0, []string{"mine on cpu", "mine on opencl:0", "naive             4   0"}},
		{"run mine/mine.json --set N=64 --out run", 0, []string{"device opencl:0", "naive", "tiled"}},
		{"tune mine/mine.json --device opencl:0 --versions tiled --set N=64 --budget 4 --out tuned", 0, []string{"tiled: 4 evaluations, 0 of them invalid"}},
		{"run mine/mine.json --versions tiled --set N=64 --out again", 0, []string{"tunables by", "1 exact size"}},
		{"ab mine/mine.json --versions naive,tiled --set N=64 --repeats 3", 0, []string{"tiled"}},
		{"compare run again", 0, []string{"finding: "}},
		{"report run --out r.html", 0, []string{"r.html"}},
		{"report run --why --out why.html", 0, []string{"why.html"}},
		{"doctor", 0, []string{"opencl:0", "times are by "}},
		// What OpenCL does not have is said in one line.
		{"compare run --by version --why --mix-caches --long", 0, []string{"finding: "}},
		{"why run", 0, []string{"OpenCL does not show what kernels execute", "busy: ", "finding: "}},
		{"verify mine/mine.json --device sim", 2, []string{"mine has no version for sim"}},
		{"verify mine/mine.json --device opencl:99", 1, []string{"there is no opencl:99"}},
		{"run mine/mine.json --device opencl:nothing", 1, []string{`called "nothing"; there is opencl:0 (`}},
		{"run mine/mine.json --device opencl:", 2, []string{"is none of"}},
		{"plan mine/mine.json --set launch=graph", 0, []string{"OpenCL has no graphs"}},
		{"plan mine/mine.json --set memory=mapped", 0, []string{"mapped memory is CUDA's"}},
		{"run mine/mine.json --versions tiled --set N=64 --set rate_hz=50 --set wait=sleep,spin --out rate", 0, []string{"tiled", "device opencl:0, all ok", "sleep", "spin"}},
		{"run mine/mine.json --versions tiled --set N=64 --set rate_hz=50 --set timed=answer --out answer", 0, []string{"timed answer", "device opencl:0", "  ok"}},
	} {
		said, status := bench(t, dir, strings.Fields(step.args)...)
		for _, w := range step.want {
			if !strings.Contains(said, w) {
				t.Errorf("bench %s: want %q in\n%s", step.args, w, said)
			}
		}
		if status != step.status {
			t.Errorf("bench %s: status %d, want %d\n%s", step.args, status, step.status, said)
		}
		if strings.HasSuffix(step.args, "--out run") { // whose ceilings are looked at; PoCL's take longer than all else here
			withoutCeilings(t, filepath.Join(dir, "mine", "mine.json"))
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "run", "run.json"))
	var info record.Info
	if err == nil {
		err = json.Unmarshal(text, &info)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range info.Devices {
		if d.ID == "opencl:0" && (d.Facts == nil || d.Facts.OpenCL == nil || d.Facts.OpenCL.Platform == "" || d.Timing == "" || d.Ceilings.Copy <= 0 || d.Ceilings.FMA <= 0) {
			t.Errorf("the run knows little of its device: %+v", d)
		}
	}
}

// withoutCeilings has runs of a config measure no ceilings.
func withoutCeilings(t *testing.T, config string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	const measure = `"measure": {`
	if !bytes.Contains(text, []byte(measure)) {
		t.Fatalf("no %s in %s\n%s", measure, config, text)
	}
	if err := os.WriteFile(config, bytes.Replace(text, []byte(measure), []byte(measure+` "ceilings": false,`), 1), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each of several devices runs each point, one device after the other; they share no points, as they share the CPU. PoCL shows two.
func TestEveryDevice(t *testing.T) {
	t.Setenv("POCL_DEVICES", "pthread basic")
	dir := t.TempDir()
	describe(t, dir, "__kernel void twice(__global const float *x, __global float *y, int n) { int i = get_global_id(0); if (i < n) y[i] = 2 * x[i]; }\n",
		`{"name": "twice", "global": "64 * ceildiv(N, 64)", "local": 64}`, patient)
	for _, step := range []struct {
		args   string
		status int
		want   []string
	}{
		{"plan k.json --device opencl:0,1 --each", 0, []string{"0  twice  opencl:0", "1  twice  opencl:1"}},
		{"run k.json --device opencl:all --each --out each", 0, []string{"2 of 2 points to go", "twice    opencl:0", "twice    opencl:1"}},
		{"run k.json --device opencl:all --out shared", 2, []string{"opencl:0 shares memory and power with the CPU", "or --each, which measures one after the other"}},
		{"run k.json --device opencl:0,9 --each --out none", 1, []string{"there is no opencl:9: the last of the ", " here is opencl:"}},
		{"verify k.json --device opencl:all", 2, []string{"this verb measures on one GPU at a time"}},
	} {
		said, status := bench(t, dir, strings.Fields(step.args)...)
		for _, w := range step.want {
			if !strings.Contains(said, w) {
				t.Errorf("bench %s: want %q in\n%s", step.args, w, said)
			}
		}
		if status != step.status {
			t.Errorf("bench %s: status %d, want %d\n%s", step.args, status, step.status, said)
		}
	}
	// The second device began when the first had ended.
	file, err := os.Open(filepath.Join(dir, "each", "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var order []string
	var ended time.Time
	for lines := json.NewDecoder(file); ; {
		var line struct{ Result *record.Result }
		if err := lines.Decode(&line); err != nil {
			break
		}
		if r := line.Result; r != nil {
			if order = append(order, r.Point.Device); r.Started.Before(ended) {
				t.Errorf("%s began at %v, before %v", r.Point.Device, r.Started, ended)
			}
			ended = r.Started.Add(time.Duration(r.Elapsed * float64(time.Second)))
		}
	}
	if strings.Join(order, " ") != "opencl:0 opencl:1" {
		t.Errorf("results of %q", order)
	}
}

// A T1 file's kernel in OpenCL C becomes a config that validates and runs, with each of its points.
func TestKernelOfT1(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sum.cl": `__kernel void sum(__constant float *w, unsigned n, __global float *y, __local float *tile)
{
    const unsigned group = get_local_size(0), first = get_group_id(0) * group * EACH;
    for (unsigned i = 0; i < EACH; i++)
        tile[get_local_id(0) * EACH + i] = w[(first + get_local_id(0) * EACH + i) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (unsigned i = 0; i < EACH; i++)
        if (first + i * group + get_local_id(0) < n)
            y[first + i * group + get_local_id(0)] += tile[i * GROUP + get_local_id(0)];
}
`,
		"t1.json": `{"ConfigurationSpace": {"TuningParameters": [{"Name": "GROUP", "Type": "UnsignedInt", "Values": [4, 8, 16]}, {"Name": "EACH", "Type": "UnsignedInt", "Values": [1, 2]}],
   "Conditions": [{"Parameters": ["GROUP", "EACH"], "Expression": "GROUP * EACH <= 16"}]},
 "KernelSpecification": {"Language": "OpenCL", "CompilerOptions": "-cl-fast-relaxed-math", "KernelName": "sum", "KernelFile": "sum.cl", "GlobalSize": {"X": 512},
  "Modifiers": [{"Type": "Global", "Dimension": "X", "Parameter": "EACH", "Action": "Divide"}, {"Type": "Local", "Dimension": "X", "Parameter": "GROUP", "Action": "Multiply"}],
  "Arguments": [{"Type": "Float", "Size": 64, "FillType": "Random", "AccessType": "ReadOnly", "MemoryType": "Vector", "MemType": "Constant"},
   {"Type": "UnsignedInt", "FillValue": 512, "MemoryType": "Scalar"},
   {"Type": "Float", "Size": 512, "FillType": "Constant", "FillValue": 0, "AccessType": "ReadWrite", "MemoryType": "Vector"},
   {"Type": "Float", "Size": 16, "MemoryType": "Local"}]}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, step := range []struct {
		args string
		want []string
	}{
		{"import t1.json --config sum.json", []string{"sum.json: good, as bench validate says"}},
		{"validate sum.json", []string{"good"}},
		{"run sum.json --set GROUP=4,8,16 --set EACH=1,2 --out run", []string{"device opencl:0", "sum         16     1", "(GROUP * EACH) <= 16 does not hold for GROUP = 16, EACH = 2", "finding: 5 points take"}},
	} {
		said, status := bench(t, dir, strings.Fields(step.args)...)
		if status != 0 {
			t.Errorf("bench %s: status %d\n%s", step.args, status, said)
		}
		for _, w := range step.want {
			if !strings.Contains(said, w) {
				t.Errorf("bench %s: want %q in\n%s", step.args, w, said)
			}
		}
	}
}

// patient is a limit in seconds of a point that ends, also on a machine that is busy.
const patient = 600

// describe writes a config of a kernel and its right answer. A point may take seconds.
func describe(t *testing.T, dir, kernel, launches string, seconds int) {
	t.Helper()
	for name, text := range map[string]string{
		"k.cl": kernel,
		"k.c":  "void right(const float *x, float *y, int n) { for (int i = 0; i < n; i++) y[i] = 2 * x[i]; }\n",
		"k.json": `{"algorithm": {"opencl": {"source": "k.cl", "params": [{"name": "N", "default": 1000}],
			"arguments": [{"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}}, {"name": "y", "type": "f32", "size": "N", "use": "output"},
			{"name": "n", "type": "i32", "value": "N"}], "kernels": [` + launches + `], "verify": {"c": {"source": "k.c", "function": "right"}}}},
			"sensors": [], "measure": {"point_timeout_s": ` + strconv.Itoa(seconds) + `, "ceilings": false, "timeout_s": 0.2}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A kernel's mistake costs its point, with the reason; the point after it runs.
func TestMistakesOfKernels(t *testing.T) {
	const launch = `{"name": "twice", "global": "64 * ceildiv(N, 64)", "local": 64}`
	const hangs = "no result after 5 s"
	const good = "__kernel void twice(__global const float *x, __global float *y, int n) { int i = get_global_id(0); if (i < n) y[i] = 2 * x[i]; }\n"
	change := func(old, replacement string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(good, old, replacement, 1)
	}
	for _, c := range []struct {
		kernel, launches, want string
		status                 int
	}{
		{good, launch, "  ok\n", 0},
		{change("__kernel", "kernel __attribute__((reqd_work_group_size(64, 1, 1)))"), launch, "  ok\n", 0},
		{change("= 2 * x[i]", "= 2 * z[i]"), launch, "k.cl:1:", 1},
		{change("2 * x", "3 * x"), launch, "of 1000 elements wrong; first y[0]", 1},
		{change("i < n", "i < n - 1"), launch, "1 never written", 1},
		{change("if (i < n)", "if (i < n + 20)"), launch, "written beyond", 1},
		{change("if (i < n)", "for (volatile int k = 0; k < 2147483647; k++) for (volatile int m = 0; m < 1000; m++) ;"), launch, hangs, 1},
		{good, `{"name": "twice", "global": "N", "local": 64}`, "global 1000 is no multiple of local 64 in x", 0},
		{change("__kernel", "__kernel __attribute__((reqd_work_group_size(32, 1, 1)))"), launch, "its source has reqd_work_group_size(32, 1, 1)", 1},
		{good, `{"name": "thrice", "grid": 1, "block": 64}`, "k.cl has no kernel thrice", 2},
	} {
		dir := t.TempDir()
		seconds := patient
		if c.want == hangs {
			seconds = 5
		}
		describe(t, dir, c.kernel, c.launches, seconds)
		said, status := bench(t, dir, "run", "k.json", "--device", "opencl:0")
		if !strings.Contains(said, c.want) {
			t.Errorf("%s%s: want %q in\n%s", c.kernel, c.launches, c.want, said)
		}
		if (status != 0) != (c.status != 0) && c.want != "global 1000 is no multiple of local 64 in x" {
			t.Errorf("%s%s: status %d, want %d", c.kernel, c.launches, status, c.status)
		}
	}
}

// The same kernel does the same through both interfaces: OpenCL on PoCL, and CUDA in the simulator.
func TestSameKernelInBothInterfaces(t *testing.T) {
	dir := t.TempDir()
	describe(t, dir, `#ifdef __OPENCL_VERSION__
#define KERNEL __kernel
#define GLOBAL __global
#define AT get_global_id(0)
#else
#define KERNEL extern "C" __global__
#define GLOBAL
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#endif
KERNEL void twice(GLOBAL const float *x, GLOBAL float *y, int n) { int i = AT; if (i < n) y[i] = 2 * x[i]; }
`, `{"name": "twice", "grid": "ceildiv(N, 64)", "block": 64}`, patient)
	if said, status := bench(t, dir, "verify", "k.json", "--device", "opencl:0"); status != 0 {
		t.Errorf("OpenCL: %s", said)
	}
	text, err := os.ReadFile(filepath.Join(dir, "k.json"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "k.json"), bytes.Replace(text, []byte(`"opencl"`), []byte(`"cuda"`), 1), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	if said, status := bench(t, dir, "verify", "k.json", "--device", "sim"); status != 0 {
		t.Errorf("CUDA: %s", said)
	}
}
