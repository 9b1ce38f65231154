package everyboard

import (
	"slices"
	"testing"
)

func TestOf(t *testing.T) {
	for value, want := range map[string][]string{"all": {"old", "new"}, "": {"new"}} {
		t.Setenv("BENCH_BOARDS", value)
		if got := Of([]string{"old", "new"}); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", value, got, want)
		}
	}
}
