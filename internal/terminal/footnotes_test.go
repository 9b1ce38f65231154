package terminal

import (
	"strings"
	"testing"
)

// A reason is said once.
func TestReasonsAreSaidOnce(t *testing.T) {
	long := strings.Repeat("because ", 20)
	var notes Footnotes
	if a, b, c := notes.Mark(long), notes.Mark("short"), notes.Mark(long); a != " [1]" || b != ": short" || c != a {
		t.Errorf("%q %q %q", a, b, c)
	}
	if got := notes.Text(); got != "[1] "+long+"\n" {
		t.Errorf("%q", got)
	}
	said := Sayings{}
	if a, b, c := said.Once("x", long), said.Once("y", long), said.Once("z", "short"); a != long || b != "as x" || c != "short" {
		t.Errorf("%q %q %q", a, b, c)
	}
}
