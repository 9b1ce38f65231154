package cupti

import (
	"bytes"
	"strings"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzNames: the names that the library gives are read to their zero byte and no further, none
// where it gives none; what is asked for by them has one line.
func FuzzNames(f *testing.F) {
	f.Add([]byte("sm__cycles_active\x00dram__bytes\x00"))
	f.Add([]byte("\x00\x00"))
	f.Add([]byte("x\n::error::y\x00\xff\xfe"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var want []string
		var pointers []*byte
		for _, name := range bytes.Split(text, []byte{0}) {
			want = append(want, string(name))
			pointers = append(pointers, cString(string(name)))
		}
		pointers, want = append(pointers, nil), append(want, "")
		damage.CheckMemory(t, 1<<20+100*len(text), func() {
			got := goStrings(&pointers[0], uintptr(len(pointers)))
			if len(got) != len(want) {
				t.Fatalf("%d names, want %d", len(got), len(want))
			}
			for i := range got {
				if got[i] != want[i] {
					t.Errorf("%q, want %q", got[i], want[i])
				}
			}
			if goStrings(nil, 7) != nil || goStrings(&pointers[0], 0) != nil {
				t.Error("names of none")
			}
			e := &UnknownMetrics{Names: want, Chip: strings.Join(want, "")}
			_ = e.Error()
		})
	})
}
