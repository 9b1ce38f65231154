package terminal

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"plain\tµ 字 ✓\n":           "plain\tµ 字 ✓\n",
		"\x1b]0;title\x07":         `\u001b]0;title\u0007`,
		"a\rb\x00\x7f":             `a\u000db\u0000\u007f`,
		"\u009b2J":                 `\u009b2J`,
		"\x9b2J\xff":               `\x9b2J\xff`,
		"\u202egnp.exe\u2066":      `\u202egnp.exe\u2066`,
		"\u061c\u200e\u200f\u00a0": "\\u061c\\u200e\\u200f\u00a0",
		"\x1b[31mfailed\x1b[m":     `\u001b[31mfailed\u001b[m`,
	} {
		if got := printable(text, false, &commands{}); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	const coloured = "\x1b[31mfailed\x1b[m \x1b[32mok\x1b[m \x1b[33mwarning:\x1b[m"
	if got := printable(coloured+"\x1b[2J\x1b[31;5m", true, &commands{}); got != coloured+`\u001b[2J\u001b[31;5m` {
		t.Errorf("on a terminal: %q", got)
	}
}

// A character may come in pieces; none is lost, also at the end.
func TestPrinterKeepsCharactersWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p := NewPrinter(f, nil)
	for _, b := range []byte("µ字🙂\u202e\u009b.\xf0\x9f") {
		if n, err := p.Write([]byte{b}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	control(p, "\r\x1b[K")
	if err := p.End(); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != `µ字🙂\u202e\u009b.`+"\r\x1b[K"+`\xf0\x9f` {
		t.Errorf("printed %q", text)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	p = NewPrinter(full, nil)
	p.Write([]byte("x")) //nolint:errcheck // End says it
	if err := p.End(); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("written to a full device: %v", err)
	}
}

// A tabwriter whose output failed once panics at the next of its writes.
func TestTableOnAFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	p := NewPrinter(full, nil)
	w := tabwriter.NewWriter(p, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "\tID\tMODE\n\t0\tMAXN\n\nCLOCK\tLEAST\n")
	fmt.Fprint(w, "CPU\t1 MHz\n")
	w.Flush() //nolint:errcheck // End says it
	if p.End() == nil {
		t.Error("no error")
	}
}

// A forge's log obeys what some lines begin with, or have in them, however they were written.
func TestCommandsOfForgesAreBroken(t *testing.T) {
	for text, want := range map[string]string{
		"::error::x\n":                 `:\u003aerror::x` + "\n",
		" \t ::stop-commands::x\n":     " \t " + `:\u003astop-commands::x` + "\n",
		"a ::error::\nb::c\n":          "a ::error::\nb::c\n",
		"x\n::add-mask::y\n":           "x\n" + `:\u003aadd-mask::y` + "\n",
		"a ##[error]b\n":               `a ##\u005berror]b` + "\n",
		"###[group]\n##vso[task]\n":    `###\u005bgroup]` + "\n" + `##vso\u005btask]` + "\n",
		"## [link](x)\n# a[1] #b[2]\n": "## [link](x)\n# a[1] #b[2]\n",
		"a\u2028::error::\u2029b\n":    `a\u2028::error::\u2029b` + "\n",
	} {
		for _, step := range []int{len(text), 1, 2, 3} {
			var line commands
			got := ""
			for from := 0; from < len(text); from += step {
				part := text[from:min(from+step, len(text))]
				if !utf8.ValidString(part) {
					got = want // the printer keeps the beginning of a character back
					break
				}
				got += printable(part, false, &line)
			}
			if got != want {
				t.Errorf("%q, %d at a time: %q, want %q", text, step, got, want)
			}
		}
	}
}

func TestOneLine(t *testing.T) {
	for text, want := range map[string]string{"a b": "a b", "x\n::error::": `x\n::error::`, "\r\n": `\r\n`, "\u2028ü\u2029": `\u2028ü\u2029`} {
		if got := OneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
