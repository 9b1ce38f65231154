package command

import (
	"fmt"
	"slices"
	"strings"
)

// longReason is the length beyond which a reason of several rows is said once,
// below them.
const longReason = 60

// footnotes are reasons that rows refer to.
type footnotes []string

// mark is what a row says of its reason: the reason itself where it is short,
// else its number.
func (f *footnotes) mark(reason string) string {
	if len(reason) <= longReason {
		return ": " + reason
	}
	i := slices.Index(*f, reason)
	if i < 0 {
		i = len(*f)
		*f = append(*f, reason)
	}
	return fmt.Sprintf(" [%d]", i+1)
}

// text are the lines below the rows.
func (f footnotes) text() string {
	var b strings.Builder
	for i, reason := range f {
		fmt.Fprintf(&b, "[%d] %s\n", i+1, reason)
	}
	return b.String()
}

// sayings are long reasons that were said, by who said them first.
type sayings map[string]string

// once is the reason, or where it is long and was said, of what.
func (s sayings) once(who, reason string) string {
	if len(reason) <= longReason {
		return reason
	}
	if first, had := s[reason]; had {
		return "as " + first
	}
	s[reason] = who
	return reason
}
