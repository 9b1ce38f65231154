package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file of one system alone is read for that system: its fault is found there, with its
// line, and nowhere else.
func TestEachSystemsFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":          "module sample\n\ngo 1.24\n",
		"sample.go":       "package sample\n\nconst Sample = name\n",
		"name_linux.go":   "package sample\n\nconst name = \"linux\"\n",
		"name_windows.go": "package sample\n\nconst name = 1 + undefined\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for target, want := range map[string]string{"linux/amd64": "", "windows/amd64": "name_windows.go:3:18: undefined: undefined", "darwin/arm64": "sample.go:3:16: undefined: name"} {
		faults, err := check(target, dir, "./...")
		if err != nil {
			t.Fatal(target, err)
		}
		if got := strings.Join(faults, "\n"); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
	if _, err := check("windows", dir, "./..."); err == nil {
		t.Error("a target without a machine is accepted")
	}
}
