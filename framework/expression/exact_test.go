package expression

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func parsed(t *testing.T, text string) *Expression {
	t.Helper()
	e, err := ParsePython(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// An interval is as narrow as its operation allows: what is wider excludes less.
func TestIntervalsAreNarrow(t *testing.T) {
	inf := math.Inf(1)
	all := Interval{-inf, inf, true}
	is := func(low, high float64) Interval { return Interval{Low: low, High: high} }
	for _, x := range []struct {
		text string
		a, b Interval
		want Interval
	}{
		{"a + b", is(1, 2), is(-4, 8), is(-3, 10)},
		{"a - b", is(1, 2), is(-4, 8), is(-7, 6)},
		{"a * b", is(-2, 3), is(-5, 7), is(-15, 21)},
		{"a / b", is(-2, 3), is(2, 4), is(-1, 1.5)},
		{"a / b", is(2, 3), is(-1, 1), all},
		{"a / b", is(2, 3), is(0, 1), all},
		{"a / b", is(2, 3), is(-1, 0), all},
		{"a // b", is(-3, 3), is(2, 2), is(-2, 1)},
		{"-a", is(-2, 3), is(0, 0), is(-3, 2)},
		{"abs(a)", is(-2, 3), is(0, 0), is(0, 3)},
		{"abs(a)", is(-4, 3), is(0, 0), is(0, 4)},
		{"abs(a)", is(-4, -3), is(0, 0), is(3, 4)},
		{"abs(a)", is(0, 3), is(0, 0), is(0, 3)},
		{"abs(a)", is(-3, 0), is(0, 0), is(0, 3)},
		{"floor(a)", is(-1.5, 1.5), is(0, 0), is(-2, 1)},
		{"ceil(a)", is(-1.5, 1.5), is(0, 0), is(-1, 2)},
		{"min(a, b)", is(1, 5), is(2, 3), is(1, 3)},
		{"max(a, b)", is(1, 5), is(2, 3), is(2, 5)},
		{"a % b", is(7, 7), is(4, 4), is(3, 3)},
		{"a % b", is(-7, -7), is(4, 4), is(1, 1)},
		{"a % b", is(1, 2), is(4, 8), is(0, 2)},
		{"a % b", is(1, 20), is(4, 8), is(0, 8)},
		{"a % b", is(-1, 20), is(4, 8), is(0, 8)},
		{"a % b", is(-1, 2), is(4, 8), is(0, 8)},
		{"a % b", is(1, 20), is(-8, -4), is(-8, 0)},
		{"a % b", is(1, 20), is(-8, 0), all},
		{"a % b", is(1, 20), is(0, 8), all},
		{"a ** b", is(2, 2), is(3, 3), is(8, 8)},
		{"a ** b", is(0, 2), is(1, 3), all},
		{"a ** b", is(0, 0), is(-1, -1), all},
		{"a == b", is(1, 2), is(2, 3), is(0, 1)},
		{"a == b", is(1, 2), is(3, 3), is(0, 0)},
		{"a == b", is(3, 3), is(1, 2), is(0, 0)},
		{"a == b", is(2, 2), is(2, 2), is(1, 1)},
		{"a == b", is(2, 2), is(2, 3), is(0, 1)},
		{"a != b", is(2, 2), is(2, 2), is(0, 0)},
		{"a != b", is(1, 2), is(3, 4), is(1, 1)},
		{"a < b", is(1, 2), is(3, 4), is(1, 1)},
		{"a < b", is(1, 2), is(2, 4), is(0, 1)},
		{"a < b", is(4, 5), is(3, 4), is(0, 0)},
		{"a <= b", is(1, 2), is(2, 4), is(1, 1)},
		{"a <= b", is(4, 5), is(3, 4), is(0, 1)},
		{"a <= b", is(5, 6), is(3, 4), is(0, 0)},
		{"not a", is(-1, 1), is(0, 0), is(0, 1)},
		{"not a", is(1, 2), is(0, 0), is(0, 0)},
		{"not a", is(-2, -1), is(0, 0), is(0, 0)},
		{"not a", is(0, 0), is(0, 0), is(1, 1)},
		{"a and b", is(0, 0), is(3, 4), is(0, 0)},
		{"a and b", is(1, 2), is(3, 4), is(3, 4)},
		{"a and b", is(0, 2), is(0, 0), is(0, 0)},
		{"a and b", is(0, 2), is(3, 4), is(0, 4)},
		{"a or b", is(1, 2), is(3, 4), is(1, 2)},
		{"a or b", is(0, 0), is(3, 4), is(3, 4)},
		{"a or b", is(0, 2), is(3, 4), is(0, 4)},
		{"a and b", Interval{1, 2, true}, is(3, 4), Interval{1, 4, true}},
		{"a and b", Interval{0, 2, true}, is(0, 0), Interval{0, 0, true}},
		{"a or b", Interval{0, 0, true}, is(3, 4), Interval{0, 4, true}},
		{"a + b", Interval{0, 0, true}, is(3, 4), Interval{3, 4, true}},
		{"min(a, b)", is(0, 0), Interval{3, 4, true}, Interval{0, 0, true}},
		{"2 if a else b", is(1, 3), is(7, 9), is(2, 2)},
		{"2 if a else b", is(0, 0), is(7, 9), is(7, 9)},
		{"2 if a else b", is(0, 1), is(7, 9), is(2, 9)},
		{"2 if a else b", Interval{1, 1, true}, is(7, 9), Interval{2, 2, true}},
		{"2 if a else b", Interval{0, 0, true}, is(7, 9), Interval{7, 9, true}},
		{"2 if a else b", Interval{0, 1, true}, is(7, 9), Interval{2, 9, true}},
		{"a in [1, b]", is(1, 1), is(5, 6), is(1, 1)},
		{"a in [1, b]", is(1, 2), is(5, 6), is(0, 1)},
		{"a in [1, b]", is(2, 4), is(5, 6), is(0, 0)},
		{"a in [1, b]", is(7, 7), is(5, 6), is(0, 0)},
		{"a in [1, b]", is(5, 5), is(5, 5), is(1, 1)},
		{"a in [1, b]", is(5, 5), Interval{5, 5, true}, is(0, 1)},
		{"a in [1, b]", Interval{1, 1, true}, is(5, 5), Interval{1, 1, true}},
		{"a + b", is(-inf, 0), is(inf, inf), all},
	} {
		if got := bind(t, parsed(t, x.text), "a", "b").Over([]Interval{x.a, x.b}); got != x.want {
			t.Errorf("%s over %v and %v: %+v, want %+v", x.text, x.a, x.b, got, x.want)
		}
	}
	// A power of two bounds within a place.
	if r := bind(t, parsed(t, "a ** b"), "a", "b").Over([]Interval{is(2, 3), is(-1, 2)}); r.Low >= 1.0/3 || r.High <= 9 || r.Low < 0.333 || r.High > 9.001 || r.Fails {
		t.Errorf("%+v", r)
	}
	b := bind(t, parsed(t, "a > 3"), "a")
	for box, want := range map[Interval]bool{is(1, 3): true, is(1, 4): false, is(4, 5): false} {
		if b.Excludes([]Interval{box}) != want {
			t.Errorf("excluded over %v: %v", box, !want)
		}
	}
}

// The rest has the sign that its language gives it; numbers beyond 2^53 are no
// whole numbers to count with.
func TestRemainders(t *testing.T) {
	const large = 1 << 53
	for _, x := range []struct{ a, b, modulo, remainder float64 }{
		{7, 4, 3, 3}, {-7, 4, 1, -3}, {7, -4, -1, 3}, {-7, -4, -3, -3}, {-8, 4, 0, 0}, {7.5, 2, 1.5, 1.5}, {-7.5, 2, 0.5, -1.5}, {0, 5, 0, 0},
		{large, 3, math.Mod(large, 3), math.Mod(large, 3)}, {1e300, 7, math.Mod(1e300, 7), math.Mod(1e300, 7)}, {3, 1e300, 3, 3}, {-large, 3, 3 + math.Mod(-large, 3), math.Mod(-large, 3)},
	} {
		if m, r := modulo(x.a, x.b), remainder(x.a, x.b); m != x.modulo || r != x.remainder {
			t.Errorf("%v by %v: modulo %v, want %v; remainder %v, want %v", x.a, x.b, m, x.modulo, r, x.remainder)
		}
	}
	for name, x := range map[string]float64{"modulo": modulo(1, 0), "remainder": remainder(1, 0), "floor": floorDivide(1, 0), "power": power(0, -1)} {
		if !math.IsNaN(x) {
			t.Errorf("%s by zero is %v", name, x)
		}
	}
	if floorDivide(-5, 2) != -3 || power(0, 0) != 1 || power(0, 2) != 0 || power(2, -1) != 0.5 {
		t.Error("floor or power")
	}
	e, err := Parse("a % b")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ a, b, want Interval }{
		{Interval{Low: 1, High: 20}, Interval{Low: 4, High: 8}, Interval{Low: 0, High: 8}},
		{Interval{Low: 0, High: 3}, Interval{Low: -8, High: -4}, Interval{Low: 0, High: 3}},
		{Interval{Low: -1, High: 20}, Interval{Low: 4, High: 8}, Interval{Low: -8, High: 8}},
		{Interval{Low: -7, High: -7}, Interval{Low: 4, High: 4}, Interval{Low: -3, High: -3}},
	} {
		if got := bind(t, e, "a", "b").Over([]Interval{x.a, x.b}); got != x.want {
			t.Errorf("%v by %v: %+v, want %+v", x.a, x.b, got, x.want)
		}
	}
}

// What fails in an operand fails in the whole, unless it is not looked at.
func TestNoValueGoesThrough(t *testing.T) {
	for text, want := range map[string]float64{
		"not 1/a": math.NaN(), "1/a == 1": math.NaN(), "1 < 1/a": math.NaN(), "1/a in [1]": math.NaN(), "min(1, 1/a)": math.NaN(), "max(1/a, 1)": math.NaN(),
		"2 if 1/a else 3": math.NaN(), "1/a and 0": math.NaN(), "1/a or 1": math.NaN(), "abs(1/a)": math.NaN(),
		"0 and 1/a": 0, "1 or 1/a": 1, "2 if a == 0 else 1/a": 2, "1 in [1/a, 1]": 1, "1 in [1/a, 2]": 0, "not 2": 0, "not 0": 1,
		"1 <= 1": 1, "2 <= 1": 0, "1 < 1": 0, "1 >= 1": 1, "1 > 1": 0, "3 - 1": 2, "max(1, 3, 2)": 3, "min(2, 1, 3)": 1, "-2 ** 2": -4, "7 // 2": 3, "ceil(1.5)": 2, "floor(1.5)": 1,
	} {
		b := bind(t, parsed(t, text), "a")
		got := b.Eval([]float64{0})
		if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is %v, want %v", text, got, want)
		}
		if b.Holds([]float64{0}) != (want != 0 && want == want) {
			t.Errorf("%s holds: %v", text, b.Holds([]float64{0}))
		}
	}
}

func TestIsNumber(t *testing.T) {
	for text, want := range map[string]bool{
		"-a": true, "a + 1": true, "a - 1": true, "a * 2": true, "a / 2": true, "a // 2": true, "a % 2": true, "a ** 2": true, "min(a, 1)": true,
		"max(a, 1)": true, "abs(a)": true, "floor(a)": true, "ceil(a)": true, "a + 1 if a else a": true, "a if a else a + 1": true,
		"a": false, "a if a else a": false, "a < 1": false, "a and a": false, "not a": false, "a in [1]": false,
	} {
		if got := parsed(t, text).IsNumber(); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if e := parsed(t, "a <  1"); e.String() != "a <  1" {
		t.Errorf("%q", e)
	}
}

// Hoisted parts are what does not depend on the slot; with their values in place
// the rest says what the whole says.
func TestHoist(t *testing.T) {
	for text, parts := range map[string]int{"a * b + c * c < 100": 1, "a + 1 < 5": 0, "b + c == 3 and a in [b, c * 2]": 2, "b * c == 8": 1, "c if a else b * 2": 1} {
		whole := bind(t, parsed(t, text), "a", "b", "c")
		inner, outer := whole.Hoist(0, 3)
		if len(outer) != parts {
			t.Errorf("%s: %d parts hoisted, want %d", text, len(outer), parts)
		}
		for _, v := range [][]float64{{1, 2, 3}, {0, 1, 2}, {9, 8, 7}, {4, 2, 4}, {3, 2, 1}} {
			at := slices.Clone(v)
			for _, o := range outer {
				if slices.Contains(o.Slots(), 0) {
					t.Errorf("%s: a hoisted part depends on slots %v", text, o.Slots())
				}
				at = append(at, o.Eval(v))
			}
			if got, want := inner.Eval(at), whole.Eval(v); got != want {
				t.Errorf("%s at %v: %v, want %v", text, v, got, want)
			}
		}
	}
	if s := bind(t, parsed(t, "c + a + c"), "a", "b", "c").Slots(); !slices.Equal(s, []int{0, 2}) {
		t.Errorf("slots %v", s)
	}
}

func TestBindRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"kind":               "kind holds words, which can only be compared",
		"kind == 1":          "kind holds words; want words to compare it with",
		"1 != kind":          "kind holds words; want words",
		"kind in ['row', 2]": "kind holds words; want words",
		"a + 'row'":          `the word "row" can only be compared`,
		"a == [1]":           "a list can only stand after in",
		"a in b":             "a list is wanted after in",
		"absent > 1":         "absent is not known here",
		"a in [absent]":      "absent is not known here",
	} {
		_, err := parsed(t, text).Bind(func(name string) (Variable, bool) {
			if name == "kind" {
				return Variable{Labels: []string{"row"}}, true
			}
			return Variable{}, name != "absent"
		})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), text+": ") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	// Constants, and words that are known beforehand.
	for text, want := range map[string]float64{"n == 5": 1, "n + 1": 6, "mode == 'fast'": 1, "mode != 'fast'": 0, "mode == 'slow'": 0, "mode in ['slow', 'fast']": 1, "'a' == 'a'": 1, "'a' != 'a'": 0, "'a' == 'b'": 0} {
		b, err := parsed(t, text).Bind(func(name string) (Variable, bool) {
			if name == "mode" {
				return Variable{Slot: -1, Labels: []string{"fast"}}, true
			}
			return Variable{Slot: -1, Value: 5}, true
		})
		if err != nil || b.Eval(nil) != want || len(b.Slots()) != 0 {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

func TestFormatPython(t *testing.T) {
	for _, x := range []struct {
		x     float64
		float bool
		want  string
	}{
		{1, false, "1"}, {1, true, "1.0"}, {-3, false, "-3"}, {0, true, "0.0"}, {0, false, "0"}, {1.5, false, "1.5"}, {1e-4, true, "0.0001"}, {9e-5, true, "9e-05"}, {-9e-5, true, "-9e-05"},
		{1e16, true, "1e+16"}, {9e15, true, "9000000000000000.0"}, {1e16, false, "10000000000000000"}, {1 << 62, false, "4611686018427387904"}, {1 << 63, false, "9.223372036854776e+18"},
	} {
		if got := FormatPython(x.x, x.float); got != x.want {
			t.Errorf("%v, float %v: %s, want %s", x.x, x.float, got, x.want)
		}
	}
}

// Numbers stay whole or not, as in Python; lists have an end.
func TestValuesKeepTheirKind(t *testing.T) {
	for text, want := range map[string]string{
		"[1 + 1, 1 + 1.0, 2 * 3.0, 4 / 2, 5 // 2, 5.0 // 2, 2 ** 3, 1 ** -1, 2.0 ** 2]":  "2 2.0 6.0 2.0 2 2.0 8 1.0 4.0",
		"[int(2.9), int(-2.9), float(3), round(2.5), round(3.5), floor(2.5), ceil(2.5)]": "2 -2 3.0 2 4 2 3",
		"[log2(8), sum([1, 2.5]), sum([]), len([]), len([1, 2])]":                        "3.0 3.5 0 0 2",
		"[1 == 1, 1 != 1, 1 < 2, 1 <= 0, not 1, 'a' == 'a', 'a' != 'a', 2 in [1, 2]]":    "True False True False False True False True",
		"[3 in [1, 2], 'a' in ['b', 'a'], '1' in [1]]":                                   "False True False",
		"[str(1), str(1.0), str(True)]":                                                  "1 1.0 True",
		"list(range(5, 0, -2))":                                                          "5 3 1",
		"list(range(0))":                                                                 "",
		"list(range(1, 1))":                                                              "",
		"list()":                                                                         "",
		"tuple((1, 2))":                                                                  "1 2",
		"[x for x in [1, 2, 3] if x % 2 if x > 1]":                                       "3",
		"[max([1, 5]), min(4, 2.0)]":                                                     "5 2.0",
		"+3":                                                                             "3",
	} {
		got, err := PythonValues(text)
		var words []string
		for _, v := range got {
			words = append(words, v.String())
		}
		if s := strings.Join(words, " "); err != nil || s != want {
			t.Errorf("%s is %q (%v), want %q", text, s, err, want)
		}
	}
	if v, err := PythonValues("range(65536)"); err != nil || len(v) != maxValues {
		t.Errorf("%d values, %v", len(v), err)
	}
	if v, err := PythonValues("list(range(65535)) + [1]"); err != nil || len(v) != maxValues {
		t.Errorf("%d values, %v", len(v), err)
	}
	if v, err := PythonValues("[x for x in range(65536)]"); err != nil || len(v) != maxValues {
		t.Errorf("%d values, %v", len(v), err)
	}
	for text, want := range map[string]string{
		"range(65537)": "more than", "range(65536, -1, -1)": "more than", "list(range(65536)) + [1]": "more than", "[y for x in range(65537) for y in [x]]": "more than",
		"range(1.5)": "whole numbers", "range('a')": "whole numbers", "range()": "one to three", "range(1, 2, 3, 4)": "one to three", "list([1], [2])": "one argument", "list(3)": "need a list",
		"min([])": "empty list", "[1] * 2": "needs numbers", "'a' + 1": "needs numbers", "0 ** -1": "zero", "1e308 * 10": "out of range", "[x for 1 in [2]]": "name after for", "[lambda]": "got lambda", "]": "where a value is wanted",
	} {
		if _, err := PythonValues(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
