package external

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/test/damage"
)

// TestTie: a reading's time is that of the meter's clock, by the line that came fastest; how late the
// others came is how far off it may be.
func TestTie(t *testing.T) {
	now := 0.0
	m := &tie{now: func() float64 { return now }}
	const epoch, least = 1.7e9, 0.02
	for i := range 1000 {
		taken := 0.5 * float64(i)
		late := []float64{0, 0.1, 0.3, 0.05}[i%4]
		now = taken + least + late
		if err := m.line(i+1, fmt.Sprintf("%.3f %d W", epoch+taken, i)); err != nil {
			t.Fatal(err)
		}
		// 20 ms of each line are not seen.
		if w, age := m.reading(); w != float64(i) || i > 0 && math.Abs(age-late) > 1e-6 {
			t.Fatalf("line %d: %v W of %v s ago, want %v s", i, w, age, late)
		}
	}
	if within, wrong := (&stamped{Sensor: &Sensor{tie: m}}).Tie(); math.Abs(within-0.1) > 1e-6 || wrong != "" {
		t.Errorf("within %v s, want 0.1: %q", within, wrong)
	}
	if len(m.lags) != keptLags {
		t.Errorf("%d lags are kept", len(m.lags))
	}
}

// TestWrongLines: a line whose time cannot be is named, is no reading, and what follows is.
func TestWrongLines(t *testing.T) {
	for _, c := range []struct {
		lines  []string // at 1, 2, … s
		faults []string // "" for none
		last   float64
	}{
		{[]string{"10 5", "11 6"}, []string{"", ""}, 6},
		{[]string{"10 5", "9 6", "10 7"}, []string{"", "line 2: 9 s is 1 s before the line before: the meter's clock went back", ""}, 7},
		{[]string{"10 5", "9 6"}, []string{"", "line 2: 9 s is 1 s before"}, math.NaN()},
		{[]string{"10 5", "3600 6", "3601 7"}, []string{"", "line 2: 3600 s is 3.59e+03 s after the line before, and 1 s passed: the meter's clock jumped", ""}, 7},
		{[]string{"10 5", "10 6"}, []string{"", "line 2: 10 s is the time of the line before too"}, 5},
		{[]string{"10 5", "11"}, []string{"", `line 2: "11" lacks a field; want the meter's seconds and the watts`}, 5},
		{[]string{"", "11 6"}, []string{`line 1: "" lacks a field`, ""}, 6},
		{[]string{"seconds watts", "11 6"}, []string{`line 1: "seconds" is not a time in seconds`, ""}, 6},
		{[]string{"10 -5", "NaN 6"}, []string{`line 1: "-5" is not a number of watts`, `line 2: "NaN" is not a time`}, math.NaN()},
		// Lines that come together are late, and no jump.
		{[]string{"10 5", "11.9 6", "13.8 7"}, []string{"", "", ""}, 7},
	} {
		now := 0.0
		m := &tie{now: func() float64 { return now }}
		for i, line := range c.lines {
			now++
			err := m.line(i+1, line)
			if (err == nil) != (c.faults[i] == "") || err != nil && !strings.HasPrefix(err.Error(), c.faults[i]) {
				t.Errorf("%q, line %d: %v, want %s", c.lines, i+1, err, c.faults[i])
			}
		}
		if w, _ := m.reading(); w != c.last && !(math.IsNaN(w) && math.IsNaN(c.last)) {
			t.Errorf("%q: %v W, want %v", c.lines, w, c.last)
		}
		if _, wrong := (&stamped{Sensor: &Sensor{tie: m}}).Tie(); (wrong != "") != (strings.Join(c.faults, "") != "") || !strings.Contains(wrong, strings.Join(c.faults, "")[:min(8, len(strings.Join(c.faults, "")))]) {
			t.Errorf("%q: %q", c.lines, wrong)
		}
	}
}

// TestStampedProgram: the whole way, with a note that names a line.
func TestStampedProgram(t *testing.T) {
	s, err := open(t, framework.ExternalPower{StampedCommand: []string{"sh", "-c", "echo hello; echo 1000.5 12.5; sleep 600"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got := read(t, s); got != 12.5 {
		t.Errorf("%v W, want 12.5", got)
	}
	if age := s.(framework.Stamped).Age(); age < 0 || age > 60 {
		t.Errorf("taken %v s ago", age)
	}
	if notes := strings.Join(s.Notes(), "\n"); !strings.Contains(notes, `1 of its lines refused, first line 1: "hello" lacks a field`) {
		t.Errorf("notes %q", notes)
	}
	v := []float64{0}
	if n := testing.AllocsPerRun(100, func() { s.Sample(v) }); n != 0 {
		t.Errorf("%v allocations a sample", n)
	}
}

// FuzzStamps: whatever a meter prints, a reading has watts from 0 and an age from 0, or is none, and a
// fault is one line.
func FuzzStamps(f *testing.F) {
	f.Add("10 5\n9 6\n1e300 7\n11 8 W\n\n-1 -1\nNaN 1\n1 NaN\n0x10 1")
	f.Fuzz(func(t *testing.T, text string) {
		now := 0.0
		m := &tie{now: func() float64 { now += 0.25; return now }}
		for line := range strings.Lines(text) {
			damage.CheckError(t, m.line(1, strings.TrimSpace(line)))
			if w, age := m.reading(); w < 0 || math.IsInf(w, 0) || !(age >= 0) || math.IsInf(age, 0) {
				t.Errorf("%q: %v W, %v s ago", line, w, age)
			}
		}
	})
}
