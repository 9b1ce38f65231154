package machine

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"example.org/bench/test/damage"
)

// FuzzTree: a copied tree of which one file has any content has facts, clocks and states whose
// texts are of one line each.
func FuzzTree(f *testing.F) {
	board, err := txtar.ParseFile("testdata/jetson-orin-l4t36.txtar")
	if err != nil {
		f.Fatal(err)
	}
	root := f.TempDir()
	var names []string
	files := map[string][]byte{}
	write := func(t testing.TB, name string, text []byte) {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range board.Files {
		if strings.Contains(string(file.Data), "->") || strings.HasSuffix(file.Name, "/") {
			continue
		}
		names, files[file.Name] = append(names, file.Name), file.Data
		write(f, file.Name, file.Data)
	}
	for i := range names {
		f.Add(uint16(i), []byte{}, uint64(1+i))
		if i%8 == 0 {
			f.Add(uint16(i), []byte("0-65535,0-65535,0-65535"), uint64(0))
		}
	}
	f.Fuzz(func(t *testing.T, file uint16, text []byte, seed uint64) {
		name := names[int(file)%len(names)]
		if len(text) == 0 {
			text = files[name]
		}
		write(t, name, damage.Change(seed, "x", text))
		defer write(t, name, files[name])
		damage.CheckMemory(t, 64<<20+1000*len(text), func() {
			tree := Tree(root)
			facts, _ := tree.Facts()
			s := tree.State()
			for _, list := range [][]string{{facts.Board, facts.OS, facts.Kernel, facts.Battery}, tree.warnings()} {
				for _, line := range list {
					damage.CheckLine(t, line+".")
				}
			}
			for _, line := range tree.Lines() {
				if strings.ContainsAny(line[0]+line[1], "\r\n") {
					t.Errorf("%q", line)
				}
			}
			for _, c := range tree.Clocks() {
				damage.CheckLine(t, c.Name)
			}
			for channel, x := range tree.Temperatures() {
				if !IsTemperature(x) || channel == "" {
					t.Errorf("%s: %v", channel, x)
				}
			}
			tree.Frequencies()
			s.Pinned()
		})
	})
}

// FuzzCPUs: a list of CPUs of any text is none, or is read again from what is written of it; no
// short text makes a long one.
func FuzzCPUs(f *testing.F) {
	for _, text := range []string{"0-2,5", "0", "", "3-1", "0-65535,0-65535", "9223372036854775807-9223372036854775807", "1,1,1", "-5", "0-", "0-2,,"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		damage.CheckMemory(t, 8<<20+1000*len(text), func() {
			cpus := ParseCPUs(text)
			if len(cpus) > mostCPUs+len(text) {
				t.Errorf("%d CPUs", len(cpus))
			}
			if again := ParseCPUs(cpus.String()); len(cpus) > 0 && again.String() != cpus.String() {
				t.Errorf("%v is read again as %v", cpus, again)
			}
			if v, err := ReadWhole(bytes.NewReader([]byte(text)), make([]byte, 24)); err == nil && (v > 1e18 || v < -1e18) {
				t.Errorf("%q is %d", text, v)
			}
		})
	})
}
