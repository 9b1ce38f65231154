package expression

import (
	"strings"
	"testing"
)

// What a file may hold must not overflow the stack, which nothing recovers from:
// neither longer than is accepted, nor as long as that.
func TestLongExpressions(t *testing.T) {
	known := func(name string) (Variable, bool) {
		return map[string]Variable{"a": {Slot: 0}, "w": {Slot: 1, Labels: []string{"x"}}}[name], name == "a" || name == "w"
	}
	for _, shape := range []struct{ start, repeated, middle, closing, end string }{
		{"a", " or a", "", "", ""},
		{"a", " and a", "", "", ""},
		{"a", "+a", "", "", " > 1"},
		{"a", "*a", "", "", " > 1"},
		{"a", "<a", "", "", ""},
		{"", "(", "a", ")", ""},
		{"", "-", "a", "", " > 1"},
		{"", "not ", "a", "", ""},
		{"", "max(", "a", ")", " > 1"},
		{"a", "**a", "", "", " > 1"},
		{"a in [1", ",1", "", "", "]"},
		{`w in ["x"`, `,"x"`, "", "", "]"},
		{"", "a if a else ", "a", "", ""},
		{"", "a ? a : ", "a", "", ""},
	} {
		once := len(shape.repeated) + len(shape.closing)
		for _, n := range []int{(maxLength - len(shape.start+shape.middle+shape.end)) / once, 1 << 20 / once} {
			text := shape.start + strings.Repeat(shape.repeated, n) + shape.middle + strings.Repeat(shape.closing, n) + shape.end
			for name, parse := range map[string]func(string) (*Expression, error){"expr": Parse, "Python": ParsePython} {
				e, err := parse(text)
				if err != nil {
					if len(text) > maxLength && !strings.HasSuffix(err.Error(), "want at most 8192") {
						t.Errorf("%s: %q repeated %d times: %.200s", name, shape.repeated, n, err)
					}
					continue
				}
				if len(text) > maxLength {
					t.Errorf("%s: %q repeated %d times is accepted", name, shape.repeated, n)
				}
				e.Names()
				e.Conjuncts()
				b, err := e.Bind(known)
				if err != nil {
					continue
				}
				b.Eval([]float64{1, 0})
				b.Over([]Interval{{Low: 1, High: 2}, {}})
			}
		}
	}
}
