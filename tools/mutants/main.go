// Mutants tells how well the tests of packages notice changed code. It runs
// gremlins on each package with the package's own tests, keeps what it found as a
// file a package, and writes a table of all. A package whose files have not
// changed since is not run again, so an interrupted run goes on where it was.
//
//	mutants [PACKAGE-FOLDER]...
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const (
	gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"
	folder   = "results/mutants"
	// coefficient times as long as the tests take unchanged, a mutant's tests have
	// timed out: far more than another program's load adds.
	coefficient = "20"
)

// rooms are where every package with tests is looked at.
var rooms = []string{"./framework/...", "./tuning/...", "./sensors/...", "./powermode/..."}

// found is what is kept of a package. Mutants that timed out count neither as
// killed nor as survivors: a loop without end cannot be told from a stalled machine.
type found struct {
	Package    string   `json:"package"`
	Hash       string   `json:"sha256"` // of its files
	Killed     int      `json:"killed"`
	TimedOut   int      `json:"timed_out"`
	NotCovered int      `json:"not_covered"`
	Seconds    float64  `json:"elapsed_s"`
	Survivors  []string `json:"survivors"`
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		list := append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}"}, rooms...)
		packages = strings.Fields(command(".", "go", list...))
	}
	root, err := os.Getwd()
	check(err)
	check(os.MkdirAll(folder, 0o777))
	tree := "" // a copy of what git holds: gremlins copies the folder that it runs in
	for _, dir := range packages {
		path := filepath.Clean(dir)
		if filepath.IsAbs(path) {
			path, err = filepath.Rel(root, path)
			check(err)
		}
		var kept found
		file := filepath.Join(folder, strings.ReplaceAll(path, "/", "-")+".json")
		hash := hashOf(path)
		if text, err := os.ReadFile(file); err == nil && json.Unmarshal(text, &kept) == nil && kept.Hash == hash {
			fmt.Printf("%s: as before\n", path)
			continue
		}
		if tree == "" {
			tree, err = os.MkdirTemp("", "mutants")
			check(err)
			defer os.RemoveAll(tree)
			command(root, "bash", "-c", "git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "+tree)
		}
		kept = run(tree, path)
		kept.Hash = hash
		text, err := json.MarshalIndent(kept, "", "  ")
		check(err)
		check(os.WriteFile(file, append(text, '\n'), 0o666))
		fmt.Printf("%s: %d of %d killed in %.0f s\n", path, kept.Killed, kept.Killed+len(kept.Survivors), kept.Seconds)
		for _, s := range kept.Survivors {
			fmt.Println("  survives:", s)
		}
	}
	table()
}

// run has gremlins change the package at path of tree.
func run(tree, path string) found {
	out := filepath.Join(tree, "gremlins.json")
	dir := shim()
	defer os.RemoveAll(dir)
	command(tree, "env", "PATH="+dir+":"+os.Getenv("PATH"), "go", "run", gremlins, "unleash", "--silent", "--workers", "2",
		"--timeout-coefficient", coefficient, "-o", out, "./"+path)
	text, err := os.ReadFile(out)
	check(err)
	var report struct {
		Seconds float64 `json:"elapsed_time"`
		Files   []struct {
			Name      string `json:"file_name"`
			Mutations []struct {
				Type, Status string
				Line, Column int
			}
		}
	}
	check(json.Unmarshal(text, &report))
	f := found{Package: path, Seconds: report.Seconds, Survivors: []string{}}
	for _, file := range report.Files {
		for _, m := range file.Mutations {
			switch m.Status {
			case "KILLED":
				f.Killed++
			case "TIMED OUT":
				f.TimedOut++
			case "NOT COVERED":
				f.NotCovered++
			case "LIVED":
				f.Survivors = append(f.Survivors, fmt.Sprintf("%s:%d:%d %s", file.Name, m.Line, m.Column, m.Type))
			}
		}
	}
	slices.Sort(f.Survivors)
	return f
}

// shim makes a folder with a go command that ends with 2, which gremlins takes for a
// mutant that does not compile; go test ends with 1, as it does when a test fails.
// Tests get no flag -cpu of gremlins: it passes name and value as one word, so that
// no test runs and every mutant counts as killed.
func shim() string {
	real, err := exec.LookPath("go")
	check(err)
	dir, err := os.MkdirTemp("", "mutants-go")
	check(err)
	script := fmt.Sprintf(`#!/bin/sh
[ "$1" = test ] || exec %[1]q "$@"
out=$(%[1]q "$@" 2>&1)
status=$?
echo "$out"
case $out in *"[build failed]"*) exit 2 ;; esac
exit $status
`, real)
	check(os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755))
	return dir
}

// table writes README.md of all packages that have a file.
func table() {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	check(err)
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Mutants\n\n`make mutants`: %s changes an operator or a condition at a time and runs the package's own tests.\n"+
		"%% is of the covered mutants that did not time out, which are counted beside (a limit of %s times the tests' time). What survives is named in the\n"+
		"files here. A package is run again when a file of it has changed.\n\n| package | covered | killed | %% | timed out | not covered | s |\n|---|---:|---:|---:|---:|---:|---:|\n",
		strings.TrimPrefix(gremlins, "github.com/go-gremlins/gremlins/cmd/"), coefficient)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		var f found
		check(json.Unmarshal(text, &f))
		covered := f.Killed + len(f.Survivors)
		fmt.Fprintf(&b, "| `%s` | %d | %d | %.0f | %d | %d | %.0f |\n",
			f.Package, covered, f.Killed, 100*float64(f.Killed)/float64(max(1, covered)), f.TimedOut, f.NotCovered, f.Seconds)
	}
	check(os.WriteFile(filepath.Join(folder, "README.md"), b.Bytes(), 0o666))
}

// hashOf is of the names and bytes of all files in a folder and below.
func hashOf(dir string) string {
	h := sha256.New()
	check(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(h, "%q %q\n", path, text)
		return err
	}))
	return hex.EncodeToString(h.Sum(nil))
}

// command runs a program in dir and returns what it prints.
func command(dir, program string, args ...string) string {
	c := exec.Command(program, args...)
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		log.Fatalf("%v: %v\n%s%s", c, err, out, &errs)
	}
	return string(out)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
