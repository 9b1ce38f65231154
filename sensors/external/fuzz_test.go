package external

import (
	"bytes"
	"math"
	"os/exec"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/test/damage"
)

// FuzzMeter: whatever a meter prints, a reading is a number of watts from 0, or none.
func FuzzMeter(f *testing.F) {
	for _, text := range []string{"12.5 W\n20\n", "starting\n-1\nNaN\n1e999\n", "0x10\r\n1_000\n", "\ufeff3\n", "5", strings.Repeat("x", 3*mostLine) + "\n7\n"} {
		f.Add([]byte(text))
	}
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &Sensor{cmd: &exec.Cmd{Path: "meter", ProcessState: ended.ProcessState, Process: ended.Process}, done: make(chan struct{})}
		s.latest.Store(math.Float64bits(math.NaN()))
		damage.CheckMemory(t, 1<<20+100*len(text), func() {
			s.follow(bytes.NewReader(text), make(chan struct{}))
			damage.CheckError(t, *s.ended.Load())
		})
		if w := math.Float64frombits(s.latest.Load()); w < 0 || math.IsInf(w, 0) {
			t.Errorf("%v W", w)
		}
	})
}

// TestEndlessLine: a meter that prints no line's end is ended and named; before, its last reading
// stood for all that followed.
func TestEndlessLine(t *testing.T) {
	s, err := open(t, framework.ExternalPower{Command: []string{"sh", "-c", "echo 12.5; while :; do printf 0123456789abcdef0123456789abcdef; done"}}, false)
	if err != nil {
		t.Fatal(err)
	}
	<-s.(*Sensor).done
	err = s.Sample([]float64{0})
	if err == nil || !strings.Contains(err.Error(), "line 2: it has more than 64 KiB") {
		t.Error(err)
	}
}
