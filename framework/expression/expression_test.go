package expression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
)

func bind(t testing.TB, e *Expression, names ...string) *Bound {
	t.Helper()
	b, err := e.Bind(func(name string) (Variable, bool) {
		for i, n := range names {
			if n == name {
				return Variable{Slot: i}, true
			}
		}
		if name == "kind" {
			return Variable{Slot: len(names), Labels: []string{"row", "column"}}, true
		}
		return Variable{}, false
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestAgreesWithExpr compares values with expr's own virtual machine.
func TestAgreesWithExpr(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{
		"a * b <= 64", "a + b - c == 3", "a % 4 == 0 and b > 2", "a == 1 || b / c < 1.5", "not (a > b) && c != 2",
		"a in [1, 2, 3]", "b not in [1, 5]", "max(a, b, c) - min(a, b) <= 4", "a > 3 ? b < 4 : c < 4", "a ** 2 < 20", "abs(a - b) >= 2",
		"floor(a / 2) == ceil(b / 3)", "-a < -3", "a < b < c", "a >= b", "1 <= a * b <= 12",
	} {
		e, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		program, err := expr.Compile(text)
		if err != nil {
			t.Fatal(err)
		}
		b := bind(t, e, "a", "b", "c")
		for range 300 {
			v := []float64{float64(1 + rnd.IntN(8)), float64(1 + rnd.IntN(8)), float64(1 + rnd.IntN(8))}
			want, err := expr.Run(program, map[string]any{"a": int(v[0]), "b": int(v[1]), "c": int(v[2])})
			if err != nil {
				t.Fatal(text, err)
			}
			if got := b.Holds(v); got != want {
				t.Fatalf("%s at %v: %v, expr says %v", text, v, got, want)
			}
		}
	}
}

func TestPythonConditions(t *testing.T) {
	for _, x := range []struct {
		text    string
		a, b, c float64
		want    bool
	}{
		{"32 <= a * b <= 1024", 8, 4, 0, true},
		{"32 <= a * b <= 1024", 8, 3, 0, false},
		{"a == 0 or b % 32 != 0", 1, 64, 0, false},
		{"a/b == 2.5", 5, 2, 0, true}, // true division
		{"a//b == 2", 5, 2, 0, true},
		{"-a // b == -3", 5, 2, 0, true},    // rounds down
		{"-a % b == 1", 5, 3, 0, true},      // takes the divisor's sign
		{"-a ** b == -25", 5, 2, 0, true},   // ** before the sign
		{"2 ** -a == 0.125", 3, 0, 0, true}, // and after
		{"a ** b ** c == 2", 2, 1, 5, true}, // from the right
		{"not a == b", 1, 2, 0, true},       // not after comparison
		{"a and b", 2, 0, 0, false},         // truth of numbers
		{"(a or b) == 3", 0, 3, 0, true},    // or gives an operand
		{"a < b == c", 1, 2, 2, true},       // a chain, not (a < b) == c
		{"a / b > 1 or c", 1, 0, 1, false},  // an error, not false
		{"b == 0 or a / b > 1", 1, 0, 0, true},
		{"a in [1, 2]", 2, 0, 0, true}, {"a not in (1, 2)", 2, 0, 0, false},
		{"kind == 'row' and a > 0", 1, 0, 0, true},
		{"kind in ['column', \"x\"]", 1, 0, 0, false},
		{"kind != 'column'", 1, 0, 0, true}, {"'nothing' == kind", 1, 0, 0, false},
		{"a if b else c", 0, 1, 1, false},
		{"max(a, b) - min(a, b, c) == 0x10 and True", 20, 4, 4, true},
		{"a > 1e-3 && !(b > 1_000)", 1, 999, 0, true},
	} {
		e, err := ParsePython(x.text)
		if err != nil {
			t.Errorf("%s: %v", x.text, err)
			continue
		}
		// kind is slot 3: row
		if got := bind(t, e, "a", "b", "c").Holds([]float64{x.a, x.b, x.c, 0}); got != x.want {
			t.Errorf("%s at %v %v %v: %v", x.text, x.a, x.b, x.c, got)
		}
	}
}

func TestPythonValues(t *testing.T) {
	for text, want := range map[string]string{
		"[1, 2, 4]":                                  "1 2 4",
		"[32 * i for i in range(1, 5)]":              "32 64 96 128",
		"[1,2] + list(range(32, 129, 32))":           "1 2 32 64 96 128",
		"[2**i for i in range(0, 5) if i != 2]":      "1 2 8 16",
		"list(range(3, 0, -1))":                      "3 2 1",
		"[x*10+y for x in [1, 2] for y in range(x)]": "10 20 21",
		"[1.0, 0.5, 1e20, 1/2, 4//2, 1e-7]":          "1.0 0.5 1e+20 0.5 2 1e-07",
		"['a', \"b c\"]":                             "a b c",
		"[True, False]":                              "True False",
		"(1, 2,)":                                    "1 2",
		"1, 2":                                       "1 2",
		"[]":                                         "",
		"16":                                         "16",
		"[int(x / 2) for x in (3, 5)] + [round(2.5)]":        "1 2 2",
		"[min([3, 1]), max(1, 2), len([1, 1]), sum([1, 2])]": "1 2 2 3",
	} {
		got, err := PythonValues(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var words []string
		for _, v := range got {
			words = append(words, v.String())
		}
		if s := strings.Join(words, " "); s != want {
			t.Errorf("%s is %q, want %q", text, s, want)
		}
	}
}

func TestPythonFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "empty",
		"[1, 2":            "want",
		"[1 2]":            "want",
		"range(1, 2, 0)":   "step",
		"range(1e9)":       "more than",
		"[x for x in 3]":   "list",
		"[y for x in [1]]": "not known",
		"[1/0]":            "zero",
		"__import__('os')": "not a function",
		"[[1]]":            "within",
		"'abc":             "end",
		"[a for a in range(60000) for b in range(60000) for c in range(60000)]": "more than",
		strings.Repeat("(", 1000):                                  "deeper",
		strings.Repeat("not ", 1000):                               "deeper",
		"[0 for a in range(65000) for b in range(65000) if b < 0]": "too much",
	} {
		if _, err := PythonValues(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want an error with %q", text, err, want)
		}
	}
	if _, err := ParsePython("[i for i in range(3)]"); err == nil {
		t.Error("a list was taken as a condition")
	}
	if _, err := Parse("map(a, b)"); err == nil {
		t.Error("an unsupported function was taken")
	}
	for _, text := range []string{"a <= 128 // 2", "a <= 2 /* b */", "a # b"} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), "want") {
			t.Errorf("%s: %v; the rest would be dropped", text, err)
		}
	}
	if e, err := Parse("ceildiv(a, b) == 3"); err != nil || !bind(t, e, "a", "b").Holds([]float64{17, 8}) {
		t.Errorf("17 of 8 are three: %v", err)
	}
	e, _ := ParsePython("kind + 1 > 0")
	if _, err := e.Bind(func(string) (Variable, bool) { return Variable{Labels: []string{"x"}}, true }); err == nil {
		t.Error("arithmetic on words was taken")
	}
}

// TestIntervalsHoldEveryValue draws boxes and points in them.
func TestIntervalsHoldEveryValue(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, text := range []string{
		"a * b - c", "a // b + c % b", "a / b", "(a - 4) * (b - 4)", "-a % b", "a % -b", "2 ** a - b ** 2", "a < b", "a <= b and b <= c",
		"a == b or not c > 2", "a if b > c else -c", "a in [1, 3] or b", "min(a, b) * max(b, c) - abs(a - c)", "not (a and b - 3)", "a != b != c",
		"a / (b - 3) > 1 or c > 3", "(a - b) ** 2", "(a / (b - 2)) == 1 and c", "floor(a / b) + ceil(a / c)",
	} {
		e, err := ParsePython(text)
		if err != nil {
			t.Fatal(err)
		}
		b := bind(t, e, "a", "b", "c")
		for range 2000 {
			box, v := make([]Interval, 3), make([]float64, 3)
			for i := range box {
				box[i].Low = float64(rnd.IntN(7)) - float64(rnd.IntN(2))
				box[i].High = box[i].Low + float64(rnd.IntN(4))
				v[i] = box[i].Low + float64(rnd.IntN(int(box[i].High-box[i].Low)+1))
			}
			x, r := b.Eval(v), b.Over(box)
			if math.IsNaN(x) {
				if !r.Fails {
					t.Fatalf("%s at %v has no value, the interval over %v says %+v", text, v, box, r)
				}
			} else if x < r.Low || x > r.High {
				t.Fatalf("%s at %v is %v, outside %+v over %v", text, v, x, r, box)
			}
			if b.Excludes(box) && b.Holds(v) {
				t.Fatalf("%s is excluded over %v and holds at %v", text, box, v)
			}
		}
	}
}

func TestConjunctsAndNames(t *testing.T) {
	e, err := ParsePython("(a < b < 4) and (c or d) and not (a and c)")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range e.Conjuncts() {
		got = append(got, fmt.Sprint(c.Names()))
	}
	if s := strings.Join(got, " "); s != "[a b] [b] [c d] [a c]" {
		t.Error(s)
	}
}

func FuzzPython(f *testing.F) {
	for _, s := range []string{"32 <= a*b <= 1024", "[32 * i for i in range(1, 32)]", "[1,2] + list(range(32, 1025, 32))", "not a or b in ['x', \"y\"]",
		"a if b else c ** -2 // 0x1F % 1_0", "[x for x in [1] if x for y in range(2)]", "1e", "0x", "'\\", ".5.5", "a<b<c==d!=e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			return
		}
		if values, err := PythonValues(text); err == nil && len(values) > maxValues {
			t.Error("too many values")
		}
		e, err := ParsePython(text)
		if err != nil {
			return
		}
		b, err := e.Bind(func(name string) (Variable, bool) { return Variable{Slot: len(name) % 4}, true })
		if err != nil {
			return
		}
		at := []float64{0, 1, -3, 64}
		box := make([]Interval, len(at))
		for i, x := range at {
			box[i] = Interval{Low: x - 1, High: x + 2}
		}
		if b.Excludes(box) && b.Holds(at) {
			t.Errorf("%q: excluded over a box, and holds in it", text)
		}
		x, r := b.Eval(at), b.Over(box)
		if x == x && (x < r.Low || x > r.High) {
			t.Errorf("%q: %v is outside %+v", text, x, r)
		}
	})
}
