package config

import (
	"errors"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzSet: any --set is refused with what is wrong, or gives an axis values of which there are
// not too many.
func FuzzSet(f *testing.F) {
	for _, text := range []string{"N=1", "N=1,2,3", "N=2..64*2", "N=1..10+3", "N=1..1e308", "N=0..1*0", "N=-5..5", "counters=a,b", "M=x", "=", "N=", "N=1,,2", "N=1..", "N=1e999", "N=9223372036854775807..9223372036854775808", "--N=1,1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, assignment string) {
		damage.CheckMemory(t, 256<<20+2000*len(assignment), func() {
			c, err := Parse("x.json", []byte(`{"algorithm": "fft", "sweep_arg": {"N": [64, 128]}, "tunables": {"T": [1, 2]}, "static_args": {"batch": 1}}`))
			if err != nil {
				t.Fatal(err)
			}
			err = c.Set([]string{assignment}, []string{"U"})
			var list *Errors
			if err != nil && (!errors.As(err, &list) || len(list.List) == 0) {
				t.Fatalf("%T: %v", err, err)
			}
			for _, a := range append(c.Sweep, c.Tunables...) {
				if len(a.Values) == 0 || len(a.Values) > maxValues && err == nil && len(assignment) < maxValues {
					t.Errorf("axis %s has %d values", a.Name, len(a.Values))
				}
			}
		})
	})
}
