//go:build linux

// Mutants tells how well the tests of packages notice changed code. Gremlins names
// the mutants of a package and those that its own tests reach. Instead of compiling
// each, all are compiled into one test program, where a variable of the environment
// switches one of them on, and only the tests that reach it are run. What is found is
// kept as a file a package, and a table of all is written. A package whose files have
// not changed since is not run again, so an interrupted run continues where it stopped.
//
//	mutants [-most N] [PACKAGE-FOLDER]...
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
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const folder = "results/mutants"

// rooms are where every package with tests is looked at.
var rooms = []string{"./framework/...", "./tuning/...", "./analysis/...", "./sensors/..."}

// found is what is kept of a package. Mutants that timed out count neither as
// killed nor as survivors: an endless loop cannot be distinguished from a stalled
// machine.
type found struct {
	Package    string `json:"package"`
	Hash       string `json:"sha256"` // of its files
	Killed     int    `json:"killed"`
	TimedOut   int    `json:"timed_out"`
	NotCovered int    `json:"not_covered"`
	// DrawnOf is how many mutants are covered where only a share of them was tried.
	DrawnOf   int      `json:"drawn_of,omitempty"`
	Seconds   float64  `json:"elapsed_s"`
	Survivors []string `json:"survivors"`
	// Unasked are tests that take too long to be run for every mutant; they may kill
	// survivors.
	Unasked []string `json:"unasked,omitempty"`
}

func main() {
	log.SetFlags(0)
	most := flag.Int("most", 500, "of a package with more covered mutants, try `N` that its files' hash draws")
	flag.Parse()
	packages := flag.Args()
	if len(packages) == 0 {
		list := append([]string{"list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}"}, rooms...)
		packages = strings.Fields(command(".", "go", list...))
	}
	root, err := os.Getwd()
	check(err)
	check(os.MkdirAll(folder, 0o777))
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
		kept = examine(path, hash, *most)
		text, err := json.MarshalIndent(kept, "", "  ")
		check(err)
		check(os.WriteFile(file, append(text, '\n'), 0o666))
		fmt.Printf("%s: %d of %d killed in %.0f s\n", path, kept.Killed, kept.Killed+len(kept.Survivors), kept.Seconds)
	}
	table()
}

// examine tries the mutants of the package at path, at most so many.
func examine(path, hash string, most int) found {
	begin := time.Now()
	tree, err := os.MkdirTemp("", "mutants")
	check(err)
	defer os.RemoveAll(tree)
	// A copy of what git holds, of tests those of the package alone.
	command(".", "bash", "-c", `git ls-files -z --cached --others --exclude-standard |
		grep -zvP '^(?!\Q'"$1"'\E/[^/]*$).*_test\.go$' | xargs -0 cp --parents -t "$0"`, tree, path)
	var covered []mutant
	f := found{Package: path, Hash: hash, Survivors: []string{}}
	for _, m := range choose(tree, path) {
		if m.covered {
			covered = append(covered, m)
		} else {
			f.NotCovered++
		}
	}
	if len(covered) > most {
		f.DrawnOf = len(covered)
		covered = draw(covered, hash, most)
	}
	results, unasked := judge(filepath.Join(tree, path), covered, func(done, of int, m mutant, o outcome) {
		if o == survives {
			fmt.Printf("  %d of %d: survives: %v\n", done, of, m)
		}
	})
	f.Unasked = unasked
	for i, result := range results {
		switch result {
		case killed:
			f.Killed++
		case timedOut:
			f.TimedOut++
		case survives:
			f.Survivors = append(f.Survivors, covered[i].String())
		}
	}
	slices.Sort(f.Survivors)
	f.Seconds = math.Round(time.Since(begin).Seconds())
	return f
}

// draw chooses n of the mutants. Each state of the package's files has a sample of its
// own, so tests written for the survivors of one are judged by another.
func draw(mutants []mutant, hash string, n int) []mutant {
	drawn := slices.Clone(mutants)
	rand.New(rand.NewChaCha8(sha256.Sum256([]byte(hash)))).Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	return drawn[:n]
}

// table writes README.md of all packages that have a file.
func table() {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	check(err)
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Mutants\n\n`make mutants`: %s names the changes of an operator or a condition that the package's own tests reach.\n"+
		"All are compiled into one test program, and the tests that reach a change are run with it switched on (lab/mutants).\n"+
		"%% is of the covered mutants that did not time out, which are counted separately (a limit of %d times the tests' processor time). Survivors are named in the\n"+
		"files here. Tests of more than %d s of processor time are not run, and are named there too. A package is run again when a file of it has changed.\n"+
		"Of a package with many, a share is tried that the hash of its files draws; \"drawn of\" is then how many there are.\n\n"+
		"| package | covered | drawn of | killed | %% | timed out | not covered | s |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
		strings.TrimPrefix(gremlins, "github.com/go-gremlins/gremlins/cmd/"), coefficient, patience)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		var f found
		check(json.Unmarshal(text, &f))
		covered := f.Killed + len(f.Survivors)
		of, share := "", "–"
		if f.DrawnOf > 0 {
			of = strconv.Itoa(f.DrawnOf)
		}
		if covered > 0 {
			share = fmt.Sprintf("%.0f", 100*float64(f.Killed)/float64(covered))
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s | %d | %s | %d | %d | %.0f |\n", f.Package, covered, of, f.Killed, share, f.TimedOut, f.NotCovered, f.Seconds)
	}
	check(os.WriteFile(filepath.Join(folder, "README.md"), b.Bytes(), 0o666))
}

// hashOf is of the names and bytes of all files in a package's folder and its
// testdata; folders below are packages of their own.
func hashOf(dir string) string {
	h := sha256.New()
	testdata := filepath.Join(dir, "testdata")
	check(filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != dir && path != testdata && !strings.HasPrefix(path, testdata+"/"):
			return fs.SkipDir
		case entry.IsDir():
			return nil
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
