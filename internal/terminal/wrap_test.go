package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text, want string
		width      int
	}{
		{"one two three four\n", "one two\nthree four\n", 10},
		{"one two three", "one two three", 0},
		{"one two three", "one two three", 13},
		{"one two three", "one two\nthree", 12},
		{"  one two three", "  one two\n  three", 11},
		{"  -f, --flag   what it does, at length", "  -f, --flag   what it does,\n               at length", 30},
		{"  missing  GPU    no device: none is there", "  missing  GPU    no device: none is\n                  there", 36},
		{"  missing  GPU    no device: none is there", "  missing  GPU    no device:\n           none is there", 29},
		{"  \x1b[33mmissing\x1b[m  no device is there", "  \x1b[33mmissing\x1b[m  no device\n           is there", 22},
		{"µs µs µs", "µs µs\nµs", 5},
		{"unbreakable_and_long word", "unbreakable_and_long\nword", 8},
		{"a unbreakable_and_long", "a\nunbreakable_and_long", 8},
		{"first\n\n  second line here\n", "first\n\n  second\n  line\n  here\n", 8},
		{"a   ", "a   ", 4},
		{"      x", "      x", 3},
	} {
		if got := Wrap(c.text, c.width); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// FuzzWrap: words stay in their order, and a line is only longer than the width if it is one word.
func FuzzWrap(f *testing.F) {
	f.Add("  --flag STRING   a µ of  text\nand more", uint8(9))
	f.Add("a b c", uint8(1))
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		got := Wrap(text, int(width))
		if a, b := strings.Fields(text), strings.Fields(got); strings.Join(a, " ") != strings.Join(b, " ") {
			t.Fatalf("%q, want the words of %q", got, text)
		}
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			if width > 0 && utf8.RuneCountInString(line) > int(width) && len(strings.Fields(line)) > 1 && !strings.Contains(text, line) {
				t.Errorf("%q is longer than %d", line, width)
			}
		}
	})
}
