package terminal

import (
	"strings"
	"testing"
	"time"
)

func TestBarAndClock(t *testing.T) {
	for _, c := range []struct {
		done, all int
		want      string
	}{{0, 4, "[............]"}, {1, 4, "[###.........]"}, {4, 4, "[############]"}, {0, 0, "[............]"}} {
		if got := Bar(c.done, c.all); got != c.want {
			t.Errorf("%d of %d: %s", c.done, c.all, got)
		}
	}
	for s, want := range map[float64]string{0.4: "0:00", 59.6: "1:00", 754: "12:34"} {
		if got := Clock(s); got != want {
			t.Errorf("%g s: %s", s, got)
		}
	}
}

// The time to go is the mean of what was measured, less what of it is over.
func TestTimeToGo(t *testing.T) {
	p := Progress{Total: 10, Finished: 4, ToGo: 6, measured: 3, spent: 6 * time.Second}
	for elapsed, want := range map[time.Duration]string{0: "  ETA 0:12", time.Second: "  ETA 0:11", time.Hour: "  ETA 0:10"} {
		if got := p.ETA(elapsed); got != want {
			t.Errorf("after %v: %q, want %q", elapsed, got, want)
		}
	}
	if got := p.Text(); got != "" || p.Count() != "[ 4/10]" {
		t.Errorf("nothing is under way: %q; count %q", got, p.Count())
	}
	p.Begin("a key", "a step")
	p.Note = "; note"
	if got := p.Text(); !strings.HasPrefix(got, "[####........] 4/10  a step  start 0 s; note  ETA 0:1") {
		t.Errorf("%q", got)
	}
	p.End("a key")
	p.Finish(true)
	if p.Finished != 5 || p.ToGo != 5 || p.measured != 4 || p.Text() != "" {
		t.Errorf("a step later: %+v", &p)
	}
	p.Finish(false)
	if p.Finished != 6 || p.ToGo != 5 || p.measured != 4 {
		t.Errorf("after a step that took no time: %+v", &p)
	}
	for _, none := range []*Progress{{ToGo: 3}, {measured: 3, spent: time.Second}} {
		if got := none.ETA(0); got != "" {
			t.Errorf("%q of nothing measured, or nothing to go", got)
		}
	}
}
