package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// pseudo opens a pseudo-terminal (pty(7)) and returns its end for a program
// and what gives all that was written there.
func pseudo(t *testing.T) (*os.File, func() string) {
	t.Helper()
	controller, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	fd := int(controller.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	var text bytes.Buffer
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		io.Copy(&text, controller) // until the program's end is closed: EIO
	}()
	return program, func() string {
		program.Close()
		<-ended
		controller.Close()
		return strings.ReplaceAll(text.String(), "\r\n", "\n")
	}
}

// On a terminal lines keep to its width, but for commands, what Whole prints, and a line that was begun before.
func TestLinesWithinTheTerminal(t *testing.T) {
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	out, written := pseudo(t)
	if err := unix.IoctlSetWinsize(int(out.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 20}); err != nil {
		t.Fatal(err)
	}
	p := NewPrinter(out, nil)
	fmt.Fprintln(p, PaletteOf(p).Warning("one two three four"))
	fmt.Fprintln(p, "  bench run configs/fft.json")
	fmt.Fprint(p, "begun and ")
	fmt.Fprintln(p, "ended later than here")
	fmt.Fprintln(Whole(p), `{"a": "one two three four"}`)
	fmt.Fprintln(p, "again one two three four")
	want := "\x1b[33mwarning:\x1b[m one two\nthree four\n  bench run configs/fft.json\nbegun and ended later than here\n" +
		`{"a": "one two three four"}` + "\nagain one two three\nfour\n"
	if got := written(); got != want {
		t.Errorf("%q, want\n%q", got, want)
	}
	var b strings.Builder
	fmt.Fprint(Whole(&b), "as it is")
	if b.String() != "as it is" {
		t.Errorf("another writer: %q", b.String())
	}
}

// show prints what may have colours.
func show(out io.Writer) {
	colours := PaletteOf(out)
	fmt.Fprintln(out, colours.Paint(Red, "failed"), colours.Paint(Green, "ok"), colours.Paint(Yellow, "skipped"), colours.Paint(Red, ""))
	fmt.Fprintln(out, colours.Warning("hot: 99"))
}

// Words have colours on a terminal that takes them, and nowhere else.
func TestColours(t *testing.T) {
	const coloured = "\x1b[31mfailed\x1b[m \x1b[32mok\x1b[m \x1b[33mskipped\x1b[m \n\x1b[33mwarning:\x1b[m hot: 99\n"
	const bare = "failed ok skipped \nwarning: hot: 99\n"
	for _, c := range []struct{ noColor, term, want string }{
		{"", "xterm", coloured},
		{"1", "xterm", bare},
		{"", "dumb", bare},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.term)
		for _, through := range []func(*os.File) io.Writer{func(f *os.File) io.Writer { return f }, func(f *os.File) io.Writer { return NewPrinter(f, nil) }} {
			out, written := pseudo(t)
			show(through(out))
			if got := written(); got != c.want {
				t.Errorf("NO_COLOR=%s TERM=%s:\n%q\nwant\n%q", c.noColor, c.term, got, c.want)
			}
		}
	}
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	var buffer bytes.Buffer
	show(&buffer)
	path := filepath.Join(t.TempDir(), "out")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	show(file)
	file.Close()
	text, err := os.ReadFile(path)
	if err != nil || buffer.String() != bare || string(text) != bare {
		t.Errorf("elsewhere: %v\n%s\n%s", err, buffer.String(), text)
	}
}

// On a terminal a live line is cut to its width, and lasting lines stand above it; it is
// gone at the end.
func TestLiveLine(t *testing.T) {
	t.Setenv("TERM", "xterm")
	out, written := pseudo(t)
	if err := unix.IoctlSetWinsize(int(out.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 30}); err != nil {
		t.Fatal(err)
	}
	var l Line
	text := "a line that is longer than the terminal"
	l.Start(NewPrinter(out, nil), func() string { return text })
	l.Lock()
	if !l.Live() {
		t.Error("no live line on a terminal")
	}
	l.Draw()
	l.Print("lasting %d", 1)
	l.Unlock()
	l.Close()
	if got, want := written(), "\r\x1b[K"+text[:29]+"\r\x1b[Klasting 1\n\r\x1b[K"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	t.Setenv("TERM", "dumb")
	dumb, said := pseudo(t)
	l = Line{}
	l.Start(NewPrinter(dumb, nil), func() string { return text })
	l.Lock()
	l.Draw()
	l.Print("lasting")
	l.Unlock()
	l.Close()
	if got := said(); got != "lasting\n" {
		t.Errorf("on a dumb terminal %q", got)
	}
	var b bytes.Buffer
	var none Line
	none.Start(&b, func() string { return text })
	none.Lock()
	none.Draw()
	none.Print("lasting")
	none.Unlock()
	none.Close()
	if b.String() != "lasting\n" || none.Live() {
		t.Errorf("elsewhere %q", b.String())
	}
}
