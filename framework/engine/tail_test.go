package engine

import (
	"fmt"
	"strings"
	"testing"
)

// TestTailIsBounded: however much a worker writes, the first and the last of it are kept,
// and say why it died.
func TestTailIsBounded(t *testing.T) {
	var said tail
	fmt.Fprintln(&said, "starting")
	for i := range 20_000 {
		fmt.Fprintf(&said, "line %d\n", i)
	}
	if len(said.first) != tailBytes || !strings.HasPrefix(string(said.first), "starting\nline 0\n") {
		t.Errorf("the first %d bytes are kept: %.30s", len(said.first), said.first)
	}
	if n := len(said.last); n < tailBytes || n > 2*tailBytes || said.reason() != "line 19999" {
		t.Errorf("%d bytes kept of the end: %s", n, said.reason())
	}
	fmt.Fprintln(&said, "fatal error: of what it had loaded")
	fmt.Fprintln(&said, "and then")
	if got := said.reason(); got != "and then" {
		t.Errorf("%q; a crash of Go is said first of all", got)
	}
	said = tail{}
	fmt.Fprint(&said, "fatal error: stack overflow\n"+strings.Repeat("goroutine\n", 5000))
	if got := said.reason(); got != "fatal error: stack overflow" {
		t.Errorf("%q", got)
	}
}

func TestBriefTexts(t *testing.T) {
	long := strings.Repeat("x", 4000)
	for text, want := range map[string]string{
		"a\n  b\t c ":                "a b c",
		long:                         long,
		long + "y":                   long + "…",
		long[1:] + "ä":               long[1:] + "…", // no half of a letter
		long[2:] + "ä":               long[2:] + "ä",
		strings.Repeat(" ", 9) + "a": "a",
	} {
		if got := brief(text); got != want {
			t.Errorf("%.20s… of %d bytes: …%s", text, len(text), got[max(0, len(got)-10):])
		}
	}
}
