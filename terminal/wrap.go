package terminal

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// column is what stands before the second column of a line that has two: the words, and two blanks or more.
var column = regexp.MustCompile(`^( *\S+(?: \S+)*  +)\S`)

// Wrap breaks the lines of a text that are longer than width characters at blanks; what goes on begins below the
// line's second column, if it has one in its first half, or else below its first word. A width of 0 leaves all as it is.
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
		if utf8.RuneCountInString(body) > width {
			body = wrapLine(body, width)
		}
		b.WriteString(body + end)
	}
	return b.String()
}

// wrapLine breaks one line.
func wrapLine(line string, width int) string {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if m := column.FindStringSubmatch(line); m != nil && utf8.RuneCountInString(m[1]) <= width/2 {
		indent = utf8.RuneCountInString(m[1])
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
	at, n, begun := -1, 0, false
	for i, r := range line {
		if r == ' ' && begun && (n <= room || at < 0) {
			at = i
		}
		if begun = begun || r != ' '; n > room && at >= 0 {
			break
		}
		n++
	}
	if n <= room || at < 0 {
		return strings.TrimRight(line, " "), ""
	}
	return strings.TrimRight(line[:at], " "), strings.TrimLeft(line[at:], " ")
}
