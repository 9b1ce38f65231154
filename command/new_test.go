package command_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// steps runs bench with each line's words in a folder; all must succeed.
func steps(t *testing.T, folder, program string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if status, out, errOut := execute(t, folder, program, strings.Fields(line)...); status != 0 {
			t.Fatalf("bench %s: status %d\n%s%s", line, status, out, errOut)
		}
	}
}

// hasten makes a config's series short: their times do not matter.
func hasten(t *testing.T, config string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	const long = `"timeout_s": `
	if !strings.Contains(string(text), long) {
		t.Fatalf("no %s in %s", long, config)
	}
	write(t, config, strings.Replace(string(text), long, `"ceilings": false, "min_time_s": 0.01, "noise": 0.5, `+long, 1))
}

// statuses are those of the points in a run's time CSV, by version.
func statuses(t *testing.T, csv string) map[string][]string {
	t.Helper()
	list := map[string][]string{}
	for _, row := range table(t, csv) {
		list[row["version"]] = append(list[row["version"]], row["status"])
	}
	return list
}

// The "$schema" of an example names a file that is the schema of this bench.
func checkSchema(t *testing.T, config string) {
	t.Helper()
	var c struct {
		Schema string `json:"$schema"`
	}
	text, err := os.ReadFile(config)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(filepath.Dir(config), c.Schema))
	if err != nil {
		t.Fatal(err)
	}
	status, out, errOut := execute(t, filepath.Dir(config), benchPath, "schema")
	if status != 0 || errOut != "" || out != string(written) || !strings.Contains(out, `"static_args"`) {
		t.Errorf("bench schema: status %d, %d bytes, %s has %d; %s", status, len(out), c.Schema, len(written), errOut)
	}
}

// What bench new writes runs.
func TestNewKernel(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	steps(t, folder, benchPath, "new mine", "validate mine/mine.json", "list mine/mine.json")
	hasten(t, filepath.Join(folder, "mine/mine.json"))
	steps(t, folder, benchPath, "run mine/mine.json --processor CPU")
	if got := statuses(t, filepath.Join(folder, "results/mine/mine_time.csv")); len(got["c"]) != 2 || slices.Contains(got["c"], "wrong") {
		t.Errorf("points of the run: %v", got)
	}
	checkSchema(t, filepath.Join(folder, "mine/mine.json"))
	status, out, _ := execute(t, folder, benchPath, "verify", "mine/mine.json", "--device", "sim")
	if !strings.Contains(out, "strided      3   0    0") {
		t.Errorf("verify: status %d\n%s", status, out)
	}
	// A kernel that is broken is found, at its line.
	text, err := os.ReadFile(filepath.Join(folder, "mine/mine.cu"))
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(folder, "mine/mine.cu")
	write(t, source, strings.Replace(string(text), "+ y[i]", "- y[i]", 1))
	if status, _, errOut := execute(t, folder, benchPath, "verify", "mine/mine.json", "--device", "sim"); status != 1 || !strings.Contains(errOut, "wrong: z: largest error") {
		t.Errorf("a wrong kernel: status %d\n%s", status, errOut)
	}
	write(t, source, strings.Replace(string(text), "+ y[i]", "+ w[i]", 1))
	if status, _, errOut := execute(t, folder, benchPath, "verify", "mine/mine.json", "--device", "sim"); status != 1 || !strings.Contains(errOut, "mine/mine.cu:11:") {
		t.Errorf("a kernel that does not compile: status %d\n%s", status, errOut)
	}
	if status, _, errOut := execute(t, folder, benchPath, "new", "mine"); status != 2 || !strings.Contains(errOut, "exists already") {
		t.Errorf("new over an old one: status %d\n%s", status, errOut)
	}
	// A name may fit a folder and not the files in it: then no folder is made.
	for _, letters := range []int{300, 252} {
		name := strings.Repeat("n", letters)
		if status, _, errOut := execute(t, folder, benchPath, "new", name); status != 2 || !strings.Contains(errOut, "file name too long; want a shorter name") {
			t.Errorf("a name of %d letters: status %d\n%s", letters, status, errOut)
		}
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			t.Errorf("a name of %d letters leaves a folder", letters)
		}
	}
}

// Every template of kernels and C functions verifies in the simulator and runs
// on the CPU, and its right answer notices a wrong one.
func TestNewTemplates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		template  string
		versions  []string // that are verified
		gpu       bool
		good, bad string // a line of the source and one that gives wrong answers
	}{
		{"transpose", []string{"naive", "tiled"}, true, "tile[threadIdx.x][i];", "tile[i][threadIdx.x];"},
		{"reduction", []string{"tree", "shuffle", "atomic"}, true, "i < BLOCKS;", "i < BLOCKS - 1;"},
		{"stencil", []string{"direct", "tiled"}, true, "tile[y - 1][x], tile[y + 1][x]", "tile[y - 1][x], tile[y][x]"},
		{"foreign", []string{"rows"}, true, "part[threadIdx.x + i];", "part[threadIdx.x + 1 + i];"},
		{"ptx", []string{"c"}, false, "a * x[i] + y[i]", "a * x[i] - y[i]"},
		{"c", []string{"rows", "columns"}, false, "float sum = 0;", "float sum = 1;"},
	} {
		t.Run(c.template, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			steps(t, folder, benchPath, "new mine --template "+c.template, "validate mine/mine.json")
			hasten(t, filepath.Join(folder, "mine/mine.json"))
			steps(t, folder, benchPath, "run mine/mine.json --processor CPU")
			for version, got := range statuses(t, filepath.Join(folder, "results/mine/mine_time.csv")) {
				if !slices.Equal(got, []string{"ok", "ok"}) {
					t.Errorf("points of %s: %v", version, got)
				}
			}
			checkSchema(t, filepath.Join(folder, "mine/mine.json"))
			verify, source := []string{"verify", "mine/mine.json", "--device", "cpu", "--json"}, filepath.Join(folder, "mine/mine.c")
			if c.gpu {
				verify[3], source = "sim", filepath.Join(folder, "mine/mine.cu")
			}
			status, out, errOut := execute(t, folder, benchPath, verify...)
			var tallies []struct {
				Versions []struct {
					Version string
					OK      int
				}
			}
			if err := json.Unmarshal([]byte(out), &tallies); err != nil || status != 0 {
				t.Fatalf("verify: status %d, %v\n%s%s", status, err, out, errOut)
			}
			var verified []string
			for _, v := range tallies[0].Versions {
				if verified = append(verified, v.Version); v.OK < 2 {
					t.Errorf("%s: %d points", v.Version, v.OK)
				}
			}
			if !slices.Equal(verified, c.versions) {
				t.Errorf("verified %q", verified)
			}
			text, err := os.ReadFile(source)
			if err != nil || !strings.Contains(string(text), c.good) {
				t.Fatalf("%v, or no %q", err, c.good)
			}
			write(t, source, strings.Replace(string(text), c.good, c.bad, 1))
			if status, _, errOut := execute(t, folder, benchPath, verify...); status != 1 || !strings.Contains(errOut, "wrong: ") {
				t.Errorf("with %q: status %d\n%s", c.bad, status, errOut)
			}
		})
	}
}

func TestNewProgram(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	steps(t, folder, benchPath, "new mine --template program", "validate mine/mine.json", "verify mine/mine.json", "run mine/mine.json")
	if got := statuses(t, filepath.Join(folder, "results/mine/mine_time.csv")); !slices.Equal(got["mine"], []string{"ok", "ok", "ok"}) {
		t.Errorf("points of the run: %v", got)
	}
	checkSchema(t, filepath.Join(folder, "mine/mine.json"))
	write(t, filepath.Join(folder, "other", "config.schema.json"), "mine")
	if status, _, errOut := execute(t, folder, benchPath, "new", "other", "--template", "program"); status != 2 || !strings.Contains(errOut, "exists already") {
		t.Errorf("new over a schema: status %d\n%s", status, errOut)
	}
}

// An algorithm in Go, written into a copy of the tree, which is built with it.
func TestNewAlgorithm(t *testing.T) {
	t.Parallel()
	tree := t.TempDir()
	copyTree(t, "..", tree)
	steps(t, tree, benchPath, "new mine --template go")
	checkSchema(t, filepath.Join(tree, "configs/mine.json"))
	goTool := func(words string) {
		t.Helper()
		cmd := exec.Command("go", strings.Fields(words)...)
		cmd.Dir = tree
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", words, err, out)
		}
	}
	// -trimpath makes one build of the tree serve every copy.
	goTool("test -trimpath -vet=all ./algorithms ./algorithms/mine")
	goTool("build -trimpath -ldflags=-s -o bench ./cmd/bench") // without what only debuggers read
	hasten(t, filepath.Join(tree, "configs/mine.json"))
	steps(t, tree, filepath.Join(tree, "bench"), "validate configs/mine.json", "verify mine --device sim", "run configs/mine.json --processor CPU")
	if got := statuses(t, filepath.Join(tree, "results/mine/mine_time.csv")); !slices.Equal(got["go"], []string{"ok", "ok"}) {
		t.Errorf("points of the run: %v", got)
	}
	if status, _, errOut := execute(t, tree, benchPath, "new", "fft", "--template", "go"); status != 2 || !strings.Contains(errOut, "already") {
		t.Errorf("new --template go with a built-in's name: status %d\n%s", status, errOut)
	}
	if status, _, errOut := execute(t, t.TempDir(), benchPath, "new", "mine", "--template", "go"); status != 2 || !strings.Contains(errOut, "own tree") {
		t.Errorf("new --template go elsewhere: status %d\n%s", status, errOut)
	}
}

// A name that Go or the list of algorithms keeps would break the tree's build.
func TestNewAlgorithmRefusesReservedNames(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../algorithms/all.go")
	if err != nil {
		t.Fatal(err)
	}
	tree := t.TempDir()
	path := write(t, filepath.Join(tree, "algorithms/all.go"), string(text))
	for _, name := range []string{"main", "init", "framework", "unlisted", "documentation", "internal", "testdata", "vendor", "func", "Mine"} {
		status, out, errOut := execute(t, tree, benchPath, "new", name, "--template", "go")
		if status != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, `"`+name+`" cannot name`) {
			t.Errorf("new %s --template go: status %d\n%s%s", name, status, out, errOut)
		}
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(text) {
		t.Errorf("algorithms/all.go was changed: %v", err)
	}
}

// copyTree copies what a build of the program and the tests of algorithms need.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains([]string{"results", "test", "tools"}, name)) {
				return fs.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		if strings.HasSuffix(name, "_test.go") && filepath.Dir(name) != "algorithms" {
			return nil
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
