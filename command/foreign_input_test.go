package command_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// goodForeign is a config of a kernel that was not written for this program.
const goodForeign = `{"algorithm": {"cuda": {
 "source": "k.cu",
 "params": [{"name": "N", "default": 100, "min": 1, "max": 1000}],
 "arguments": [
  {"name": "y", "type": "f32", "size": "N", "use": "output"},
  {"name": "x", "type": "f32", "size": "N", "fill": {"random": [-1, 1]}},
  {"name": "n", "type": "i32", "value": "N"}],
 "constants": [{"name": "weight", "type": "f32", "size": 4, "fill": {"random": [1, 2]}}],
 "kernels": [{"name": "user::k<BLOCK>", "grid": "ceildiv(N, BLOCK)", "block": "BLOCK"}],
 "tunables": [{"name": "BLOCK", "values": [32, 64], "default": 32, "define": false}],
 "constraints": ["BLOCK <= 64"],
 "verify": {"c": {"source": "right.c", "function": "right"}}}},
 "sweep_arg": {"N": [10, 100]}}
`

// TestForeignInput: one wrong key is one line, with the place and with what would be
// right; the mark stands before the place.
func TestForeignInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "k.cu"), `__constant__ float weight[4];
namespace user {
template <int BLOCK> __global__ void k(float *y, const float *x, int n) {
  int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) y[i] = x[i] * weight[0];
}
}
`)
	write(t, filepath.Join(dir, "right.c"), "void right(float *y, const float *x, int n, const float *w) { for (int i = 0; i < n; i++) y[i] = x[i] * w[0]; }\n")
	for _, c := range []struct{ old, replacement, want string }{
		{`"k.cu"`, `^5`, "algorithm.cuda.source: got a number (5); want a string or a list"},
		{`"k.cu"`, `^"none.cu"`, "algorithm.cuda.source: stat none.cu: no such file or directory; a path is relative to the config"},
		{`"source": "k.cu"`, `^"srouce": "k.cu"`, `algorithm.cuda.srouce: unknown key; did you mean "source"?`},
		{`{"cuda": {`, `{"cuda": ^{`, "algorithm.cuda: what runs? want kernels, or versions with kernels of their own"},
		{`"default": 100`, `"default": ^"many"`, "algorithm.cuda.params[0].default: many is not a whole number; want one, or another kind"},
		{`"default": 100`, `"default": ^5000`, "algorithm.cuda.params[0].default: 5000 is not from min to max; want 1 to 1000"},
		{`"f32", "size": "N", "use"`, `^"f33", "size": "N", "use"`, `algorithm.cuda.arguments[0].type: "f33" is not a type; did you mean "f32"?`},
		{`"size": "N", "use"`, `"size": ^"N +", "use"`, "algorithm.cuda.arguments[0].size: at character 3: it ends where a number, a name or a bracket is wanted"},
		{`"size": "N", "use"`, `"size": ^"1e30", "use"`, "algorithm.cuda.arguments[0].size: 1e30 is 1e+30; want a whole number from -2^63 to 2^63-1"},
		{`"output"`, `^"inout"`, `algorithm.cuda.arguments[0].use: "inout" is unknown; did you mean "input"? choices: input, output, in_place, scratch`},
		{`"value": "N"`, `"value": ^3000000000`, "algorithm.cuda.arguments[2].value: 3000000000: 3e+09 is not of type i32; want a whole number from -2147483648 to 2147483647"},
		{`"name": "weight"`, `"name": ^"weights"`, `algorithm.cuda.constants[0].name: k.cu has no variable weights; did you mean "weight"? variables: weight`},
		{`"size": 4, "fill": {"random": [1, 2]}`, `"size": 4, "from": ^"y"`, "algorithm.cuda.constants[0].from: y holds nothing before a run; want an argument with fill"},
		{`"user::k<BLOCK>"`, `^"user::kk<BLOCK>"`, `algorithm.cuda.kernels[0].name: k.cu has no kernel kk; did you mean "k"?`},
		{`"user::k<BLOCK>"`, `^"user::k"`, "algorithm.cuda.kernels[0].name: kernel user::k is a template in k.cu; want its arguments too, such as user::k<float>"},
		{`"user::k<BLOCK>"`, `^"user::k<BLOCK"`, `algorithm.cuda.kernels[0].name: "user::k<BLOCK" is not a name of C++`},
		{`"user::k<BLOCK>"`, `^"user::k<BLOCKK>"`, `algorithm.cuda.kernels[0].name: BLOCKK, a template's argument, is no parameter, tunable or macro, and no name in k.cu; did you mean "BLOCK"? names: BLOCK, N`},
		{`"block": "BLOCK"`, `"block": ^"BLOCK*64"`, "algorithm.cuda.kernels[0].block: 2048·1·1 threads per block; the device allows 1024"},
		{`"BLOCK <= 64"`, `^"BLOK <= 64"`, `algorithm.cuda.constraints[0]: at character 1: "BLOK" is not a name here; did you mean "BLOCK"?`},
		{`"BLOCK <= 64"`, `^"BLOCK > 64"`, "algorithm.cuda.constraints[0]: BLOCK > 64 does not hold for BLOCK = 32, and no point of version k runs; want defaults or tunables that do"},
		{`"right"}`, `^"wrong"}`, "algorithm.cuda.verify.c.function: right.c has no function wrong"},
	} {
		text := strings.Replace(goodForeign, c.old, c.replacement, 1)
		if strings.Contains(c.want, "what runs") {
			before, after, _ := strings.Cut(text, ` "kernels"`)
			_, after, _ = strings.Cut(after, "\n")
			text = before + after
		}
		before, after, marked := strings.Cut(text, "^")
		if !marked {
			t.Fatalf("no %s in the good config", c.old)
		}
		write(t, filepath.Join(dir, "x.json"), before+after)
		want := fmt.Sprintf("x.json:%d:%d: %s", strings.Count(before, "\n")+1, len(before)-strings.LastIndex(before, "\n"), c.want)
		status, _, errOut := execute(t, dir, benchPath, "validate", "x.json")
		more := 0
		if strings.Contains(c.want, "holds nothing before a run") {
			more = 1 // the right answer's function then lacks that argument, which is told too
		}
		if status != 2 || !strings.HasPrefix(errOut, want) || strings.Count(strings.TrimSpace(errOut), "\n") != more {
			t.Errorf("%s: status %d, got\n%swant\n%s", c.replacement, status, errOut, want)
		}
	}
	write(t, filepath.Join(dir, "x.json"), goodForeign)
	if status, out, errOut := execute(t, dir, benchPath, "validate", "x.json"); status != 0 {
		t.Errorf("the good config: status %d\n%s%s", status, out, errOut)
	}
}
