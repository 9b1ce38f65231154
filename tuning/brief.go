package tuning

import (
	"example.org/bench/internal/lazy"
)

// maxQuoted is the most characters of a file's text that an error repeats.
const maxQuoted = 80

var overlong = lazy.Regexp(`"(?:[^"\\\n]|\\.){80}(?:[^"\\\n]|\\.)+"|[^\s]{80}[^\s]+`)

// Brief cuts what an error quotes of a file, in quotation marks or as one
// word, at 80 characters: a broken file may have a line of a million.
func Brief(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	short := overlong().ReplaceAllStringFunc(text, func(quoted string) string {
		cut, end := []rune(quoted), "…"
		if len(cut) <= maxQuoted+2 {
			return quoted
		}
		if cut[0] == '"' {
			end = `…"`
		}
		return string(cut[:maxQuoted]) + end
	})
	if short == text {
		return err
	}
	return &briefError{short, err}
}

type briefError struct {
	text  string
	cause error
}

func (b *briefError) Error() string { return b.text }
func (b *briefError) Unwrap() error { return b.cause }
