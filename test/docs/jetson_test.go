package docs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/test/tree"
)

// firstHour is the page whose commands TestFirstHour runs.
const firstHour = "docs/jetson.md"

// Every command of bench for a board's first hour does what the page says, on the
// copied files of boards; only one measures, to take little time.
func TestFirstHour(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, firstHour))
	if err != nil {
		t.Fatal(err)
	}
	page := parse(firstHour, string(text))
	// Where the package has them.
	configs := filepath.Join(filepath.Dir(bench), "../share/bench/configs")
	t.Cleanup(func() { os.RemoveAll(configs) })
	if err := os.CopyFS(configs, os.DirFS(filepath.Join(root, "configs"))); err != nil {
		t.Fatal(err)
	}
	small := filepath.Join(configs, "fft-small.json")
	measures(t, small, `"ceilings": false, "noise": 0.9,`)
	// To measure power, each point keeps all CPUs busy for seconds: command and lab/guest do.
	text, err = os.ReadFile(small)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(small, append([]byte(`{"sensors": [],`), bytes.TrimPrefix(text, []byte("{"))...), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(bench)+":"+tree.Bin(t)+":"+os.Getenv("PATH"))
	for _, name := range []string{"jetson-tx2-l4t32", "jetson-nano-l4t32", "jetson-orin-l4t36", "jetson-thor-l4t38"} {
		// The configs are the package's alone: those of a working folder would come first.
		board, dir, ran := t.TempDir(), t.TempDir(), map[string]bool{}
		for _, folder := range []string{"sensors/ina3221", "framework/powermode"} {
			from := tree.Unpack(t, filepath.Join(root, folder, "testdata", name+".txtar"))
			if out, err := exec.Command("cp", "-a", from+"/.", board).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		t.Setenv("BENCH_TREE", board)
		for _, b := range page.blocks {
			for _, c := range b.commands() {
				measures := slices.Contains(c.words, "results/modes")
				if c.program() != "bench" || measures && name != "jetson-tx2-l4t32" {
					continue
				}
				args := slices.Clone(c.words[1:])
				onBoard := slices.Contains([]string{"doctor", "sensors", "modes", "run"}, args[0])
				if i := slices.Index(args, "--root"); i >= 0 { // the bundle, unpacked
					copied := tree.Unpack(t, filepath.Join(dir, "board.tar.gz"))
					args[i+1] = copied
				} else if onBoard {
					args = append(args, "--root", board)
				}
				if args[0] == "run" {
					args = append(args, "--processor", "CPU", "--versions", "reference", "--power-modes", "0,MAXQ")
				}
				status, out := run(dir, bench, args...)
				if status != 0 {
					t.Errorf("%s: %s: status %d\n%s", name, c.text, status, out)
				}
				ran[args[0]] = true
				if args[0] == "doctor" && len(args) > 2 && !strings.Contains(out, "nvpmodel") {
					t.Errorf("%s: %s shows no power modes\n%s", name, c.text, out)
				}
			}
		}
		for _, verb := range []string{"version", "doctor", "sensors", "modes", "plan"} {
			if !ran[verb] {
				t.Errorf("%s: the page has no bench %s", name, verb)
			}
		}
	}
}
