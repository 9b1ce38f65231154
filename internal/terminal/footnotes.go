package terminal

import (
	"fmt"
	"slices"
	"strings"
)

// longReason is the length beyond which a reason that several rows share is printed once, below them.
const longReason = 60

// Footnotes are reasons that rows refer to.
type Footnotes []string

// Mark returns what a row says of its reason: the reason itself where it is short, else its number.
func (f *Footnotes) Mark(reason string) string {
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

// Text returns the lines below the rows; it is empty where no reason has a number.
func (f Footnotes) Text() string {
	var b strings.Builder
	for i, reason := range f {
		fmt.Fprintf(&b, "[%d] %s\n", i+1, reason)
	}
	return b.String()
}

// Sayings are the long reasons that were printed, with the first row that had each.
type Sayings map[string]string

// Once returns the reason, or a reference to the row that had it before if it is long.
func (s Sayings) Once(who, reason string) string {
	if len(reason) <= longReason {
		return reason
	}
	if first, had := s[reason]; had {
		return "as " + first
	}
	s[reason] = who
	return reason
}
