package plots

import (
	"strings"
	"testing"
)

// A text of any length, as a machine's name in what others sent may be, is cut before lines
// are tried: its head and tail stay.
func TestFitOfALongText(t *testing.T) {
	style := textStyle(10, ink)
	for _, unit := range []string{"x", "wide words ", "i"} {
		long := "head " + strings.Repeat(unit, 4<<20/len(unit)) + " tail"
		got := fit(style, long, 400, 3)
		text := strings.Join(got, " ")
		if len(got) > 3 || !strings.HasPrefix(text, "head") || !strings.HasSuffix(text, "tail") {
			t.Errorf("%.80q in %d lines", text, len(got))
		}
	}
}
