package algorithmtest

import (
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim/simtest"
)

func TestFaultsAreFound(t *testing.T) {
	device := simtest.Open(t)
	faults := map[string]string{"": "", "right once": "right answers", "memory is left": "PostRun frees",
		"PreRun's error": "PostRun frees after half a PreRun", "two workers": "counts",
		"another processor's counts": "counts", "one run for all": "right answers",
		"an upload's error": "PostRun frees after half a PreRun", "problems": "problems", "half an answer": "input to answer", "more than is copied": "input to answer",
		"wrong by one thread": "right answers", "wrong by three threads": "right answers",
		"a fast check of nothing": "right answers", "a fast check that refuses all": "right answers", "a fast check that fails": "right answers",
		"panics at the highest": "no panic at limits", "panics at the lowest": "no panic at limits", "panics in DeviceBytes": "no panic at limits",
		// These break none.
		"HostBytes at its bound": "", "one thread": "", "as many as given": "", "GPU first": "", "no items": "", "no fast check": ""}
	for _, p := range properties {
		if p.name != "PostRun frees" { // TestLeakIsFound
			faults[p.name] = p.name
		}
	}
	for fault, property := range faults {
		s := Suite{Factory: copying(fault), device: device}
		var found []finding
		for i := range s.Factory.Versions {
			found = append(found, s.findings(&s.Factory.Versions[i])...)
		}
		if property == "" && len(found) > 0 {
			t.Errorf("an algorithm without fault, %q: %v", fault, found)
		}
		if property != "" && !slices.ContainsFunc(found, func(f finding) bool { return f.property == property }) {
			t.Errorf("fault %q: found %v", fault, found)
		}
	}
}

// TestForeignProblem: a New that takes any problem, or panics at another's, is told in one line
// what refuses it.
func TestForeignProblem(t *testing.T) {
	for _, news := range []func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error){
		func(framework.Env, framework.Problem, framework.Values) (framework.BaseAlgorithm, error) {
			return nil, nil
		},
		func(_ framework.Env, p framework.Problem, _ framework.Values) (framework.BaseAlgorithm, error) {
			_ = p.(*numbers)
			return nil, nil
		},
	} {
		f := copying("")
		v := &f.Versions[0]
		v.New = news
		err := subject{f: f, v: v}.foreign(framework.IntValues("N", 3))
		if err == nil || !strings.Contains(err.Error(), "make it with framework.Typed") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
	}
}

// TestLeakIsFound: a thread that does not end is waited for.
func TestLeakIsFound(t *testing.T) {
	s := Suite{Factory: copying("PostRun frees")}
	if found := s.findings(&s.Factory.Versions[0]); len(found) != 1 || found[0].property != "PostRun frees" {
		t.Errorf("found %v", found)
	}
}

func TestSpread(t *testing.T) {
	list := []int{0, 1, 2, 3, 4, 5, 6}
	if got := spread(list, 3); !slices.Equal(got, []int{0, 3, 6}) {
		t.Errorf("three of %v are %v", list, got)
	}
	if got := spread(list, 9); !slices.Equal(got, list) {
		t.Errorf("nine of %v are %v", list, got)
	}
}

// A panic is a finding, not the end of the test.
func TestPanicIsFound(t *testing.T) {
	if err := guarded(func() error { panic("x") }); err == nil {
		t.Error("no error")
	}
}

func TestTry(t *testing.T) {
	device := simtest.Open(t)
	for _, c := range []struct {
		fault, version string
		device         gpu.Device
		params         framework.Values
		refused, right bool
	}{
		{"", "cpu", nil, framework.IntValues("N", 3), false, true},
		{"", "gpu", device, nil, false, true},
		{"right once", "cpu", nil, nil, false, false},
		{"one run for all", "gpu", device, nil, false, false},
		{"", "none", nil, nil, true, false},
		{"", "cpu", nil, framework.IntValues("N", 2000), true, false},
		{"no panic at limits", "cpu", nil, framework.IntValues("N", 2000), true, false},
		{"", "cpu", nil, framework.IntValues("up", 3), true, false},
		{"wrong by one thread", "cpu", nil, nil, false, false},
		{"wrong by three threads", "cpu", nil, nil, false, false},
		{"defaults are valid", "cpu", nil, nil, true, false},
	} {
		checks, work, err := Try(copying(c.fault), c.device, c.version, c.params, nil)
		if (err != nil) != c.refused || Good(checks) != c.right || (work.Items == 1) == c.refused {
			t.Errorf("%q, %s at %v: %v, %+v, %v", c.fault, c.version, c.params, checks, work, err)
		}
	}
}

// TestChosenProblems: those that the version supports, without the heavy ones; one property is looked for on the largest of the small ones.
func TestChosenProblems(t *testing.T) {
	f := copying("")
	f.Params[0].DefaultGPU = framework.IntValue(16)
	s := subject{f: f, v: f.Version("cpu")}
	list := s.supported(func(string) []framework.Values {
		return []framework.Values{framework.IntValues("N", 5), framework.IntValues("N", 2000), framework.IntValues("N", 6, "up", 3), {}}
	})
	if len(list) != 2 || list[0].Int("N") != 5 || list[1].Int("N") != 8 || list[0].Int("any") != 7 {
		t.Errorf("supported are %v", list)
	}
	s.device = simtest.Open(t)
	if n := s.complete(nil).Int("N"); n != 16 {
		t.Errorf("N is %d on a GPU", n)
	}
	of := func(sizes ...int) (list []framework.Values) {
		for _, n := range sizes {
			list = append(list, framework.IntValues("N", n))
		}
		return list
	}
	const small, light = smallBytes / 4, lightBytes / 4
	for _, c := range []struct {
		sizes []int
		light []int
		small int
	}{
		{[]int{1, light, light + 1, small}, []int{1, light, small}, small},
		{[]int{light + 2, light + 1}, []int{light + 2, light + 1}, light + 1},
		{[]int{5 * light, 2 * light, light + 1}, []int{2 * light, light + 1}, light + 1},
		{[]int{small + 1, 3, small - 1}, []int{small + 1, 3, small - 1}, small - 1},
		{[]int{small + 2, small + 1}, []int{small + 2, small + 1}, small + 1},
		{[]int{2, 3}, []int{2, 3}, 3},
	} {
		few := s.light(of(c.sizes...))
		var got []int
		for _, p := range few {
			got = append(got, int(p.Int("N")))
		}
		if n := s.small(few).Int("N"); !slices.Equal(got, c.light) || n != int64(c.small) {
			t.Errorf("of %v light are %v and small is %d; want %v and %d", c.sizes, got, n, c.light, c.small)
		}
	}
}

// written counts what is set.
type written struct {
	gpu.Device
	set []gpu.Pointer
}

func (w *written) Free(gpu.Pointer) error { return nil }
func (w *written) SetAsync(p gpu.Pointer, value byte, bytes int64, _ gpu.Stream) error {
	w.set = append(w.set, p)
	return nil
}

// TestLedgerKnowsWhatIsFilled: all of what was copied, and nothing beside it.
func TestLedgerKnowsWhatIsFilled(t *testing.T) {
	l := newLedger(&written{})
	l.fill(1000, 64)
	l.ready = true
	l.fill(2000, 64)
	for at, want := range map[gpu.Pointer]bool{999: false, 1000: true, 1063: true, 1064: false, 2000: false} {
		if l.isFilled(at) != want {
			t.Errorf("%d is filled: %v", at, !want)
		}
	}
}

// TestLedgerForgetsWhatIsFreed, and nothing beside it; all of an answer is spoilt.
func TestLedgerForgetsWhatIsFreed(t *testing.T) {
	w := &written{}
	l := newLedger(w)
	l.live[1000], l.bytes = 64, 64
	for _, at := range []gpu.Pointer{999, 1000, 1063, 1064} {
		l.read = append(l.read, region{at, 1})
		l.filled[at] = 1
	}
	if err := l.Free(1000); err != nil || l.bytes != 0 || len(l.live) != 0 {
		t.Errorf("%v, %d bytes are left", err, l.bytes)
	}
	if len(l.filled) != 2 || l.filled[999] != 1 || l.filled[1064] != 1 {
		t.Errorf("filled are %v", l.filled)
	}
	if err := l.spoil(0); err != nil || !slices.Equal(w.set, []gpu.Pointer{999, 1064}) || l.read != nil {
		t.Errorf("%v, spoilt are %v", err, w.set)
	}
}

// TestContentIsOfValues, not of where they lie.
func TestContentIsOfValues(t *testing.T) {
	type held struct {
		words []string
		flags []bool
		x     []complex64
	}
	of := func() *held {
		return &held{[]string{string([]byte{'a', 'b'}), string([]byte{'c'})}, []bool{true, false}, []complex64{1, 2i}}
	}
	if a, b := contentOf(of()), contentOf(of()); a != b {
		t.Errorf("the same content differs: %v and %v", a, b)
	}
	other := of()
	other.words[1] = "d"
	if contentOf(other) == contentOf(of()) {
		t.Error("another word is the same content")
	}
	other = of()
	if other.flags[1] = true; contentOf(other) == contentOf(of()) {
		t.Error("another truth is the same content")
	}
}
