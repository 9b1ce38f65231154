package powermode

import (
	"testing"

	"example.org/bench/test/damage"
)

// FuzzNote: a note of any content is refused in a line, or says what is controlled.
func FuzzNote(f *testing.F) {
	for seed := range 20 {
		f.Add([]byte(`{"control":"nvpmodel","mode":"0","files":{"/sys/devices/gpu/min_freq":"114750000"},"power_limit_W":300,"unlock_clock":true}`), uint64(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		damage.CheckMemory(t, 1<<20+2000*len(text), func() {
			s, err := parseNote(damage.Change(seed, "note.json", text))
			if damage.CheckError(t, err); err == nil && s.Control == "" {
				t.Errorf("%+v", s)
			}
		})
	})
}
