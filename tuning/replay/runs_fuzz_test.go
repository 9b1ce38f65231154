package replay

import (
	"bytes"
	"compress/gzip"
	"math"
	"testing"
)

// FuzzReadSearches: what is read as searches has runs of costs, and nothing else is.
func FuzzReadSearches(f *testing.F) {
	const good = "space,strategy,run,evaluation,time_ms\na,random,1,1,2.5\na,random,1,2,\na,random,2,1,3\na,pso,1,1,1e-3\n"
	f.Add([]byte(good))
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(good))
	z.Close()
	f.Add(packed.Bytes())
	f.Add(packed.Bytes()[:packed.Len()/2])
	f.Add([]byte("space,strategy,run,evaluation,time_ms\na,random,1,2,2.5\n"))
	f.Add([]byte("space,strategy,run,evaluation,time_ms\na,random,1,1,-1\n"))
	f.Add([]byte("space,strategy,run,evaluation,time_ms\na,random,1,1,5e-324\n"))
	f.Add([]byte(""))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, err := readSearches(bytes.NewReader(b))
		if (err == nil) != (len(all) > 0) {
			t.Fatalf("%d searches, %v", len(all), err)
		}
		for _, s := range all {
			if len(s.Runs) == 0 {
				t.Errorf("%s on %s has no runs", s.Strategy, s.Space)
			}
			for _, run := range s.Runs {
				for _, cost := range run {
					if len(run) == 0 || !math.IsNaN(cost) && !(cost > 0 && !math.IsInf(cost, 0)) {
						t.Errorf("a run of %v", run)
					}
				}
			}
		}
	})
}
