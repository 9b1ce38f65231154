package terminal

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// Narrow is the width below which a table is a block for each row.
const Narrow = 60

// KeepTogether returns a text whose blanks are no place to break a line.
func KeepTogether(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }

// columns are where the columns of a line end: behind words, at two blanks or more.
var columns = regexp.MustCompile(`\S(  +)\S`)

// Wrap breaks the lines of a text that are longer than width characters at blanks; what goes on begins below the
// last of the line's columns that begins in its first half, or else below its first word. A width of 0 leaves all as
// it is.
func Wrap(text string, width int) string {
	if width <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		body, end := strings.TrimSuffix(line, "\n"), ""
		if len(body) < len(line) {
			end = "\n"
		}
		if Runes(body) > width {
			body = wrapLine(body, width)
		}
		b.WriteString(body + end)
	}
	return b.String()
}

// Runes returns the number of characters that a terminal shows of a text, without what gives them colours.
func Runes(text string) (n int) {
	for at := 0; at < len(text); n++ {
		if length := colour(text[at:]); length > 0 {
			at += length
			n--
			continue
		}
		_, length := utf8.DecodeRuneInString(text[at:])
		at += length
	}
	return n
}

// wrapLine breaks one line.
func wrapLine(line string, width int) string {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	for _, m := range columns.FindAllStringSubmatchIndex(line, -1) {
		if begin := Runes(line[:m[3]]); begin <= width/2 {
			indent = begin
		}
	}
	if indent > width/2 {
		indent = 0
	}
	var out strings.Builder
	for first := true; ; first = false {
		room := width
		if !first {
			room -= indent
			out.WriteString("\n" + strings.Repeat(" ", indent))
		}
		cut, next := split(line, room)
		out.WriteString(cut)
		if line = next; line == "" {
			return out.String()
		}
	}
}

// split cuts a line at its last blank within room characters, at the first one after them where there is
// none, and drops the blanks there. Blanks that a line begins with are no place to cut it.
func split(line string, room int) (head, rest string) {
	cut, n, begun := -1, 0, false
	for at := 0; at < len(line); n++ {
		if length := colour(line[at:]); length > 0 {
			at += length
			n--
			continue
		}
		r, length := utf8.DecodeRuneInString(line[at:])
		if r == ' ' && begun && (n <= room || cut < 0) {
			cut = at
		}
		if begun = begun || r != ' '; n > room && cut >= 0 {
			break
		}
		at += length
	}
	if n <= room || cut < 0 {
		return strings.TrimRight(line, " "), ""
	}
	return strings.TrimRight(line[:cut], " "), strings.TrimLeft(line[cut:], " ")
}

// wrapped returns a text within a terminal's width. begun says whether its first line has begun before; that line
// stays as it is, as does a command, which somebody may copy.
func wrapped(text string, width int, begun bool) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if begun || len(words) > 0 && (words[0] == "bench" || words[0] == "./bench") {
			b.WriteString(line)
		} else {
			b.WriteString(Wrap(line, width))
		}
		begun = false
	}
	return b.String()
}
