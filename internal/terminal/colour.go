package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Palette says whether words have colours.
type Palette bool

// Colour is the colour of a word.
type Colour string

// The colours: ECMA-48, Select Graphic Rendition.
const (
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
)

// PaletteOf returns the palette for a writer. It has colours for a terminal, unless the environment
// refuses them: NO_COLOR is not empty (https://no-color.org), or the terminal is dumb.
func PaletteOf(w io.Writer) Palette {
	return Palette(obeying(w) != nil && os.Getenv("NO_COLOR") == "")
}

// obeying returns the terminal behind a writer if it obeys escape sequences; nil where there is none or
// it is dumb.
func obeying(w io.Writer) *os.File {
	f := fileOf(w)
	if f == nil || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return f
}

// Width returns the number of characters in a line of the terminal behind a writer; 0 where there is
// none.
func Width(w io.Writer) int {
	if f := fileOf(w); f != nil {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			return width
		}
	}
	return 0
}

// Paint gives a word a colour if the palette has colours.
func (p Palette) Paint(colour Colour, text string) string {
	if !p || text == "" {
		return text
	}
	return "\x1b[" + string(colour) + "m" + text + "\x1b[m"
}

// Warning returns a line that warns, without its end.
func (p Palette) Warning(text string) string { return p.Paint(Yellow, "warning:") + " " + text }
