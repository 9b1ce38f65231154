// Package layout checks where things stand in the tree: the direction of
// imports, the lists of plugins, the length of files and the names of
// packages.
package layout

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "example.org/bench"

// maxLines is the length of a source file beyond which it is to be split.
const maxLines = 400

// mostLines is how long a package without its tests and what is below it may become: command
// holds flags and wiring, and what computes, reads or tells belongs to the packages of what
// it is about.
var mostLines = map[string]int{"command": 5000}

// rooms says what a folder's packages may import of this module: each entry
// is a folder with all below it, or, ending in "/.", one package alone. The
// longest matching folder counts. Folders that are not listed may import
// nothing of the module.
var rooms = map[string][]string{
	"internal":         {"internal"},
	"gpu/.":            {},
	"gpu":              {"gpu", "internal"},
	"configs":          {},
	"docs":             {},
	"framework/.":      {"gpu/."},
	"framework":        {"framework", "gpu", "configs", "internal"},
	"algorithms/.":     {"algorithms", "framework"},
	"algorithms":       {"framework", "gpu", "internal"}, // and its own folder
	"sensors/.":        {"sensors", "framework"},
	"sensors":          {"framework", "gpu/cuda", "internal"}, // and its own folder
	"analysis":         {"analysis", "framework", "gpu", "internal"},
	"tuning":           {"tuning", "framework", "gpu", "plots", "internal"},
	"plots":            {"plots", "framework", "gpu/.", "internal"},
	"report":           {"report", "plots/picture", "tuning", "analysis", "framework", "gpu/.", "internal"},
	"command/export":   {"command/export", "framework", "internal"},
	"command/scaffold": {"configs"},
	"command/fleet":    {"framework", "internal"},
	"command/inspect":  {"framework", "gpu", "internal"},
	"command":          {"command", "algorithms", "sensors", "tuning", "analysis", "plots", "report", "framework", "gpu", "configs", "docs", "internal"},
	"cmd/bench":        {"algorithms", "sensors", "command"},
	"test":             {"."},
	"lab":              {"."}, // a module of its own
}

// plugins are the rooms whose folders are independent of each other and are
// listed in the room's all.go.
var plugins = []string{"algorithms", "sensors"}

// unlisted plugins are not algorithms themselves: executable runs the program or
// command that a config names, kernel the kernels of a .cu file.
var unlisted = []string{"algorithms/executable", "algorithms/kernel"}

var vagueNames = []string{"utils", "util", "helpers", "helper", "common", "misc", "shared", "base"}

// room returns the entry of rooms for the package in a folder.
func room(folder string) (name string, allowed []string) {
	if list, ok := rooms[folder+"/."]; ok {
		return folder, list
	}
	for f := folder; f != "."; f = path.Dir(f) {
		if list, ok := rooms[f]; ok {
			return f, list
		}
	}
	return "", nil
}

// mayImport reports whether the package in folder may import the one in
// target.
func mayImport(folder, target string) bool {
	_, allowed := room(folder)
	for _, a := range allowed {
		one, single := strings.CutSuffix(a, "/.")
		if a == "." || target == one || !single && strings.HasPrefix(target, a+"/") {
			return true
		}
	}
	for _, p := range plugins { // a plugin is one folder with all below it
		if name, ok := strings.CutPrefix(folder, p+"/"); ok {
			plugin, _, _ := strings.Cut(name, "/")
			if target == p+"/"+plugin || strings.HasPrefix(target, p+"/"+plugin+"/") {
				return true
			}
		}
	}
	return false
}

// isAbove reports whether the package in folder may import something of the room of another.
func isAbove(folder, other string) bool {
	_, allowed := room(folder)
	return slices.ContainsFunc(allowed, func(a string) bool { return a == other || strings.HasPrefix(a, other+"/") })
}

// violations lists what is out of place in a tree.
func violations(tree fs.FS) ([]string, error) {
	var found []string
	listed := map[string][]string{}   // by room: what its all.go imports
	packages := map[string][]string{} // by room: its folders with a package
	lines := map[string]int{}         // by folder: without tests
	foreign := map[string]string{}    // by folder: a source in C or C++
	inGo := map[string]bool{}         // by folder
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base, folder := path.Base(name), path.Dir(name)
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || base == "testdata") {
				return fs.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".cu", ".cuh", ".h", ".c", ".cpp", ".cc"}, path.Ext(base)) {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		n := bytes.Count(text, []byte("\n"))
		if n > maxLines {
			found = append(found, fmt.Sprintf("%s: %d lines, more than %d: split it", name, n, maxLines))
		}
		switch path.Ext(base) {
		case ".c", ".cc", ".cpp":
			foreign[folder] = name
		}
		if path.Ext(base) != ".go" {
			return nil
		}
		inGo[folder] = true
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		if slices.Contains(vagueNames, strings.TrimSuffix(file.Name.Name, "_test")) {
			found = append(found, fmt.Sprintf("%s: package %s: name what it provides", name, file.Name.Name))
		}
		test := strings.HasSuffix(base, "_test.go")
		if !test {
			lines[folder] += n
		}
		if parent := path.Dir(folder); !test && slices.Contains(plugins, parent) && file.Name.Name != "main" &&
			!slices.Contains(packages[parent], folder) {
			packages[parent] = append(packages[parent], folder)
		}
		for _, spec := range file.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			target, inside := strings.CutPrefix(target, module+"/")
			if !inside {
				continue
			}
			if base == "all.go" && slices.Contains(plugins, folder) {
				listed[folder] = append(listed[folder], target)
			}
			// Tests may use what stands in test/, and their own package; those outside of it what is above, to hold both to one another.
			above := test && strings.HasSuffix(file.Name.Name, "_test") && (mayImport(target, folder) || isAbove(target, folder))
			if mayImport(folder, target) || above || test && (target == folder || strings.HasPrefix(target, "test/")) {
				continue
			}
			found = append(found, fmt.Sprintf("%s: %s must not import %s", name, folder, target))
		}
		return nil
	})
	for folder, most := range mostLines {
		if n := lines[folder]; n > most {
			found = append(found, fmt.Sprintf("%s: %d lines, more than %d: move what is not its own to where it belongs", folder, n, most))
		}
	}
	for folder, name := range foreign {
		if inGo[folder] {
			found = append(found, name+": beside a package in Go, which go then refuses where cgo is on")
		}
	}
	for _, p := range plugins {
		for _, folder := range packages[p] {
			if !slices.Contains(listed[p], folder) && !slices.Contains(unlisted, folder) {
				found = append(found, fmt.Sprintf("%s: not listed in %s/all.go", folder, p))
			}
		}
	}
	slices.Sort(found)
	return found, err
}

func TestTree(t *testing.T) {
	found, err := violations(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range found {
		t.Error(v)
	}
}

func TestViolationsAreFound(t *testing.T) {
	source := func(name string, imports ...string) *fstest.MapFile {
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n", name)
		for _, i := range imports {
			fmt.Fprintf(&b, "import _ %q\n", i)
		}
		return &fstest.MapFile{Data: []byte(b.String())}
	}
	verbs := source("command").Data
	filled := func(lines int) *fstest.MapFile {
		return &fstest.MapFile{Data: append(slices.Clone(verbs), bytes.Repeat([]byte("\n"), lines-1)...)}
	}
	tree := fstest.MapFS{
		// In order.
		"framework/framework.go":       source("framework", "example.org/bench/gpu", "fmt"),
		"framework/engine/engine.go":   source("engine", "example.org/bench/framework", "example.org/bench/framework/plan", "example.org/bench/gpu/cuda/driver"),
		"framework/engine/x_test.go":   source("engine_test", "example.org/bench/framework/engine", "example.org/bench/test/faulty"),
		"gpu/cuda/driver/driver.go":    source("driver", "example.org/bench/gpu", "example.org/bench/internal/dynlib"),
		"algorithms/all.go":            source("algorithms", "example.org/bench/algorithms/fft", "example.org/bench/framework"),
		"algorithms/fft/fft.go":        source("fft", "example.org/bench/framework", "example.org/bench/algorithms/fft/oracle", "example.org/bench/gpu"),
		"algorithms/fft/oracle/dft.go": source("oracle"),
		"command/run.go":               source("command", "example.org/bench/framework/engine", "example.org/bench/algorithms/executable", "example.org/bench/plots"),
		"cmd/bench/main.go":            source("main", "example.org/bench/algorithms", "example.org/bench/sensors", "example.org/bench/command"),
		"lab/arm64/arm64_test.go":      source("arm64", "example.org/bench/command", "example.org/bench/algorithms/fft"),
		"algorithms/testdata/x.go":     source("utils", "example.org/bench/cmd/bench"),
		"command/manual/manual.go":     source("manual", "example.org/bench/internal/safefile"),
		"command/long_test.go":         filled(maxLines),
		// Out of place.
		"framework/values.go":        source("framework", "example.org/bench/gpu/cuda/driver", "example.org/bench/framework/plan"),
		"framework/engine/point.go":  source("engine", "example.org/bench/algorithms/fft", "example.org/bench/command"),
		"gpu/facts.go":               source("gpu", "example.org/bench/internal/dynlib"),
		"gpu/cuda/sim/sim.go":        source("sim", "example.org/bench/framework"),
		"algorithms/scan/scan.go":    source("scan", "example.org/bench/algorithms/fft", "example.org/bench/plots"),
		"sensors/nvml/nvml.go":       source("nvml", "example.org/bench/sensors/rapl", "example.org/bench/algorithms"),
		"framework/judge/judge.go":   source("judge", "example.org/bench/analysis/bound", "example.org/bench/tuning/search"),
		"tuning/search/search.go":    source("search", "example.org/bench/framework/engine", "example.org/bench/analysis/why"),
		"analysis/why/why.go":        source("why", "example.org/bench/analysis/bound", "example.org/bench/framework/engine", "example.org/bench/tuning"),
		"plots/time.go":              source("plots", "example.org/bench/framework/record", "example.org/bench/command"),
		"new/new.go":                 source("new", "example.org/bench/framework"),
		"internal/dynlib/utils/u.go": source("utils"),
		"algorithms/fft/long.cu":     {Data: bytes.Repeat([]byte("\n"), maxLines+1)},
		"algorithms/fft/clock.cpp":   {},
	}
	want := []string{
		"algorithms/fft/clock.cpp: beside a package in Go, which go then refuses where cgo is on",
		"algorithms/fft/long.cu: 401 lines, more than 400: split it",
		"algorithms/scan/scan.go: algorithms/scan must not import algorithms/fft",
		"algorithms/scan/scan.go: algorithms/scan must not import plots",
		"algorithms/scan: not listed in algorithms/all.go",
		"analysis/why/why.go: analysis/why must not import tuning",
		fmt.Sprintf("command: %d lines, more than %d: move what is not its own to where it belongs", 4+(mostLines["command"]/maxLines+1)*maxLines, mostLines["command"]),
		"framework/engine/point.go: framework/engine must not import algorithms/fft",
		"framework/engine/point.go: framework/engine must not import command",
		"framework/judge/judge.go: framework/judge must not import analysis/bound",
		"framework/judge/judge.go: framework/judge must not import tuning/search",
		"framework/values.go: framework must not import framework/plan",
		"framework/values.go: framework must not import gpu/cuda/driver",
		"gpu/cuda/sim/sim.go: gpu/cuda/sim must not import framework",
		"gpu/facts.go: gpu must not import internal/dynlib",
		"internal/dynlib/utils/u.go: package utils: name what it provides",
		"new/new.go: new must not import framework",
		"plots/time.go: plots must not import command",
		"sensors/nvml/nvml.go: sensors/nvml must not import algorithms",
		"sensors/nvml/nvml.go: sensors/nvml must not import sensors/rapl",
		"sensors/nvml: not listed in sensors/all.go",
		"tuning/search/search.go: tuning/search must not import analysis/why",
	}
	// A package is too long in files of which none is.
	for n := range mostLines["command"]/maxLines + 1 {
		tree[fmt.Sprintf("command/verb%d.go", n)] = filled(maxLines)
	}
	found, err := violations(tree)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(found, want) {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
	}
}
