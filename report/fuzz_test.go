package report

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.org/bench/framework/compare"
	"example.org/bench/test/damage"
)

// mostRead is the memory that a page of some hundred kB may take, in all.
const mostRead = 512 << 20

// readPage makes a page of a path, or refuses it in a line.
func readPage(t *testing.T, path string, text []byte) {
	t.Helper()
	damage.CheckMemory(t, mostRead+4000*len(text), func() {
		d, err := Read([]string{path}, Options{})
		damage.CheckError(t, err)
		if err != nil {
			return
		}
		if _, err := d.WriteTo(io.Discard); err != nil {
			t.Error(err)
		}
	})
}

// ofFolder has pages made of a folder of results of which one file is changed.
func ofFolder(f *testing.F, published string, each int) {
	dir := damage.Copy(f, published, filepath.Join(f.TempDir(), "r"))
	dir.Seeds(f, each)
	f.Fuzz(func(t *testing.T, file uint8, text []byte, seed uint64) {
		dir.Plant(t, file, text, seed)
		readPage(t, dir.Dir(), text)
	})
}

func FuzzRun(f *testing.F)    { ofFolder(f, "../results/h200-latency-fft-256", 1) }
func FuzzSearch(f *testing.F) { ofFolder(f, "../results/h100-tune-front", 4) }
func FuzzTurns(f *testing.F)  { ofFolder(f, "../results/h200-aa", 4) }
func FuzzReplay(f *testing.F) { ofFolder(f, "../results/tuning-replay/pnpoly-RTX_3090", 4) }

// FuzzFile: what compare printed, a recorded space and a history likewise: files, whose name tells
// what they are taken for.
func FuzzFile(f *testing.F) {
	runs, err := compare.ReadRuns([]string{"../results/h200-latency-fft-256"})
	if err != nil {
		f.Fatal(err)
	}
	c, err := compare.New(runs, compare.Options{By: compare.ByVersion})
	if err != nil {
		f.Fatal(err)
	}
	printed, err := json.Marshal(c)
	if err != nil {
		f.Fatal(err)
	}
	names := []string{"c.json", "s.csv", "h.jsonl"}
	for i, good := range []string{string(printed), "a,b,time_ms,status\n1,x,0.5,valid\n1,y,0.75,valid\n2,x,,invalid\n2,y,0.25,valid\n",
		`{"format":1,"started":"2026-01-01T00:00:00Z","revision":"a","machine":"m","machine_name":"n","algorithm":"fft","version":"v","processor":"CPU","device":"cpu","status":"ok","metrics":{"time":{"value":1e-3,"low":9e-4,"high":2e-3}}}` + "\n"} {
		for seed := range 6 {
			f.Add(uint8(i), []byte(good), uint64(seed))
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, kind uint8, text []byte, seed uint64) {
		name := names[int(kind)%len(names)]
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, damage.Change(seed, name, text), 0o600); err != nil {
			t.Fatal(err)
		}
		readPage(t, path, text)
	})
}
