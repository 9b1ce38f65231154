package expression

import (
	"strings"
	"testing"
)

// TestCommentsAreRefused: what the expression compiler would drop without a word.
func TestCommentsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"N // B":               "at character 3: ",
		"2*N // 4":             "floor(a / b) or ceildiv(a, b)",
		"N //":                 "at character 3: ",
		"// N":                 "at character 1: ",
		"N // 'a'":             "at character 3: ",
		"N /* x */ + 1":        "at character 3: an expression has no comments",
		"N + 1 # whole blocks": "at character 7: an expression has no comments",
		"'ü' == t // 2":        "at character 10: ",
		"t == 'a\\'// b' // c": "at character 16: ",
		"t == `a``b` // 2":     "at character 13: ",
		"t == \"a\" //":        "at character 10: ",
	} {
		for name, read := range map[string]func(string) error{
			"Parse":   func(text string) error { _, err := Tree(text); return err },
			"Compile": func(text string) error { _, err := Compile(text, Scope{"N": 1, "B": 1, "t": "", "a": 1}); return err },
		} {
			if err := read(text); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v; want %s", name, text, err, want)
			}
		}
	}
	for _, text := range []string{
		"t == 'a // b'", `t == "/* x */"`, "t == `# //`", "t == 'it\\'s // one'", "t == `a``// b`", "N / B / 2", "N * -B", `t == "\\" and N / B > 1`,
	} {
		if _, err := Tree(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := Compile(text, Scope{"N": 1, "B": 1, "t": "", "a": 1}); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestErrorsAreOneLine: the compiler's own draw the place over several.
func TestErrorsAreOneLine(t *testing.T) {
	for text, want := range map[string]string{
		"N +":    "at character 3: it ends where a number, a name or a bracket is wanted",
		"'a":     "at character 3: literal not terminated",
		"N = 2":  "at character 3: ",
		"(N + 1": "at character 6: ",
	} {
		if _, err := Tree(text); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}
