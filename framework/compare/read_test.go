package compare

import (
	"strings"
	"testing"
)

func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"5%": 0.05, " 5 % ": 0.05, "0.05": 0.05, "0": 0, "99.9%": 0.999} {
		if got, err := ParseShare(text); err != nil || got < want-1e-12 || got > want+1e-12 {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "%", "-1%", "100%", "1", "NaN", "five"} {
		if got, err := ParseShare(text); err == nil || !strings.Contains(err.Error(), "is not a share") {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// Two sides have a run each, and only of a comparison by run.
func TestReadAroundRefuses(t *testing.T) {
	for _, c := range []struct {
		dash int
		by   Dimension
		dirs []string
		want string
	}{
		{1, ByVersion, []string{"a", "b"}, "--by version compares no sides"},
		{0, ByRun, []string{"a", "b"}, "-- has no run on one side"},
		{2, ByRun, []string{"a", "b"}, "-- has no run on one side"},
		{1, ByRun, []string{"a", "--json"}, "--json is after --"},
		{1, ByRun, []string{"a", "./a"}, "a is given twice"},
		{-1, ByRun, []string{t.TempDir()}, "holds no results"},
	} {
		if _, err := ReadAround(c.dirs, c.dash, c.by); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v from %d on by %s: %v, want %s", c.dirs, c.dash, c.by, err, c.want)
		}
	}
	if err := Dimension("rum").Check(); err == nil || !strings.HasPrefix(err.Error(), `"rum" is none of run, power_mode, device, version, `) {
		t.Error(err)
	}
}
