package wisdom

import (
	"encoding/json"
	"testing"
)

// A wisdom file of any content is refused or asked: what it answers are tunables
// of the version.
func FuzzFile(f *testing.F) {
	text, err := json.Marshal(&File{Format: wisdomFormat, Entries: []Entry{entry("H200", 64, 4, 16), entry("A100", 128, 4, 32)}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"wisdom_format":1,"entries":[{"algorithm":"fft","version":"v","params":{"N":1e300},"tunables":{"L":null}}]}`))
	e := entry("H200", 64, 4, 16)
	q := Query{Algorithm: e.Algorithm, Version: &tiled, Params: e.Params, Device: e.Device}
	f.Fuzz(func(t *testing.T, text []byte) {
		w, err := parse("wisdom.json", text)
		if (w == nil) == (err == nil) {
			t.Fatalf("%v and %v", w, err)
		}
		if err != nil {
			return
		}
		if m, ok := w.Match(q); ok && len(m.Tunables) == 0 {
			t.Errorf("%s: a match without tunables: %+v", text, m)
		}
		w.Add(e)
		if m, ok := w.Match(q); !ok || m.From == "" {
			t.Errorf("%s: what was added is not found: %+v", text, m)
		}
	})
}
