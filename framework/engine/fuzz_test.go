package engine

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/test/damage"
)

// FuzzAnswers: whatever a worker answers, each line is a reply of it or the end, with a line
// that says why.
func FuzzAnswers(f *testing.F) {
	const good = `{"number":1,"progress":"compile"}` + "\n" + `{"number":1,"result":{"point":{"id":1,"algorithm":"fft","version":"v","params":{"N":64}},"status":"ok","cold":{"samples":[1e-3,2e-3],"batch":1}},"ran":true}` + "\n"
	for seed := range 40 {
		f.Add([]byte(good), uint64(seed))
	}
	f.Add([]byte("{}\nnull\n[]\n"), uint64(0))
	f.Add([]byte(strings.Repeat("x", 100_000)), uint64(0))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		text = damage.Change(seed, "x.jsonl", text)
		damage.CheckMemory(t, 4<<20+2000*len(text), func() {
			p := &process{out: io.NopCloser(bytes.NewReader(text)), most: 64 << 10, replies: make(chan *reply, 16)}
			go p.read()
			n := 0
			for r := range p.replies {
				if n++; r.bad != nil {
					damage.CheckError(t, r.bad)
				}
			}
			if n > bytes.Count(text, []byte("\n"))+1 {
				t.Errorf("%d answers", n)
			}
		})
	})
}

// FuzzProfiled: the file of a profiled worker has a result for each reply up to where it is cut,
// no more than points were asked for, or an error of a line.
func FuzzProfiled(f *testing.F) {
	good := ""
	for i := range 4 {
		good += fmt.Sprintf(`{"number":%d,"phase":"compile"}`+"\n"+`{"number":%[1]d,"result":{"point":{"id":%[1]d,"algorithm":"fft","version":"v","params":{"N":64}},"status":"ok","reason":"","phases":{"prepare":0.5}},"ran":true}`+"\n", i+1)
	}
	for seed := range 40 {
		f.Add([]byte(good), uint64(seed))
	}
	f.Add([]byte(good+`{"number":5,"error":"the worker\nstopped"}`+"\n"), uint64(0))
	f.Add([]byte(good+`{"number":5,"res`), uint64(0))
	f.Add([]byte(good+good), uint64(0))
	f.Add([]byte("{}\nnull\n[]\n"), uint64(0))
	path := filepath.Join(f.TempDir(), repliesFile)
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		text = damage.Change(seed, path, text)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 4<<20+2000*len(text), func() {
			const points = 4
			list, err := readProfiled(path, points)
			damage.CheckError(t, err)
			if len(list) > min(points, bytes.Count(text, []byte("\n"))+1) {
				t.Errorf("%d points", len(list))
			}
			for _, p := range list {
				damage.CheckLine(t, p.Result.Reason+p.Result.Point.Version+".")
			}
		})
	})
}

// FuzzLastWords: whatever a worker said before it died, the reason is one line of it.
func FuzzLastWords(f *testing.F) {
	f.Add([]byte("panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\tx.go:1\n"))
	f.Add([]byte("terminate called\nSIGABRT: abort\nPC=0x1\n"))
	f.Add([]byte("a\r::error::b\u2028c\n\n"))
	f.Fuzz(func(t *testing.T, said []byte) {
		var w tail
		for part := range bytes.Lines(said) {
			w.Write(part)
		}
		damage.CheckLine(t, w.reason()+".")
	})
}
