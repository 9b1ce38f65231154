package machine

import (
	"strings"
	"testing"
	"time"
)

func day(t *testing.T, text string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestDateDoubt(t *testing.T) {
	for _, c := range []struct{ date, now, want string }{
		{"1970-01-01", "2027-05-01", "before 2025"},
		{"2018-02-11", "2027-05-01", "before 2025"}, // of a TX2 at each boot
		{"2024-12-31", "2027-05-01", "before 2025"},
		{"2025-01-01", "2027-05-01", ""},
		{"2027-05-01", "2027-05-01", ""},
		{"2027-05-02", "2027-05-01", ""}, // another machine's clock
		{"2027-05-03", "2027-05-01", "in the future"},
		{"2199-01-01", "2027-05-01", "in the future"},
		{"1970-01-02", "1970-01-01", "before 2025"},
		{"2027-05-01", "1970-01-01", ""}, // it is the reader's clock that is wrong
	} {
		if got := DateDoubt(day(t, c.date), day(t, c.now)); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s on %s: %q, want %q", c.date, c.now, got, c.want)
		}
	}
}

func TestClockDoubt(t *testing.T) {
	for _, c := range []struct{ now, built, want string }{
		{"1970-01-01", "2026-11-21", "the clock says 1970-01-01, before this program was made (2026-11-21)"},
		{"2026-11-01", "2026-11-21", "the clock says 2026-11-01, before this program was made (2026-11-21)"},
		{"2026-11-20", "2026-11-21", ""},
		{"2027-01-01", "2026-11-21", ""},
		{"1970-01-01", "1970-01-01", "the clock says 1970-01-01, before this program was made (2025-01-01)"}, // its file was made with that clock
	} {
		if got := clockDoubt(day(t, c.now), day(t, c.built)); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s, made %s: %q, want %q", c.now, c.built, got, c.want)
		}
	}
	if got := ClockDoubt(); got != "" {
		t.Errorf("here: %s", got)
	}
}
