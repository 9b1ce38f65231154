package kernel

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// A reduction in two launches, of which the second takes the first one's number of blocks; a triangle of
// launches in loops; and kernels that a tunable chooses.
const (
	loopKernels = `extern "C" __global__ void partial(const float *x, float *sums) {
    __shared__ float s[BLOCK];
    s[threadIdx.x] = x[blockIdx.x * BLOCK + threadIdx.x];
    for (int n = BLOCK / 2; n > 0; n /= 2) {
        __syncthreads();
        if (threadIdx.x < n) s[threadIdx.x] += s[threadIdx.x + n];
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = s[0];
}
extern "C" __global__ void total(const float *sums, float *sum, int groups) {
    *sum = SCALE * 0;
    for (int i = 0; i < groups; i++) *sum += sums[i];
}
extern "C" __global__ void mark(int *marks, int i, int j) { atomicAdd(&marks[10 * i + j], HALF + blockIdx.x); }
#if FUSED
extern "C" __global__ void both(int *twice) { twice[threadIdx.x] = 6; }
#else
extern "C" __global__ void one(int *twice) { twice[threadIdx.x] = 3; }
extern "C" __global__ void two(int *twice) { twice[threadIdx.x] *= 2; }
#endif
`
	loopConfig = `{"algorithm": {"cuda": {"source": "x.cu", "params": [{"name": "N", "default": 256}],
 "arguments": [
  {"name": "in", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}},
  {"name": "sums", "type": "f32", "size": "N / BLOCK", "use": "scratch"},
  {"name": "sum", "type": "f32", "size": 1, "use": "output"},
  {"name": "groups", "type": "i32", "value": "N / BLOCK"},
  {"name": "marks", "type": "i32", "size": 100, "use": "in_place", "fill": {"constant": 0}},
  {"name": "i", "type": "i32", "value": "i"}, {"name": "j", "type": "i32", "value": "j + 1"},
  {"name": "twice", "type": "i32", "size": 32, "use": "output"}],
 "kernels": [
  {"name": "partial", "grid": "N / BLOCK", "block": "BLOCK", "arguments": ["in", "sums"]},
  {"name": "total", "grid": 1, "block": 1, "arguments": ["sums", "sum", "groups"]},
  {"for": {"i": 4}, "kernels": [
   {"for": {"j": "i"}, "kernels": [{"name": "mark", "grid": "i + 1", "block": 1, "arguments": ["marks", "i", "j"]}]}]},
  {"name": "both", "grid": 1, "block": 32, "arguments": ["twice"], "when": "FUSED == 1"},
  {"name": "one", "grid": 1, "block": 32, "arguments": ["twice"], "when": "FUSED == 0"},
  {"name": "two", "grid": 1, "block": 32, "arguments": ["twice"], "when": "FUSED == 0"}],
 "tunables": [{"name": "BLOCK", "values": [64, 128]}, {"name": "FUSED", "values": [0, 1]}],
 "defines": {"HALF": {"value": "BLOCK / 2"}, "SCALE": 1},
 "verify": {"c": {"source": "x.c", "function": "right"}, "tolerance": {"sum": 1e-4}}}}}`
	loopRight = `void right(const float *x, float *sum, int *marks, int *twice) {
    *sum = 0;
    for (int i = 0; i < 256; i++) *sum += x[i];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++)
            for (int b = 0; b <= i; b++) marks[10 * i + j + 1] += 64 / 2 + b;
    for (int i = 0; i < 32; i++) twice[i] = 6;
}
`
)

func TestLaunchesOfALoop(t *testing.T) {
	d := device(t)
	texts := map[string]string{"x.json": loopConfig, "x.cu": loopKernels, "x.c": loopRight}
	try := func() ([]framework.Check, error) {
		checks, _, err := algorithmtest.Try(factory(t, files(t, texts)), d, "partial", nil, nil)
		return checks, err
	}
	for _, fused := range []string{"[0, 1]", "[1]"} {
		texts["x.json"] = strings.Replace(loopConfig, "[0, 1]", fused, 1)
		if checks, err := try(); err != nil || len(checks) != 3 || !algorithmtest.Good(checks) {
			t.Errorf("FUSED of %s: %v, %v", fused, checks, err)
		}
	}
	texts["x.json"] = loopConfig
	for _, wrong := range []string{`"value": "N / BLOCK"|"value": "N / BLOCK - 1"`, `{"i": 4}|{"i": 3}`, `{"j": "i"}|{"j": 3}`, `"value": "j + 1"|"value": "j"`,
		`"grid": "i + 1"|"grid": 1`, `"value": "BLOCK / 2"|"value": "BLOCK"`, `"when": "FUSED == 0"}]|"when": "FUSED == 0 and BLOCK > 64"}]`} {
		old, replacement, _ := strings.Cut(wrong, "|")
		texts["x.json"] = strings.Replace(loopConfig, old, replacement, 1)
		if checks, err := try(); err == nil && algorithmtest.Good(checks) {
			t.Errorf("%s: %v", wrong, checks)
		}
	}
}

// ranOn is a factory's first version after a run on a device, until the test ends.
func ranOn(t *testing.T, f *framework.Factory, d gpu.Device, tunables framework.Values) *gpuRun {
	t.Helper()
	p, err := f.NewProblem(framework.Env{Device: d}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	made, err := f.Versions[0].New(framework.Env{Device: d}, p, tunables)
	if err != nil {
		t.Fatal(err)
	}
	run := made.(*gpuRun)
	t.Cleanup(func() { run.PostRun() })
	if err := run.PreRun(); err != nil {
		t.Fatal(err)
	}
	if err := run.Run(); err != nil {
		t.Fatal(err)
	}
	return run
}

// TestLaunchesOnADriver counts what the driver is asked to launch, with which arguments: the kernel adds
// those behind the first to the word that the first points to.
func TestLaunchesOnADriver(t *testing.T) {
	const names = "abcdefghi"
	text := `{"algorithm": {"cuda": {"source": "x.cu", "arguments": [{"name": "y", "type": "u64", "size": 1, "use": "output", "fill": {"constant": 7}}`
	parameters := "unsigned long *y"
	for i, name := range strings.Split(names, "") {
		value := "0"
		switch i {
		case 0:
			value = "100*i"
		case 8:
			value = "B"
		}
		text += `, {"name": "` + name + `", "type": "i64", "value": "` + value + `"}`
		parameters += ", long " + name
	}
	text += `],
 "kernels": [{"for": {"i": "2*B"}, "kernels": [{"name": "ten", "grid": 1, "block": 1, "when": "B > 1"}]}],
 "tunables": [{"name": "B", "values": [2]}], "verify": {"none": "the driver knows one kernel"}}}}`
	f := factory(t, files(t, map[string]string{"x.json": text, "x.cu": `extern "C" __global__ void ten(` + parameters + `) { *y += 1; }`}))
	stub := drivertest.Build(t)
	g := stub.Open(t)
	if _, _, err := algorithmtest.Try(f, g, "ten", nil, nil); err != nil {
		t.Fatal(err)
	}
	if n := stub.Get("launches"); n != 4 {
		t.Errorf("%d launches", n)
	}
	run := ranOn(t, f, g, framework.IntValues("B", 2))
	got, err := run.answer(0)
	if want := uint64(7 + 100*(0+1+2+3) + 4*2); err != nil || view[uint64](got)[0] != want {
		t.Errorf("%d, %v; want %d", view[uint64](got)[0], err, want)
	}
}

// TestLaunchesAreRefused where a name means nothing, or where a run would have no launch or too many.
func TestLaunchesAreRefused(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`"i": 4`, `"N": 4`, "algorithm.cuda.kernels[2].for.N: N is the name of a parameter, a tunable or a loop around this one already; want another"},
		{`"j": "i"`, `"i": "i"`, "algorithm.cuda.kernels[2].kernels[0].for.i: i is the name of a parameter, a tunable or a loop around"},
		{`"j": "i"`, `"max": "i"`, "max has a meaning in expressions; want another name"},
		{`{"for": {"i": 4}, "kernels": [
`, `{"for": {"k": 4}, "kernels": [
`, `algorithm.cuda.kernels[2].kernels[0].for.j: at character 1: "i" is not a name here`},
		{`["sums", "sum", "groups"]`, `["sums", "sum", "i"]`, "algorithm.cuda.kernels[1]: the value of i, i, depends on i, which is no loop around this launch and nothing that version partial has; name the launch's arguments without it"},
		{`"grid": "i + 1"`, `"grid": "i + m"`, `algorithm.cuda.kernels[2].kernels[0].kernels[0].grid: at character 5: "m" is not a name here`},
		{`"when": "FUSED == 1"`, `"when": "device.compute > 1"`, `"device" is not a name here`},
		{`"when": "FUSED == 1"`, `"when": "FUSED"`, "algorithm.cuda.kernels[3].when: FUSED is 0 for FUSED = 0; want a comparison"},
		{`"value": "BLOCK / 2"`, `"value": "BLOCK / Q"`, `algorithm.cuda.defines.HALF.value: at character 9: "Q" is not a name here`},
		{`"value": "BLOCK / 2"`, `"value": "BLOCK / 0"`, "algorithm.cuda.defines.HALF.value: BLOCK / 0 for BLOCK = 64: division by 0"},
		{`"value": "N / BLOCK"`, `"value": "N / BLOCK + 0.5"`, "algorithm.cuda.arguments[3].value: N / BLOCK + 0.5 is 4.5 for N = 256, BLOCK = 64; want a whole number"},
		{`"j": "i"`, `"j": "i - 1"`, "algorithm.cuda.kernels[2].kernels[0].for.j: i - 1 is -1 for i = 0; want 0 or more"},
		{`"i": 4`, `"i": 1000`, "algorithm.cuda.kernels[2].kernels[0].for.j: the loops of a run have more than 100000 turns; want fewer"},
		{`"i": 4`, `"i": "2**40"`, "algorithm.cuda.kernels[2].for.i: 2**40 is 1099511627776; want at most 100000"},
		{`"grid": "i + 1"`, `"grid": "i - 1"`, "algorithm.cuda.kernels[2].kernels[0].kernels[0].grid: i - 1 is 0 for i = 1; want 1 to 2^31-1"},
	} {
		if !strings.Contains(loopConfig, c.old) {
			t.Fatalf("no %s in the config", c.old)
		}
		err := checkedConfig(t, map[string]string{"x.json": strings.Replace(loopConfig, c.old, c.replacement, 1), "x.cu": loopKernels, "x.c": loopRight})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant %s", c.replacement, err, c.want)
		}
	}
}
