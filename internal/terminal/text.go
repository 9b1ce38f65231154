package terminal

import "strings"

// lineEnds replaces what ends a line for a terminal, a forge's log or a browser.
var lineEnds = strings.NewReplacer("\n", `\n`, "\r", `\r`, "\u2028", `\u2028`, "\u2029", `\u2029`)

// HasLineEnd reports whether OneLine changes text.
func HasLineEnd(text string) bool { return strings.ContainsAny(text, "\n\r\u2028\u2029") }

// OneLine returns a text from a file or a program with escapes in place of line ends, so that it cannot
// begin a line of its own wherever it is printed.
func OneLine(text string) string {
	if !HasLineEnd(text) {
		return text
	}
	return lineEnds.Replace(text)
}

// commands finds commands that the log of a forge obeys: two colons at the beginning of a line (GitHub),
// and ##[, ##vso[ or ##teamcity[ anywhere (Azure, GitHub, TeamCity). It remembers where in the line the
// previous text ended.
type commands struct {
	begun  bool // the line has more than blanks
	colon  bool // its first character was a colon
	hashes int  // before here, or before the letters before here
	word   bool // there are such letters
}

// obeyed reports whether r would complete a command.
func (c *commands) obeyed(r rune) bool {
	before := *c
	switch {
	case r == '\n':
		*c = commands{}
		return false
	case r == '#' && !c.word:
		c.hashes++
	case r == '#':
		c.hashes, c.word = 1, false
	case c.hashes >= 2 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
		c.word = true
	default:
		c.hashes, c.word = 0, false
	}
	c.colon = r == ':' && !before.begun
	c.begun = before.begun || r != ' ' && r != '\t'
	return r == ':' && before.colon || r == '[' && before.hashes >= 2
}
