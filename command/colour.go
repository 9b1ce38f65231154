package command

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"bench/framework/record"
)

// palette says whether words have colours.
type palette bool

// The colours: ECMA-48, Select Graphic Rendition.
const (
	red    = "31"
	green  = "32"
	yellow = "33"
)

// paletteOf has colours for a terminal, unless the environment refuses them:
// NO_COLOR is not empty (https://no-color.org), or the terminal is dumb.
func paletteOf(w io.Writer) palette {
	f := fileOf(w)
	return palette(f != nil && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb")
}

func (p palette) paint(colour, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + colour + "m" + text + "\x1b[m"
}

// status is a point's status by how good it is.
func (p palette) status(s record.Status) string {
	switch s {
	case record.OK:
		return p.paint(green, string(s))
	case record.Skipped:
		return p.paint(yellow, string(s))
	}
	return p.paint(red, string(s))
}

// warn prints a warning.
func (a *app) warn(format string, args ...any) {
	fmt.Fprintln(a.err, paletteOf(a.err).paint(yellow, "warning:"), fmt.Sprintf(format, args...))
}
