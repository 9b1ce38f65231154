package command_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMergeEndToEnd: runs of one config with other values of --set, under the names of
// machines, become one sweep, which compares by device.
func TestMergeEndToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := write(t, filepath.Join(dir, "busy.json"), `{"algorithm": "faulty", "versions": ["good"], "sensors": [], "sweep_arg": {"ms": [1, 2]},
		"measure": {"ceilings": false, "min_samples": 6, "min_time_s": 0.01, "timeout_s": 1}}`)
	for i, set := range []string{"ms=1", "ms=2", "ms=1"} {
		name := []string{"tx2a", "tx2a", "tx2b"}[i]
		if status, out, errOut := execute(t, dir, madeUpPath, "run", c, "--quiet", "--name", name, "--set", set, "--out", fmt.Sprint("run", i)); status != 0 {
			t.Fatalf("status %d\n%s\n%s", status, out, errOut)
		}
	}
	for out, runs := range map[string][]string{"one": {"run0", "run1", "run2"}, "other": {"run2", "run0", "run1"}} {
		status, said, errOut := executeWith(t, dir, drawing, madeUpPath, append([]string{"merge", "--out", out}, runs...)...)
		if status != 0 || !strings.Contains(said, out+": 3 points of 2 devices") {
			t.Fatalf("status %d\n%s\n%s", status, said, errOut)
		}
	}
	files, figures := 0, 0
	if err := fs.WalkDir(os.DirFS(filepath.Join(dir, "one")), ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if files++; strings.HasPrefix(path, "figures/") {
			figures++
		}
		a, errA := os.ReadFile(filepath.Join(dir, "one", path))
		b, errB := os.ReadFile(filepath.Join(dir, "other", path))
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s differs: %v, %v", path, errA, errB)
		}
		return nil
	}); err != nil || figures < 3 || files < figures+6 {
		t.Fatalf("%d files, %d figures, %v", files, figures, err)
	}
	status, out, errOut := execute(t, dir, madeUpPath, "compare", "one", "--by", "device")
	if status != 0 || !strings.Contains(out, "by device: tx2a:cpu, tx2b:cpu; baseline tx2a:cpu") {
		t.Errorf("status %d\n%s\n%s", status, out, errOut)
	}
	for want, args := range map[string][]string{
		"--out is missing":                      {"run0"},
		"--out run0 is one of the runs":         {"run0", "run1", "--out", "run0"},
		"there is no such folder":               {"run0", "nowhere", "--out", "bad"},
		"run1 is given twice":                   {"run1", "a=run1", "--out", "bad"},
		"merge runs of one config":              {"run0", "two", "--out", "bad"},
		"cannot become the merged run's folder": {"run0", "--out", "full"},
	} {
		wantStatus := 2
		switch {
		case strings.HasPrefix(want, "merge runs"):
			c := write(t, filepath.Join(dir, "two.json"), `{"algorithm": "faulty", "versions": ["good"], "sensors": [], "sweep_arg": {"ms": [1]},
				"measure": {"ceilings": false, "min_samples": 6, "min_time_s": 0.01, "timeout_s": 1}}`)
			if status, out, errOut := execute(t, dir, madeUpPath, "run", c, "--quiet", "--out", "two"); status != 0 {
				t.Fatalf("status %d\n%s\n%s", status, out, errOut)
			}
		case strings.HasPrefix(want, "cannot"):
			wantStatus = 1
			write(t, filepath.Join(dir, "full", "notes.txt"), "mine")
		}
		if status, _, errOut := execute(t, dir, madeUpPath, append([]string{"merge"}, args...)...); status != wantStatus || !strings.Contains(errOut, want) {
			t.Errorf("%q: status %d, %s; want %d, %q", args, status, errOut, wantStatus, want)
		}
	}
}
