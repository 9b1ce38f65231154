package powermode

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// An nvpmodel.conf of any content is refused, or has modes of different names.
func FuzzConf(f *testing.F) {
	boards, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(boards) == 0 {
		f.Fatal(boards, err)
	}
	for _, board := range boards {
		a, err := txtar.ParseFile(board)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range a.Files {
			if filepath.Base(file.Name) == "nvpmodel.conf" {
				f.Add(string(file.Data))
			}
		}
	}
	old, err := os.ReadFile("testdata/nvpmodel-l4t27.conf")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(old))
	f.Fuzz(func(t *testing.T, text string) {
		modes, err := parseConf(text)
		if (len(modes) == 0) == (err == nil) {
			t.Fatalf("%d modes and error %v", len(modes), err)
		}
		seen := map[string]bool{}
		for _, m := range modes {
			if seen[m.ID] || m.ID == "" || m.Name == "" {
				t.Errorf("mode %+v", m)
			}
			seen[m.ID] = true
			for _, a := range m.arguments {
				if len(a.paths) == 0 {
					t.Errorf("%s: %+v names no file", m.ID, a)
				}
			}
		}
	})
}
