package recorded

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzManifest: a manifest of any content is refused in a line, or a space beside it is opened by
// each of its entries or refused in a line.
func FuzzManifest(f *testing.F) {
	const good = `{"s": {"file": "s.csv", "kernel": "k", "device": "d", "problem_size": [1, 2], "parameters": {"a": [1, 2], "b": ["x", "y"]}, "constraints": ["a <= 2"], "n_configs": 4, "n_valid": 3, "n_invalid": 1, "optimum_time_ms": 0.25}}`
	for seed := range 60 {
		f.Add([]byte(good), uint64(seed))
	}
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.csv"), []byte("a,b,time_ms,status\n1,x,0.5,valid\n1,y,0.75,valid\n2,x,,invalid\n2,y,0.25,valid\n"), 0o600); err != nil {
		f.Fatal(err)
	}
	path := filepath.Join(dir, "manifest.json")
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if err := os.WriteFile(path, damage.Change(seed, path, text), 0o600); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 16<<20+4000*len(text), func() {
			m, err := ReadManifest(path)
			if damage.CheckError(t, err); err != nil {
				return
			}
			for name, e := range m {
				if e == nil {
					t.Fatalf("%s has no entry", name)
				}
				r, err := Open(filepath.Join(dir, "s.csv"), m)
				if damage.CheckError(t, err); err == nil && r.Space.Len() != len(r.Costs) {
					t.Errorf("%d points, %d costs", r.Space.Len(), len(r.Costs))
				}
			}
		})
	})
}

// FuzzPairs: a transfer.csv of any content is refused in a line, or has pairs that shares from 0 to
// 1 belong to, as many as it has lines at most, and by which a forecast can be made.
func FuzzPairs(f *testing.F) {
	good := "from,to,a,b,performance\n"
	for i := range 12 {
		good += fmt.Sprintf("k-A%d,k-B%d,%d,x,0.%d\n", i, 11-i, i, 80+i)
	}
	good += "k-A0,k-C,,1e3,\n\"k,2\",\"k\"\"3\",1,,1\n"
	for seed := range 60 {
		f.Add([]byte(good), uint64(seed))
	}
	path := filepath.Join(f.TempDir(), "transfer.csv")
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		text = damage.Change(seed, path, text)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 16<<20+4000*len(text), func() {
			pairs, err := ReadPairs(path)
			if damage.CheckError(t, err); err != nil {
				return
			}
			if len(pairs) > bytes.Count(text, []byte("\n"))+bytes.Count(text, []byte("\r")) {
				t.Errorf("%d pairs", len(pairs))
			}
			for _, p := range pairs {
				if !(p.Share >= 0 && p.Share <= 1) {
					t.Errorf("%+v", p)
				}
				damage.CheckLine(t, p.From+p.To+p.Kernel+".")
			}
			if len(pairs) == 0 {
				return
			}
			o := outlook(pairs, pairs[0].Kernel)
			checked, covered := check(pairs[:min(len(pairs), 50)], o.Others)
			if !(o.Low >= 0 && o.Low <= o.Median && o.Median <= o.High && o.High <= 1) || o.Pairs > len(pairs) || checked < 0 || covered < 0 || covered > 1 {
				t.Errorf("%+v, %d checked, %v covered", o, checked, covered)
			}
		})
	})
}
