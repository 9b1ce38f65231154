package framework

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/bench/gpu"
)

// TestValuesKeepTheirKind through JSON, which has one kind of number.
func TestValuesKeepTheirKind(t *testing.T) {
	for _, c := range []struct {
		v    Value
		text string
		json string
	}{
		{Value{}, "", "null"},
		{IntValue(-3), "-3", "-3"},
		{IntValue(math.MaxInt64), "9223372036854775807", "9223372036854775807"},
		{FloatValue(2), "2", "2.0"},
		{FloatValue(0.5), "0.5", "0.5"},
		{FloatValue(1e300), "1e+300", "1e+300"},
		{TextValue("a b"), "a b", `"a b"`},
		{TextValue(""), "", `""`},
		{TextValue("1"), "1", `"1"`},
	} {
		got, err := json.Marshal(c.v)
		if err != nil || string(got) != c.json || c.v.String() != c.text {
			t.Errorf("%+v is %q and in JSON %s, %v; want %q and %s", c.v, c.v.String(), got, err, c.text, c.json)
		}
		again := IntValue(7)
		if err := json.Unmarshal(got, &again); err != nil || again != c.v {
			t.Errorf("%s is read as %+v, %v", got, again, err)
		}
	}
	for _, text := range []string{"true", "false", "{}", "[1]", `"`} {
		var v Value
		if err := v.UnmarshalJSON([]byte(text)); err == nil {
			t.Errorf("%s is %+v", text, v)
		}
	}
	var v Value
	if err := v.UnmarshalJSON(nil); err == nil || !strings.Contains(err.Error(), "want a number or a string") {
		t.Errorf("nothing: %v", err)
	}
	if err := v.UnmarshalJSON([]byte("1e5")); err != nil || v != FloatValue(1e5) {
		t.Errorf("1e5 is %+v, %v", v, err)
	}
}

// TestValuesConvert between the kinds of numbers.
func TestValuesConvert(t *testing.T) {
	v := Values{"n": IntValue(3), "x": FloatValue(2.5), "w": TextValue("f32")}
	if v.Int("n") != 3 || v.Int("x") != 2 || v.Int("none") != 0 || v.Float("n") != 3 || v.Float("x") != 2.5 || v.Float("none") != 0 || v.Text("w") != "f32" || v.Text("none") != "" {
		t.Errorf("%v", v)
	}
	if v["none"].IsSet() || !v["n"].IsSet() || v["w"].Kind() != Text {
		t.Errorf("%v", v)
	}
	c := v.Clone()
	c["n"] = IntValue(4)
	if v.Int("n") != 3 || len(c) != 3 {
		t.Errorf("%v after its clone was changed to %v", v, c)
	}
	if got := IntValues("P", 4, "L", 64); !reflect.DeepEqual(got, Values{"P": IntValue(4), "L": IntValue(64)}) {
		t.Errorf("%v", got)
	}
}

func TestPowersOfTwo(t *testing.T) {
	for _, n := range []int{1, 2, 4, 1 << 40} {
		if !IsPowerOfTwo(n) {
			t.Errorf("%d is one", n)
		}
	}
	for _, n := range []int64{0, -1, -4, 3, 6, 12, math.MinInt64} {
		if IsPowerOfTwo(n) {
			t.Errorf("%d is none", n)
		}
	}
	if got := PowersOfTwo(4, 32); !slices.Equal(got, []int64{4, 8, 16, 32}) {
		t.Errorf("%v", got)
	}
	if got := PowersOfTwo(4, 31); !slices.Equal(got, []int64{4, 8, 16}) || PowersOfTwo(8, 4) != nil {
		t.Errorf("%v", got)
	}
}

func TestRegistry(t *testing.T) {
	f := &Factory{Name: "fft", Doc: "d", Params: []Param{{Name: "N", Kind: Int, Default: IntValue(8), Min: 1, Max: 1 << 20}, {Name: "precision", Kind: Text, Choices: []string{"f32", "f64"}},
		{Name: "x", Kind: Float, DefaultGPU: FloatValue(2)}},
		Versions: []Version{{Name: "a", Processor: CPU}, {Name: "b", Processor: CPU}, {Name: "a", Processor: GPU, Tunables: []Tunable{{Name: "L", Values: []int64{1, 2}}}}}}
	r := NewRegistry([]*Factory{{Name: "scan"}, f}, []SensorFactory{{Name: "rapl"}})
	if r.Algorithm("fft") != f || r.Algorithm("none") != nil || !slices.Equal(r.Names(), []string{"fft", "scan"}) || len(r.Sensors()) != 1 {
		t.Errorf("%v", r.Names())
	}
	if !slices.Equal(f.VersionNames(), []string{"a", "b"}) || f.Version("a") != &f.Versions[0] || f.Version("c") != nil {
		t.Errorf("%v", f.VersionNames())
	}
	if f.VersionOn("a", GPU) != &f.Versions[2] || f.VersionOn("a", CPU) != &f.Versions[0] || f.VersionOn("b", GPU) != nil || f.VersionOn("c", CPU) != nil {
		t.Error("a version of another processor")
	}
	if f.Param("N") != &f.Params[0] || f.Param("M") != nil {
		t.Error("a parameter of another name")
	}
	d := f.Describe()
	if d.Params[0].Range != "1 … 1048576" || d.Params[1].Range != "f32, f64" || d.Params[2].Range != "any number" || d.Params[0].DefaultGPU != nil || *d.Params[2].DefaultGPU != FloatValue(2) ||
		!slices.Equal(d.Versions[2].Tunables["L"], []Value{IntValue(1), IntValue(2)}) {
		t.Errorf("%+v", d)
	}
	if got := (Param{Kind: Int, Max: 3}).Range() + "; " + (Param{Kind: Int, Min: -3}).Range(); got != "0 … 3; -3 … 0" {
		t.Error(got)
	}
	defer func() {
		if recover() == nil {
			t.Error("two algorithms of one name")
		}
	}()
	NewRegistry([]*Factory{f, f}, nil)
}

// memory is a device that can only allocate, a few times.
type memory struct {
	gpu.Device
	left int
	held map[gpu.Pointer]int64
}

func (m *memory) Alloc(bytes int64) (gpu.Pointer, error) {
	if m.left == 0 {
		return 0, errors.New("out of memory")
	}
	m.left--
	p := gpu.Pointer(1000 + m.left)
	m.held[p] = bytes
	return p, nil
}

func (m *memory) Free(p gpu.Pointer) error {
	if _, ok := m.held[p]; !ok {
		return errors.New("not there")
	}
	delete(m.held, p)
	return nil
}

// TestPostRunReleases what a run holds, also after half a PreRun, once.
func TestPostRunReleases(t *testing.T) {
	m := &memory{left: 3, held: map[gpu.Pointer]int64{}}
	r := GPURun{Env: Env{Device: m}}
	var a, b, c, d gpu.Pointer
	if err := r.AllocEach(64, &a, &b); err != nil || a == 0 || b == 0 || m.held[a] != 64 || len(m.held) != 2 {
		t.Fatalf("%v holds %v", err, m.held)
	}
	if err := r.AllocEach(64, &c, &d); err == nil || d != 0 {
		t.Errorf("four of three: %v", err)
	}
	if _, err := AllocCopy(&r, []float32{1}); err == nil {
		t.Error("a copy without memory")
	}
	if _, err := r.AllocFilled(1, 8); err == nil {
		t.Error("filled memory that is not there")
	}
	var order []int
	for i := range 3 {
		r.AtPostRun(func() error { order = append(order, i+len(m.held)); return nil })
	}
	if err := r.PostRun(); err != nil || len(m.held) != 0 || !slices.Equal(order, []int{5, 4, 3}) {
		t.Errorf("%v, %v are left, called %v; the last added is first, before memory is freed", err, m.held, order)
	}
	if err := r.PostRun(); err != nil || len(order) != 3 {
		t.Errorf("the second time %v, called %v", err, order)
	}
}

type problem struct{}

func (problem) Close()        {}
func (problem) Nominal() Work { return Work{NominalFLOPs: 7, FLOPs: 1} }

type other struct{ problem }

type computation struct{ closed *int }

func (c computation) Work() Work   { return Work{NominalFLOPs: 5, FLOPs: 9, LoadBytes: 2, StoreBytes: 3} }
func (c computation) Close() error { *c.closed++; return nil }

// TestCPURun prepares and closes once; its work has the problem's nominal counts.
func TestCPURun(t *testing.T) {
	closed := 0
	fault := errors.New("no")
	r := CPURun[problem, computation]{Prepare: func(problem, Env) (computation, error) { return computation{&closed}, fault }}
	if err := r.PreRun(); err != fault {
		t.Error(err)
	}
	if err := r.PostRun(); err != nil || closed != 0 {
		t.Errorf("after a PreRun that failed: %v, closed %d times", err, closed)
	}
	fault = nil
	if err := r.PreRun(); err != nil {
		t.Error(err)
	}
	if w := r.Work(); w != (Work{NominalFLOPs: 7, FLOPs: 9, LoadBytes: 2, StoreBytes: 3}) {
		t.Errorf("%+v", w)
	}
	for range 2 {
		if err := r.PostRun(); err != nil || closed != 1 {
			t.Errorf("%v, closed %d times", err, closed)
		}
	}
	if r.Workers() != 1 {
		t.Errorf("%d workers", r.Workers())
	}
	if r.Env.Workers = 3; r.Workers() != 3 {
		t.Errorf("%d workers of 3", r.Workers())
	}
}

type algorithm struct {
	BaseAlgorithm
	env Env
}

// TestTyped: a problem of another algorithm, or a fault, gives no instance.
func TestTyped(t *testing.T) {
	var fault error
	construct := OneThread(Typed(func(env Env, _ problem, _ Values) (*algorithm, error) { return &algorithm{env: env}, fault }))
	if a, err := construct(Env{Workers: 8}, problem{}, nil); err != nil || a.(*algorithm).env.Workers != 1 {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := construct(Env{}, other{}, nil); err == nil || a != nil || !strings.Contains(err.Error(), "of another algorithm; want framework.problem") {
		t.Errorf("%+v, %v", a, err)
	}
	fault = errors.New("too large")
	if a, err := construct(Env{}, problem{}, nil); err != fault || a != nil {
		t.Errorf("%+v, %v", a, err)
	}
	said := ""
	Env{}.Remark("unheard")
	Env{Note: func(format string, _ ...any) { said = format }}.Remark("heard")
	if said != "heard" {
		t.Error(said)
	}
}

// TestCheckHoldsAtItsBound, and nothing that is not a number does.
func TestCheckHoldsAtItsBound(t *testing.T) {
	for _, c := range []struct {
		error, bound float64
		ok           bool
	}{{1, 1, true}, {0, 1, true}, {math.Nextafter(1, 2), 1, false}, {math.NaN(), 1, false}, {0, math.NaN(), false}} {
		if got := (Check{Error: c.error, Bound: c.bound}).OK(); got != c.ok {
			t.Errorf("%v of %v: %v", c.error, c.bound, got)
		}
	}
}

// TestMemoryOfAnAnswer holds that a point from input to answer has the host's arrays too.
func TestMemoryOfAnAnswer(t *testing.T) {
	f := &Factory{HostBytes: func(Values) int64 { return 100 }}
	v := &Version{Processor: GPU, DeviceBytes: func(Values, Values) int64 { return 40 }}
	for _, x := range []struct {
		timed  string
		memory gpu.Memory
		want   Memory
	}{
		{KernelTimed, gpu.DeviceMemory, Memory{Host: 140, Device: 40}},
		{AnswerTimed, "", Memory{Host: 180, Device: 40}},
		{AnswerTimed, gpu.DeviceMemory, Memory{Host: 180, Device: 40}},
		{AnswerTimed, gpu.MappedMemory, Memory{Host: 140, Device: 40}},
	} {
		params := Values{TimedParam: TextValue(x.timed), MemoryParam: TextValue(string(x.memory))}
		if got := f.Memory(v, params, nil, false); got != x.want {
			t.Errorf("%s of %q: %+v, want %+v", x.timed, x.memory, got, x.want)
		}
	}
}
