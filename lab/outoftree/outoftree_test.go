// Package outoftree builds a separate program around bench, in a module of
// its own, as docs/adding-algorithm.md shows it.
package outoftree

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// build makes the program in a folder outside of the tree, with nothing of the
// tree's but its path, runs its test, and returns it.
func build(t *testing.T) string {
	t.Helper()
	tree, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("mine")); err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile(filepath.Join(tree, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "go.sum"), sums, 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(workspace, words string) {
		t.Helper()
		cmd := exec.Command("go", strings.Fields(words)...)
		cmd.Dir = folder
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK="+workspace)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", words, err, out)
		}
	}
	// As the page says it; a build so would compile all of bench anew, under another path.
	run("off", "mod edit -replace=example.org/bench="+tree)
	run("off", "list -mod=mod -deps -test .")
	workspace := filepath.Join(folder, "go.work")
	run(workspace, "work init . "+tree)
	run(workspace, "build -o mine .")
	run(workspace, "test -vet=off .")
	return filepath.Join(folder, "mine")
}

func TestModuleOfItsOwn(t *testing.T) {
	program := build(t)
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = filepath.Dir(program)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("mine %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	if out := run("list"); !strings.Contains(out, "1 + 2 + … + N") || !strings.Contains(out, "\nfft ") {
		t.Errorf("list shows not both its own algorithm and the built-in ones:\n%s", out)
	}
	if out := run("verify", "sum", "--device", "cpu"); !strings.Contains(out, "loop  ") {
		t.Errorf("verify says:\n%s", out)
	}
	config := filepath.Join(filepath.Dir(program), "sum.json")
	text := `{"algorithm": "sum", "sensors": [], "measure": {"ceilings": false, "min_samples": 3, "min_time_s": 0.01}}`
	if err := os.WriteFile(config, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	run("run", config)
	rows, err := os.ReadFile(filepath.Join(filepath.Dir(program), "results", "sum", "sum_time.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(rows), ",ok,") {
		t.Errorf("no good point in:\n%s", rows)
	}
}

// The page shows the files that are built here, whole.
func TestPageShowsTheProgram(t *testing.T) {
	page, err := os.ReadFile("../../docs/adding-algorithm.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"main.go", "sum.go", "sum_test.go"} {
		text, err := os.ReadFile(filepath.Join("mine", name))
		if err != nil {
			t.Fatal(err)
		}
		_, body, ok := strings.Cut(string(text), "package main\n")
		if !ok || !strings.Contains(string(page), "```go\npackage main\n"+body+"```\n") {
			t.Errorf("docs/adding-algorithm.md shows another file than lab/outoftree/mine/%s", name)
		}
	}
}
