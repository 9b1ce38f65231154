package docs

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/bench/test/everyboard"
	"example.org/bench/test/tree"
)

// firstHour is the page whose commands TestFirstHour runs.
const firstHour = "docs/jetson.md"

// releases are the boards' releases of which the tests have files.
var releases = []string{"nano-l4t32", "tx1-l4t28", "tx2-l4t28", "orin-l4t35", "orin-l4t36", "orin-l4t39", "thor-l4t38", "tx2-l4t32"}

// slow are those whose power monitors average over a second or more, or over a time that is not known.
var slow = []string{"nano-l4t32", "tx1-l4t28", "tx2-l4t28", "tx2-l4t32"}

// filesOf are the copied files of a board's release.
func filesOf(t *testing.T, release string) (board string) {
	t.Helper()
	board = t.TempDir()
	found := 0
	for _, folder := range []string{"framework/machine", "sensors/ina3221", "framework/powermode"} {
		archive := filepath.Join(root, folder, "testdata/jetson-"+release+".txtar")
		if _, err := os.Stat(archive); err != nil {
			continue
		}
		found++
		if out, err := exec.Command("cp", "-a", tree.Unpack(t, archive)+"/.", board).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	if found == 0 {
		t.Fatalf("there are no files of %s", release)
	}
	return board
}

// numbered are the commands from nothing to a sent file.
var numbered = regexp.MustCompile(`(?m)^    (\S.*?) +# (\d+)\b`)

// message is a row of the table of messages.
var message = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| \\S")

// Every command of bench for a board's first hour does what the page says on the copied files of every board, and what
// the page explains is said. Where not every board is wanted, one alone measures, to take little time.
func TestFirstHour(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, firstHour))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(numbered.FindAllString(string(text), -1)); n < 6 || n > 12 {
		t.Errorf("%d commands to a sent file, want at most twelve", n)
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
	for _, name := range []string{"BENCH_NVRTC", "LD_LIBRARY_PATH"} {
		t.Setenv(name, "/nowhere")
	}
	_, said := run(t.TempDir(), bench, "doctor") // of a machine that has no GPU
	measured := everyboard.Of(releases)
	for _, name := range releases {
		// The configs are the package's alone: those of a working folder would come first.
		board, dir, ran := filesOf(t, name), t.TempDir(), map[string]bool{}
		t.Setenv("BENCH_TREE", board)
		for _, b := range page.blocks {
			for _, c := range b.commands() {
				modes, file := slices.Contains(c.words, "results/modes"), len(c.words) > 1 && c.words[1] == "board"
				if c.program() != "bench" || modes && name != "tx2-l4t32" || file && !slices.Contains(measured, name) ||
					slices.Contains(c.words, "jetson-tx2") && name != releases[0] {
					continue
				}
				args := slices.Clone(c.words[1:])
				switch onBoard := slices.Contains([]string{"doctor", "sensors", "modes", "run"}, args[0]) || slices.Contains(args, "--yes"); {
				case slices.Contains(args, "--root"): // the program's, or the bundle
				case onBoard:
					args = append(args, "--root", board)
				}
				switch {
				case args[0] == "run":
					args = append(args, "--processor", "CPU", "--versions", "reference", "--power-modes", "0,MAXQ")
				case slices.Contains(args, "--yes"):
					if slices.Contains(slow, name) {
						tree.Hasten(t, board) // what the page says of sensors, bench has said before
					}
					args = append(args, "--only", "pattern", "--device", "cpu")
				}
				status, out := run(dir, bench, args...)
				if status != 0 {
					t.Errorf("%s: %s: status %d\n%s", name, c.text, status, out)
				}
				said += out
				ran[args[0]] = true
				if args[0] == "doctor" && slices.Contains(args, "jetson-tx2") && !strings.Contains(out, "nvpmodel") {
					t.Errorf("%s: %s shows no power modes\n%s", name, c.text, out)
				}
			}
		}
		for _, verb := range []string{"doctor", "sensors", "modes"} {
			if !ran[verb] {
				t.Errorf("%s: the page has no bench %s", name, verb)
			}
		}
	}
	explained(t, page.text, said)
}

// explained holds that each message of the page was said, or is what another test of the program wants to be. What some boards
// alone say needs them to be measured.
func explained(t *testing.T, page, said string) {
	t.Helper()
	tests, err := filepath.Glob(filepath.Join(root, "command/*/*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		said += string(text)
	}
	rows := message.FindAllStringSubmatch(page, -1)
	if len(rows) < 10 {
		t.Errorf("%d messages are explained", len(rows))
	}
	for _, m := range rows {
		if strings.HasPrefix(m[1], "the machine is loaded") {
			continue // it is, or is not
		}
		some := strings.HasPrefix(m[1], "skipped: other units") || strings.HasPrefix(m[1], "in the present power mode")
		if !strings.Contains(said, m[1]) && (everyboard.Wanted() || !some) {
			t.Errorf("nothing says %q", m[1])
		}
	}
}
