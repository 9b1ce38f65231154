package kernel

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu/cuda/driver/drivertest"
)

// Structures: one by value, with padding between its fields, and vectors of them, which a run reads, changes
// and writes. What is left of a particle's w is not compared.
const (
	structureKernels = `struct Step { signed char sign; double by; float2 shift; int n; };
struct Particle { float4 at; float w; int id; };
struct Hit { short id; float at; };
extern "C" __global__ void move(Particle *p, Step s, const Hit *before, Hit *after) {
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= s.n) return;
    p[i].at.x += s.sign * (float)s.by + s.shift.x;
    p[i].at.w -= s.shift.y * before[i].at;
    p[i].w = 100 * BLOCK;
    after[i] = {(short)(p[i].id + before[i].id), p[i].at.y};
}
`
	structureConfig = `{"algorithm": {"cuda": {"source": "x.cu", "params": [{"name": "N", "default": 2000}],
 "arguments": [
  {"name": "p", "size": "N", "use": "in_place", "fields": [
   {"name": "at", "type": "f32x4", "fill": {"random": [-1, 1]}},
   {"name": "w", "type": "f32", "fill": {"constant": 1}, "compare": "none"},
   {"name": "id", "type": "i32", "fill": {"random": [0, 1000]}}]},
  {"name": "s", "fields": [{"name": "sign", "type": "i8", "value": -1}, {"name": "by", "type": "f64", "value": 0.5},
   {"name": "shift", "type": "f32x2", "value": 0.25}, {"name": "n", "type": "i32", "value": "N"}]},
  {"name": "before", "size": "N", "fields": [{"name": "id", "type": "i16", "fill": {"random": [0, 9]}}, {"name": "at", "type": "f32", "fill": {"random": [-1, 1]}}]},
  {"name": "after", "size": "N", "use": "output", "fields": [{"name": "id", "type": "i16"}, {"name": "at", "type": "f32"}]}],
 "kernels": [{"name": "move", "grid": "ceildiv(N, BLOCK)", "block": "BLOCK"}],
 "tunables": [{"name": "BLOCK", "values": [32, 64]}],
 "verify": {"c": {"source": "x.c", "function": "right"}, "tolerance": {"after.at": 1e-6}}}}}`
	structureRight = `void right(float *at, float *w, int *id, int8_t sign, double by, float shift, int n, const int16_t *before, const float *hit, int16_t *after, float *y) {
    for (int i = 0; i < n; i++) {
        at[4 * i] += sign * (float)by + shift;
        at[4 * i + 3] -= shift * hit[i];
        after[i] = id[i] + before[i];
        y[i] = at[4 * i + 1];
    }
}
`
)

func TestStructures(t *testing.T) {
	d := device(t)
	texts := map[string]string{"x.json": structureConfig, "x.cu": structureKernels, "x.c": structureRight}
	try := func() ([]framework.Check, framework.Work, error) {
		return algorithmtest.Try(factory(t, files(t, texts)), d, "move", nil, nil)
	}
	checks, work, err := try()
	if err != nil || len(checks) != 4 || !algorithmtest.Good(checks) {
		t.Errorf("%v, %v", checks, err)
	}
	// Particles of 32 bytes twice and hits of 8, with what pads them.
	if want := int64(2000 * (2*32 + 8 + 8)); work.NominalBytes != want {
		t.Errorf("%d nominal bytes; want %d", work.NominalBytes, want)
	}
	for _, wrong := range []string{"s.sign *|-s.sign *", "before[i].at|before[i].id", "p[i].at.y}|p[i].at.z}", "(short)(p[i].id +|(short)(p[i].id -", "p[i].w =|p[i].id ="} {
		old, replacement, _ := strings.Cut(wrong, "|")
		texts["x.cu"] = strings.Replace(structureKernels, old, replacement, 1)
		if checks, _, err := try(); err != nil || algorithmtest.Good(checks) {
			t.Errorf("%s: %v, %v", wrong, checks, err)
		}
	}
	// What changes an input is told of its field.
	texts["x.cu"] = strings.NewReplacer("const Hit *before", "Hit *before", "after[i] =", "before[i].at = 3; after[i] =").Replace(structureKernels)
	checks, _, err = try()
	if i := slices.IndexFunc(checks, func(c framework.Check) bool {
		return strings.HasPrefix(c.Metric, "before.at: share of elements changed of an input")
	}); err != nil || i < 0 {
		t.Errorf("%v, %v", checks, err)
	}
	// The Go suite runs on other problems too.
	texts["x.cu"] = structureKernels
	algorithmtest.Run(t, factory(t, files(t, texts)))
}

// TestStructuresOnADriver are laid out as in C.
func TestStructuresOnADriver(t *testing.T) {
	f := factory(t, files(t, map[string]string{"x.json": strings.Replace(structureConfig, `"name": "move"`, `"name": "nothing"`, 1), "x.c": structureRight,
		"x.cu": strings.NewReplacer("void move(", "void nothing(").Replace(structureKernels)}))
	g := drivertest.Build(t).Open(t)
	p, err := f.NewProblem(framework.Env{Device: g, Seed: 1}, framework.IntValues("N", 3))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	made, err := f.Versions[0].New(framework.Env{Device: g}, p, framework.IntValues("BLOCK", 32))
	if err != nil {
		t.Fatal(err)
	}
	run := made.(resettingGPU).gpuRun
	defer run.PostRun()
	if err := run.PreRun(); err != nil {
		t.Fatal(err)
	}
	in := p.(*problem).inputs
	for i, name := range []string{"p", "p.at", "p.w", "p.id"} {
		if run.p.a.arguments[i].Name != name {
			t.Fatalf("argument %d is %s", i, run.p.a.arguments[i].Name)
		}
		if i == 0 {
			continue
		}
		got, err := run.answer(i)
		if err != nil || string(got.data) != string(in[i].data) {
			t.Errorf("%s: %x, %v; want %x", name, got.data, err, in[i].data)
		}
	}
	whole := in[0].data
	if len(whole) != 3*32 || string(whole[32:48]) != string(in[1].data[16:32]) || string(whole[52:56]) != string(in[3].data[4:8]) {
		t.Errorf("particles of %x", whole)
	}
	i := slices.IndexFunc(run.p.a.arguments, func(o operand) bool { return o.Name == "s" })
	passed, err := run.passed(i, settingsOf(framework.IntValues("N", 3)))
	want := "\xff" + strings.Repeat("\x00", 7) + "\x00\x00\x00\x00\x00\x00\xe0\x3f" + "\x00\x00\x80\x3e\x00\x00\x80\x3e" + "\x03\x00\x00\x00\x00\x00\x00\x00"
	if got := bytesOf(passed); err != nil || string(got) != want {
		t.Errorf("%x, %v; want %x", got, err, want)
	}
}

func TestStructuresAreRefused(t *testing.T) {
	for _, c := range []struct{ old, replacement, want string }{
		{`{"name": "p", "size"`, `{"name": "p", "type": "f32", "size"`, "algorithm.cuda.arguments[0]: a structure has fields with types, values, fills and ways to compare of their own; want only name, fields, size or shape, and use"},
		{`{"name": "s", "fields"`, `{"name": "s", "use": "input", "fields"`, "algorithm.cuda.arguments[1].use: s is passed by value; with size or shape it would be a vector of structures"},
		{`"type": "f32x2", "value": 0.25`, `"type": "f32x2", "fill": {"constant": 1}`, "algorithm.cuda.arguments[1].fields[2]: fill and compare are of a vector's fields; a structure that is passed by value has fields with a value, or from"},
		{`"type": "f32x2", "value": 0.25`, `"type": "f32x2"`, "algorithm.cuda.arguments[1].fields[2]: what is s.shift? want value, or from, the argument that it points into"},
		{`"fill": {"constant": 1}, "compare": "none"`, `"value": 1`, "algorithm.cuda.arguments[0].fields[1]: p.w is a field of every element; want type, and fill or compare"},
		{`, "fill": {"constant": 1}, "compare": "none"`, ``, "algorithm.cuda.arguments[0].fields[1]: what does p.w hold before a run?"},
		{`"fields": [{"name": "id", "type": "i16"}`, `"fields": [{"name": "id", "type": "i16", "fill": {"constant": 0}}`, "algorithm.cuda.arguments[3].fields: 1 of 2 fields have a fill; want all or none"},
		{`{"name": "id", "type": "i16"}, {"name": "at"`, `{"name": "at", "type": "i16"}, {"name": "at"`, "algorithm.cuda.arguments[3].fields[1].name: at is the name of arguments[3].fields[0].name already; want another"},
		{`"type": "i32", "value": "N"`, `"type": "i32", "value": "M"`, `algorithm.cuda.arguments[1].fields[3].value: at character 1: "M" is not a name here`},
		{`"type": "i32", "value": "N"`, `"type": "float", "value": "N"`, `algorithm.cuda.arguments[1].fields[3].type: "float" is f32 here; want that`},
		{`"type": "i32", "value": "N"`, `"value": "N"`, `algorithm.cuda.arguments[1].fields[3]: the key "type" is missing`},
		{`{"name": "id", "type": "i16"}, {"name": "at", "type": "f32"}`, `{"name": "id", "type": "i32"}, {"name": "at", "type": "f32"}`, "algorithm.cuda.arguments[3]: argument after is a vector of structure of i32, f32, and kernel move of x.cu takes Hit *after"},
		{`"after.at": 1e-6`, `"after.y": 1e-6`, "algorithm.cuda.verify.tolerance.after.y: after.y is not an output"},
		{`"after.at": 1e-6`, `"p.w": 1e-6`, "p.w is not an output"},
		{`"tunables"`, `"constants": [{"name": "c", "from": "before"}], "tunables"`, "before is a structure; want one of its fields, such as before.id"},
	} {
		if !strings.Contains(structureConfig, c.old) {
			t.Fatalf("no %s in the config", c.old)
		}
		err := checkedConfig(t, map[string]string{"x.json": strings.Replace(structureConfig, c.old, c.replacement, 1), "x.cu": structureKernels, "x.c": structureRight})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got\n%v\nwant %s", c.replacement, err, c.want)
		}
	}
	nothing := strings.Replace(axpy("", ""), `"use": "in_place", `, `"use": "in_place", "compare": "none", `, 1)
	if err := checkedPoints(t, nothing); err == nil || !strings.Contains(err.Error(), `algorithm.cuda.arguments: nothing is compared: every answer has "compare": "none"`) {
		t.Error(err)
	}
}
