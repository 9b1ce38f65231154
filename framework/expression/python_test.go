package expression

import (
	"strings"
	"testing"
)

// valuesOf are the values of a list, separated by spaces.
func valuesOf(t *testing.T, text string) string {
	t.Helper()
	got, err := PythonValues(text)
	if err != nil {
		t.Errorf("%s: %v", text, err)
	}
	var words []string
	for _, v := range got {
		words = append(words, v.String())
	}
	return strings.Join(words, " ")
}

// TestPythonTokens: where one ends and the next begins.
func TestPythonTokens(t *testing.T) {
	for text, want := range map[string]string{
		// e is a digit of a hexadecimal number and elsewhere an exponent
		"[0x1e+1, 0X1E-1, 0x1E+0x1]":                        "31 29 31",
		"[1e+3, 1E+3, 1e-1, 1E-1]":                          "1000.0 1000.0 0.1 0.1",
		"[0, 00, 010, 0b11, 0o17]":                          "0 0 10 3 15", // never octal unasked
		`['a\'b', 'a"b', "\"", '\\']`:                       `a'b a"b " \`,
		"[math.ceil(2.5), np.floor(2.5), numpy.floor(3.5)]": "3 2 3",
	} {
		if got := valuesOf(t, text); got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"[1 2]":           `column 4: got "2", want "]"`,
		"[1, 2":           `column 6: ends where "]" is wanted`,
		"1 2":             `column 3: unexpected "2"`,
		`'a\n'`:           "this escape",
		`'a\`:             "this escape",
		"[os.floor(2.5)]": `got "."`,
	} {
		if _, err := PythonValues(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestNotInACondition: what a condition calls is named where it is not known, with what is.
func TestNotInACondition(t *testing.T) {
	const known = "is not a function that is supported here; there are abs, ceil, floor, max, min"
	for text, want := range map[string]string{
		"a > 1 and int(a/3) == 1": `column 11: int ` + known,
		"round(a/3) == 1":         `column 1: round ` + known,
		"sum([a, b]) > 3":         `column 1: sum ` + known,
		"a in list(range(3))":     `column 6: list ` + known,
		"math.log2(a) > 3":        `column 1: log2 ` + known,
		"pow(a, 2) > 3":           `column 1: pow ` + known,
		"[i for i in [1]] > 3":    `column 4: a list made by for is not supported in a condition`,
		"max(i for i in [a]) > 3": `column 7: a list made by for`,
	} {
		if _, err := ParsePython(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
	if _, err := PythonValues("[gcd(4, 6)]"); err == nil || !strings.Contains(err.Error(), "gcd is not a function that is supported here; there are abs, arange, ceil, float, floor, int,") {
		t.Error(err)
	}
	if e, err := ParsePython("math.floor(a / 2) > 1 && np.ceil(b) > 1"); err != nil || !bind(t, e, "a", "b").Holds([]float64{4, 2}) {
		t.Errorf("known functions and C's &&: %v", err)
	}
}

// TestPythonNesting: what stands side by side is not nested.
func TestPythonNesting(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("(", n) + "1" + strings.Repeat(")", n) }
	if got := valuesOf(t, nested(maxPythonDepth/4)); got != "1" { // of which each takes several levels
		t.Errorf("nested less deep than is allowed: %q", got)
	}
	if _, err := PythonValues(nested(maxPythonDepth)); err == nil || !strings.Contains(err.Error(), "deeper than 200") {
		t.Errorf("nested deeper: %v", err)
	}
	if got := valuesOf(t, strings.Repeat("(1) + ", 2*maxPythonDepth)+"1"); got != "401" {
		t.Errorf("a long sum: %q", got)
	}
}

// TestListsEnd: a list of one value too many is refused, wherever its values are from.
func TestListsEnd(t *testing.T) {
	_, err := PythonValues("[y for x in range(2) for y in range(65536 if x == 0 else 1)]")
	if err == nil || !strings.Contains(err.Error(), "more than 65536") {
		t.Error(err)
	}
}

// TestWordsInTheFirstPlace: words have their place in a point like numbers.
func TestWordsInTheFirstPlace(t *testing.T) {
	e, err := ParsePython("kind == 'column'")
	if err != nil {
		t.Fatal(err)
	}
	b, err := e.Bind(func(string) (Variable, bool) { return Variable{Slot: 0, Labels: []string{"row", "column"}}, true })
	if err != nil {
		t.Fatal(err)
	}
	if b.Holds([]float64{0}) || !b.Holds([]float64{1}) {
		t.Error("the word at 0 is row, at 1 column")
	}
}
