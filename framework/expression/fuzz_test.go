package expression

import (
	"strings"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzParse: a condition of any text is refused in a line, or is evaluated.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"a * b <= 4", "a in [1, 2] && b != 3", "min(a, b) ** 2 > 1", "a ? b : 1", "9**9**9**9", "((((", "a <= 1e999", "ceildiv(a, 0)", "a % 0 == 1", "\"x\" == a", "a // b"} {
		f.Add(text)
	}
	f.Add("*" + strings.Repeat("\xc3", 4000))
	f.Fuzz(func(t *testing.T, text string) {
		damage.CheckMemory(t, 8<<20+10_000*len(text), func() {
			e, err := Parse(text)
			damage.CheckError(t, err)
			if (e == nil) == (err == nil) {
				t.Fatalf("%v and %v", e, err)
			}
		})
	})
}
