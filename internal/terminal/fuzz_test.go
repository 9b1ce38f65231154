package terminal

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// FuzzPrinter: what is printed, in pieces, is text without controls, and has no command of a
// forge that was not broken; on one line it makes no other.
func FuzzPrinter(f *testing.F) {
	for _, text := range []string{"a\nb\tc", "\x1b]0;x\a", "x\r::error::y", "::stop-commands::", "##[error]", "\u202e\u2028\x85", "\xff\xfe\xc3", "ä\xc3", "##vso[task]\n ::x"} {
		f.Add(text, uint8(1))
		f.Add(text, uint8(3))
	}
	path := filepath.Join(f.TempDir(), "out")
	command := regexp.MustCompile(`(?m)^[ \t]*::|##(vso|teamcity)?\[`)
	f.Fuzz(func(t *testing.T, text string, piece uint8) {
		out, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer out.Close()
		p := NewPrinter(out, nil)
		for rest := text; rest != ""; {
			n := min(len(rest), max(1, int(piece)))
			p.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		if err := End(p); err != nil {
			t.Fatal(err)
		}
		printed, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !utf8.Valid(printed) || command.Match(printed) {
			t.Errorf("%q is printed as %q", text, printed)
		}
		for _, c := range string(printed) {
			if unicode.IsControl(c) && c != '\n' && c != '\t' || c == '\u2028' || c == '\u2029' || c == '\u202e' {
				t.Errorf("%q is printed as %q", text, printed)
			}
		}
		if one := OneLine(text); HasLineEnd(one) || !strings.ContainsAny(text, "\n\r\u2028\u2029") && one != text {
			t.Errorf("%q on a line is %q", text, one)
		}
	})
}
