package tuning

import (
	"errors"
	"strings"
	"testing"
)

func TestBrief(t *testing.T) {
	long := strings.Repeat("[", 100_000)
	cause := errors.New(`python "` + long + `": column 201: ` + long + ` is too deep`)
	want := `python "` + long[:79] + `…": column 201: ` + long[:80] + `… is too deep`
	if got := Brief(cause); got.Error() != want || !errors.Is(got, cause) {
		t.Errorf("%v", got)
	}
	for _, text := range []string{`"` + long[:80] + `" is whole`, long[:80] + " too", `"two" of "` + strings.Repeat("a ", 30) + `" and "more" ` + strings.Repeat("a ", 30)} {
		if err := errors.New(text); Brief(err) != err {
			t.Errorf("%q is cut to %q", text, Brief(err))
		}
	}
	if Brief(nil) != nil {
		t.Error("no error became one")
	}
}
