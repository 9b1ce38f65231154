package ptx

import "strings"

// token is a word, a number or one character of punctuation.
type token struct {
	text string
	line int
}

// tokens splits PTX text and drops comments.
func tokens(text string) []token {
	var list []token
	line := 1
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '\n':
			line++
			i++
		case c <= ' ':
			i++
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case strings.HasPrefix(text[i:], "/*"):
			end := strings.Index(text[i:], "*/")
			if end < 0 {
				return list
			}
			line += strings.Count(text[i:i+end], "\n")
			i += end + 2
		case c == '"':
			end := strings.IndexByte(text[i+1:], '"')
			if end < 0 {
				return list
			}
			list = append(list, token{text[i : i+end+2], line})
			i += end + 2
		case isWord(c):
			from := i
			for i < len(text) && (isWord(text[i]) || strings.HasPrefix(text[i:], "::")) {
				if text[i] == ':' {
					i++
				}
				i++
			}
			list = append(list, token{text[from:i], line})
		default:
			list = append(list, token{text[i : i+1], line})
			i++
		}
	}
	return list
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' || c == '%'
}
