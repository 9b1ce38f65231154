package command_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// edited is bench new's example with a text of its config replaced; "^" marks
// the place that at gives.
func edited(t *testing.T, old, replacement string) (folder, at string) {
	t.Helper()
	folder = t.TempDir()
	steps(t, folder, benchPath, "new a")
	path := filepath.Join(folder, "a/a.json")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("no %s in the example", old)
	}
	before, after, marked := strings.Cut(strings.Replace(string(text), old, replacement, 1), "^")
	if marked {
		at = fmt.Sprintf("%d:%d", strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n"))
	}
	write(t, path, before+after)
	return folder, at
}

const (
	onCPU = `,
        { "name": "c", "c": { "source": "a.c", "function": "saxpy" }, "flops": "2*N", "load_bytes": "8*N", "store_bytes": "4*N" }`
	right = `"c": { "source": "a.c", "function": "saxpy_right", "double": true }`
)

// A problem that --set asks for is checked beside those of verify.at, which have sizes of their own: none is left out unsaid.
func TestVerifyAtWhatIsSet(t *testing.T) {
	folder, _ := edited(t, "2*N", "2*N")
	for set, want := range map[string]string{"": "c         3   0    0", "--set N=777": "c         4   0    0", "--set N=1000": "c         3   0    0", "--set N=777,778": "c         5   0    0"} {
		status, out, errOut := execute(t, folder, benchPath, strings.Fields("verify a/a.json --device cpu "+set)...)
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("verify %s: status %d, want %q in\n%s%s", set, status, want, out, errOut)
		}
	}
}

// Verify fails where nothing was verified, and says where there is nothing to
// compare with.
func TestVerifyOfNothing(t *testing.T) {
	t.Setenv("CUDA_VISIBLE_DEVICES", "-1")
	for _, c := range []struct {
		name, old, replacement string
		args                   []string
		status                 int
		out, errOut            string
	}{
		{"a constraint that never holds", "BLOCK*ITEMS <= 4096", "BLOCK*ITEMS <= 4", []string{"--device", "sim"}, 1,
			"BLOCK*ITEMS <= 4 does not hold", "a/a.json: nothing was verified: every point is skipped"},
		{"no GPU", onCPU, "", nil, 1, "", "a/a.json: nothing was verified: no version could run here"},
		{"no GPU for the version chosen", "2*N", "2*N", []string{"--versions", "strided"}, 1, "", "nothing was verified: no version could run here"},
		{"GPU versions aside", "2*N", "2*N", nil, 0, "c         3   0    0", "GPU versions of a not verified"},
		{"no right answer", right, `"none": "nobody knows"`, []string{"--device", "sim"}, 0,
			"strided   3   0    0        3 points have nothing to compare with: nobody knows", ""},
		{"no right answer of one", right + `,
        "tolerance": 1e-6,
        "at": [{ "N": 1 }, { "N": 1000 }, { "N": 4097 }]`, `"none": "nobody knows", "at": [{ "N": 1 }]`, []string{"--device", "cpu"}, 0,
			"1   0    0        1 point has nothing to compare with: nobody knows", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder, _ := edited(t, c.old, c.replacement)
			status, out, errOut := execute(t, folder, benchPath, append([]string{"verify", "a/a.json"}, c.args...)...)
			if status != c.status || !strings.Contains(out, c.out) || !strings.Contains(errOut, c.errOut) {
				t.Errorf("status %d, want %d\n%s%s", status, c.status, out, errOut)
			}
			if nothing := strings.Contains(errOut, "nothing was verified"); nothing != (c.status == 1) {
				t.Errorf("standard error:\n%s", errOut)
			}
		})
	}
}

// An expression that no point can use is the config's fault, at its line, for
// validate and, where it makes no problem, for verify.
func TestWrongExpressions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		verb, old, replacement, want string
	}{
		{"validate", `"load_bytes": "8*N",`, `"load_bytes": ^"1/3",`, "algorithm.cuda.load_bytes: 1/3 is 0.3333333333333333; want a whole number"},
		{"validate", `"flops": "2*N", "load`, `"flops": ^"N/0", "load`, "algorithm.cuda.versions[1].flops: N/0 for N = 65536: division by 0"},
		{"validate", `"ceildiv(N, BLOCK*ITEMS)"`, `^"0"`, "algorithm.cuda.kernels[0].grid: this is 0; want 1 to 2^31-1"},
		{"validate", `"BLOCK*ITEMS <= 4096"`, `^"BLOCK*ITEMS <= 4"`, "algorithm.cuda.constraints[0]: BLOCK*ITEMS <= 4 does not hold for BLOCK = 256, ITEMS = 4, and no point of version strided runs"},
		{"validate", `"size": "N", "fill"`, `"size": ^"-1", "fill"`, "algorithm.cuda.arguments[1].size: x has -1 elements; want 1 to 2^40"},
		{"verify", `"size": "N", "fill"`, `"size": ^"-1", "fill"`, "algorithm.cuda.arguments[1].size: x has -1 elements; want 1 to 2^40"},
		{"verify", `"nominal_flops": "2*N"`, `"nominal_flops": ^"-5"`, "algorithm.cuda.nominal_flops: this is -5; want 0 or more"},
		{"verify", `"at": [{ "N": 1 }, { "N": 1000 }`, `"at": [{ "N": 1 }, { "N": ^0 }`, "algorithm.cuda.verify.at[1].N: 0 is less than 1; want"},
		{"validate", `"at": [{ "N": 1 }, { "N": 1000 }`, `"at": [{ "N": 1 }, { "N": ^0 }`, "algorithm.cuda.verify.at[1].N: 0 is less than 1; want"},
		{"validate", `"measure": {`, `"tuning_constraints": [^"BLOCK * ITEM <= 512"], "measure": {`, `tuning_constraints[0]: ITEM is neither a parameter nor a tunable of`},
	} {
		t.Run(c.verb+" "+c.replacement, func(t *testing.T) {
			t.Parallel()
			folder, at := edited(t, c.old, c.replacement)
			status, _, errOut := execute(t, folder, benchPath, c.verb, "a/a.json")
			if want := "a/a.json:" + at + ": " + c.want; status != 2 || !strings.Contains(errOut, want) {
				t.Errorf("status %d, want 2\n%swant %s", status, errOut, want)
			}
		})
	}
}

// A version that runs on the GPU alone is not asked of the CPU.
func TestVerifyOfChosenVersions(t *testing.T) {
	t.Setenv("CUDA_VISIBLE_DEVICES", "-1")
	status, out, errOut := execute(t, t.TempDir(), benchPath, "verify", "tridiagonal", "--versions", "pcr")
	if status != 1 || out != "" || !strings.Contains(errOut, "GPU versions of tridiagonal not verified") || strings.Contains(errOut, "left out") {
		t.Errorf("status %d\n%s%s", status, out, errOut)
	}
}

// The example of validate's help, whose folder holds the schema too.
func TestValidateAllConfigs(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../configs/*.json")
	if err != nil {
		t.Fatal(err)
	}
	status, out, errOut := execute(t, ".", benchPath, append([]string{"validate"}, paths...)...)
	if status != 0 || errOut != "" || !strings.Contains(out, "schema.json: this is the schema of configs, not a config") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
}

// A wrong answer of a config and its arrays: in words, as .npy files, and as a picture.
func TestVerifyDumps(t *testing.T) {
	folder, _ := edited(t, `"size": "N", "use": "output"`, `"shape": ["N", 1], "use": "output"`)
	path := filepath.Join(folder, "a/a.c")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), "void saxpy(float a, const float *x, const float *y, float *z, int n) {\n    for (int i = 0;", "void saxpy(float a, const float *x, const float *y, float *z, int n) {\n    for (int i = 2;", 1)
	if broken == string(text) {
		t.Fatal("the example's C function has changed")
	}
	write(t, path, broken)
	status, _, errOut := execute(t, folder, benchPath, "verify", "a/a.json", "--device", "cpu", "--dump", "d")
	for _, want := range []string{": 2 of 1000 elements wrong, 2 never written; first z[0] (row 0, col 0): got NaN, want ", "the answer and the right one: d/a-c-cpu-N=1000.z.got.npy, .want.npy, .png"} {
		if !strings.Contains(errOut, want) {
			t.Errorf("no %q in %s", want, errOut)
		}
	}
	if status != 1 {
		t.Errorf("status %d", status)
	}
	for _, ending := range []string{"got.npy", "want.npy", "png"} {
		if info, err := os.Stat(filepath.Join(folder, "d/a-c-cpu-N=1000.z."+ending)); err != nil || info.Size() < 100 {
			t.Errorf("%s: %v, %v", ending, info, err)
		}
	}
}
