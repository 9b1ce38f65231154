package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	// What the program consists of: after a change of it, go test does not show an
	// earlier result.
	"example.org/bench/algorithms"
	cli "example.org/bench/command"
	"example.org/bench/sensors"
	"example.org/bench/test/program"
)

var bench string // the built program

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "bench-docs")
	if err != nil {
		panic(err)
	}
	bench = filepath.Join(dir, "bin", "bench")
	if err := program.Build("cmd/bench", "", bench); err != nil {
		panic(err)
	}
	// The caches of go are the machine's: else it fetches every module again.
	caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		panic(err)
	}
	for i, value := range strings.Fields(string(caches)) {
		os.Setenv([]string{"GOCACHE", "GOMODCACHE"}[i], value)
	}
	// So is that of compiled kernels.
	cache, err := os.UserCacheDir()
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	// A user's folders of its own: no wisdom, no results of others; and root's note of
	// power modes, which other packages' tests would take for another run's.
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"} {
		os.Setenv(name, dir)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// run executes a program, for five minutes at most, and returns its exit status and
// output.
func run(dir, program string, args ...string) (status int, out string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		return -1, err.Error()
	}
	return cmd.ProcessState.ExitCode(), b.String()
}

// quick are the verbs of bench that need no GPU, board, root or much time: their
// commands in blocks are run, all others are checked.
var quick = []string{"list", "validate", "plan", "new", "compare", "merge", "plot", "modes", "doctor", "version", "schema"}

// budget is that of a search.
var budget = regexp.MustCompile(`--budget \d+\b`)

// runs says whether a command of a block is run, and with which exit statuses
// it is good. `run` and `verify` are run for the small examples that the page
// itself makes.
func runs(c command) (good []int, ok bool) {
	switch c.program() {
	case "cc":
		return []int{0}, true
	case "bench":
	default:
		return nil, false
	}
	if c.words[0] == "./mine" || slices.Contains(c.words, "go") || len(c.words) < 2 || slices.ContainsFunc(c.words, placeholder) {
		return nil, false // lab/outoftree and command run the first two
	}
	small := len(c.words) > 2 && slices.Contains([]string{"mine/mine.json", "program/program.json", "triad.json"}, c.words[2])
	switch verb := c.words[1]; {
	case slices.Contains(c.words, "--gate"): // 3 and 4: what it found
		return []int{0, 3, 4}, true
	case slices.Contains(quick, verb), verb == "replay", small && (verb == "run" || verb == "verify"):
		return []int{0}, true
	}
	return nil, false
}

// Every command of the pages' blocks runs, or names what exists.
func TestBlocks(t *testing.T) {
	list, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	var ran, checked int
	for _, p := range list {
		if p.name == firstHour {
			continue // TestFirstHour
		}
		dir := ""
		for _, b := range p.blocks {
			commands := b.commands()
			if len(commands) > 0 && dir == "" {
				dir = workplace(t, p)
			}
			here := dir
			for _, c := range commands {
				if c.program() == "cd" {
					here = filepath.Join(here, c.words[1])
					if _, err := os.Stat(here); err != nil {
						t.Errorf("%s: %s: %v", p.name, c.text, err)
					}
					continue
				}
				good, ok := runs(c)
				if !ok || p.name == "docs/opencl.md" && c.program() == "bench" && c.words[1] != "new" && os.Getenv("OCL_ICD_VENDORS") == "" { // lab/opencl runs these on a driver
					checked++
					if err := check(c, here); err != nil {
						t.Errorf("%s: %s: %v", p.name, c.text, err)
					}
					continue
				}
				ran++
				if c.program() == "bench" && c.words[1] == "run" && c.words[2] == "mine/mine.json" {
					measures(t, filepath.Join(here, c.words[2]), `"ceilings": false, "noise": 0.5, "min_time_s": 0.01,`)
				}
				// By a shell: pages use ? and * in names.
				line := regexp.MustCompile(`^(\./)?bench\b`).ReplaceAllLiteralString(c.text, bench)
				if c.program() == "bench" && c.words[1] == "replay" {
					line = budget.ReplaceAllLiteralString(line, "--budget 20") // a shorter search of the same command
				}
				if status, out := run(here, "sh", "-c", line); !slices.Contains(good, status) {
					t.Errorf("%s: %s: status %d, want one of %v\n%s", p.name, c.text, status, good, out)
				}
			}
		}
	}
	if ran < 15 || checked < 25 {
		t.Errorf("%d commands ran and %d were checked: the pages' blocks are not found", ran, checked)
	}
}

// Every command within a line names what exists.
func TestSpans(t *testing.T) {
	list, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	dir := workplace(t, list...)
	found := 0
	for _, p := range list {
		for _, s := range p.spans {
			c := parseCommand(s)
			if len(c.words) < 2 || !slices.Contains([]string{"bench", "make", "go", "tools", "lab"}, c.program()) {
				continue
			}
			found++
			if err := check(c, dir); err != nil {
				t.Errorf("%s: `%s`: %v", p.name, s, err)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d commands within lines", found)
	}
}

// A command that names what does not exist is found.
func TestCheckFinds(t *testing.T) {
	dir := workplace(t)
	for _, bad := range []string{
		"bench runn configs/fft.json", "bench run configs/none.json", "bench run configs/fft.json --device", "bench verify fft --devices cuda:0",
		"bench list none", "make none", "go test ./none", "go test ./framework/compare -run NoSuchTest", "go test ./cuda -update", "go test -C lab ./none", "go test ./iterml", "lab/run none", "lab/none",
		"tools/none", "scp none board:", "ssh board ./bench-arm64 doctors", "curl http://example.com", "sudo bench mode",
		"bench tune configs/tune-scan.json --budget many", "bench sensors now", ". .cache/none.sh", "git comit", "cc -o x none.c",
	} {
		if err := check(parseCommand(bad), dir); err == nil {
			t.Errorf("%s passes", bad)
		}
	}
	for _, good := range []string{
		"bench run configs/fft.json --seed 7", "sudo bench modes --restore", "bench verify fft scan --device cuda:0", "make", "bench run CONFIG",
		"ssh board ./bench-arm64 run fft.json", "go test ./framework/record -update", "go test -C lab ./iterml -update", "lab/run scale -rows 1000", `BENCH_REST=5 bench list fft`,
	} {
		if err := check(parseCommand(good), dir); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
}

// check says what of a command does not exist.
func check(c command, dir string) error {
	switch p := c.program(); p {
	case "bench":
		return checkBench(c.words[1:], dir)
	case "make":
		if len(c.words) == 1 {
			return nil
		}
		return accepts(c.words, func() error {
			if status, out := run(root, "make", "-n", c.words[1]); status != 0 {
				return errors.New(out)
			}
			return nil
		})
	case "go":
		return checkGo(c.words[1:], dir)
	case "tools", "lab":
		if c.words[0] == "lab/run" && len(c.words) > 1 && !placeholder(c.words[1]) {
			return exists(filepath.Join(root, "lab", c.words[1]))
		}
		return exists(filepath.Join(root, c.words[0]))
	case "ssh":
		if len(c.words) == 2 {
			return nil
		}
		return check(command{c.text, c.words[2:]}, dir)
	case "scp":
		for _, w := range c.words[1:] {
			local := !strings.Contains(w, ":") && !strings.HasPrefix(w, "-") && !placeholder(w) && w != "bench-arm64" && w != c.words[len(c.words)-1]
			if local && exists(filepath.Join(dir, w)) != nil {
				return exists(filepath.Join(dir, w))
			}
		}
		return nil
	case ".":
		if c.words[1] != ".cache/env.sh" { // of tools/fetch-test-env
			return fmt.Errorf("no %s", c.words[1])
		}
		return nil
	case "install", "dpkg", "apt", "jetson_clocks": // as root, on the reader's machine
		return nil
	default:
		return fmt.Errorf("%s is not a program that the pages may show", p)
	}
}

// accepted is what a program said of a command: pages repeat many.
var accepted = map[string]error{}

// accepts asks what a program has against a command, once.
func accepts(words []string, ask func() error) error {
	key := fmt.Sprintf("%q", words)
	if _, known := accepted[key]; !known {
		accepted[key] = ask()
	}
	return accepted[key]
}

func exists(path string) error {
	_, err := os.Stat(path)
	return err
}

var verbs = sync.OnceValue(func() []string {
	_, help := run(".", bench, "--help")
	_, list, _ := strings.Cut(help, "Measure:\n")
	list, _, _ = strings.Cut(list, "Flags:\n")
	var names []string
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   ") { // no title, nor what continues a line
			names = append(names, strings.Fields(line)[0])
		}
	}
	return names
})

// checkBench has cobra read the flags, which it does before it shows help, and
// looks for the files and algorithms named.
func checkBench(words []string, dir string) error {
	if !slices.Contains(verbs(), words[0]) {
		return fmt.Errorf("no verb %s", words[0])
	}
	given := slices.Clone(words)
	for i, w := range given {
		if placeholder(w) {
			given[i] = "1" // any flag takes it
		}
	}
	if err := accepts(given, func() error { return cli.Accepts(algorithms.All(), sensors.All(), given[0], given[1:]...) }); err != nil {
		return err
	}
	for _, w := range words[1:] {
		if !strings.HasSuffix(w, ".json") || placeholder(w) || strings.ContainsAny(w, "*,") {
			continue
		}
		// Of the page's own making, a file of the tree, or on the board.
		if own := slices.Contains([]string{"mine.json", "mine/mine.json", "program/program.json", "configs/mine.json", "cache.json", "t1.json", "manifest.json", "fft.json"}, w); !own && exists(filepath.Join(dir, w)) != nil && exists(filepath.Join(root, w)) != nil {
			return fmt.Errorf("no file %s", w)
		}
	}
	switch words[0] {
	case "list", "verify":
		for _, w := range words[1:] {
			if strings.HasPrefix(w, "-") {
				break // what follows may be a value
			}
			if w == "sum" || w == "mine" || placeholder(w) || strings.HasSuffix(w, ".json") {
				continue
			}
			if exists(filepath.Join(root, "algorithms", w)) != nil {
				return fmt.Errorf("no algorithm %s", w)
			}
		}
	case "sensors", "modes", "doctor", "version":
		if len(words) > 1 && !strings.HasPrefix(words[1], "-") {
			return fmt.Errorf("takes no %s", words[1])
		}
	}
	return nil
}

// checkGo looks for packages, tests and -update flags.
func checkGo(words []string, dir string) error {
	if !slices.Contains([]string{"test", "build", "mod", "run", "doc", "vet"}, words[0]) {
		return fmt.Errorf("no go %s", words[0])
	}
	if words[0] == "mod" || words[0] == "doc" {
		return nil
	}
	module := root
	if len(words) > 2 && words[1] == "-C" {
		module = filepath.Join(root, words[2])
	}
	for i, w := range words {
		folder, _, _ := strings.Cut(w, "/...")
		if strings.HasPrefix(w, "./") && w != "./algorithms/mine" { // bench new writes that
			if err := exists(filepath.Join(module, folder)); err != nil {
				return err
			}
		}
		var pattern string
		switch w {
		case "-run":
			pattern = `func Test\w*` + words[i+1]
		case "-update":
			pattern = `flag\.Bool\("update"`
		default:
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "./") && mentions(filepath.Join(module, w), pattern) }) {
			return fmt.Errorf("%s: nothing there for it", w)
		}
	}
	return nil
}

// mentions reports whether a Go file of a folder holds the pattern.
func mentions(folder, pattern string) bool {
	files, _ := filepath.Glob(filepath.Join(folder, "*_test.go"))
	return slices.ContainsFunc(files, func(f string) bool {
		text, err := os.ReadFile(f)
		return err == nil && regexp.MustCompile(pattern).Match(text)
	})
}
