package config

import (
	"errors"
	"testing"
)

// FuzzParse looks for files that panic, hang, or give an error without a
// position. Its seeds are in testdata/fuzz/FuzzParse.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) {
		cfg, err := Parse("x.json", data)
		if (cfg == nil) == (err == nil) {
			t.Fatalf("got %v and %v", cfg, err)
		}
		if err == nil {
			if cfg.Algorithm == "" == (cfg.Executable == "") {
				t.Fatalf("neither or both of algorithm and executable: %+v", cfg)
			}
			for _, a := range append(cfg.Sweep, cfg.Tunables...) {
				if len(a.Values) == 0 || len(a.Values) > maxValues {
					t.Fatalf("axis %s has %d values", a.Name, len(a.Values))
				}
				for i := range a.Values {
					if a.ValuePos(i).Line == 0 {
						t.Fatalf("value %d of %s has no place", i, a.Name)
					}
				}
			}
			return
		}
		var list *Errors
		if !errors.As(err, &list) || len(list.List) == 0 {
			t.Fatalf("%T: %v", err, err)
		}
		for _, e := range list.List {
			if e.Pos.Line < 1 || e.Pos.Column < 1 || e.Msg == "" {
				t.Fatalf("no place or no message: %+v", e)
			}
		}
	})
}
