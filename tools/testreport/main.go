// Testreport reads `go test -json` and prints a line as each package ends. For a failed package it adds
// the output without that of passed tests; for others the skipped tests with their reasons. At the end it
// lists the failures again. Where CI is set, a skipped test is a failure, because CI has what the tests
// need.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// event is a line of `go test -json` (go doc test2json). The events of a package itself have no Test.
// Builds name their package in ImportPath.
type event struct {
	Action, Package, ImportPath, Test, Output string
	FailedBuild                               string
	Elapsed                                   float64
}

// state is what is kept of a package until it ends.
type state struct {
	output  map[string][]string // by test; "" stands for the package itself
	order   []string            // of tests
	skipped []string
}

type report struct {
	to       io.Writer
	packages map[string]*state
	builds   map[string][]string // what the compiler said
	failed   []string
	ended    int
	skipped  int
}

func main() {
	r := &report{to: os.Stdout, packages: map[string]*state{}, builds: map[string][]string{}}
	if err := r.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testreport:", err)
		os.Exit(1)
	}
	if !r.end(os.Getenv("CI") != "") {
		os.Exit(1)
	}
}

func (r *report) read(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(r.to, lines.Text()) // go's own words
			continue
		}
		r.take(e)
	}
	return lines.Err()
}

func (r *report) take(e event) {
	if e.Action == "build-output" {
		r.builds[e.ImportPath] = append(r.builds[e.ImportPath], e.Output)
	}
	if e.Package == "" {
		return
	}
	p := r.packages[e.Package]
	if p == nil {
		p = &state{output: map[string][]string{}}
		r.packages[e.Package] = p
	}
	switch {
	case e.Action == "output":
		if _, known := p.output[e.Test]; !known {
			p.order = append(p.order, e.Test)
		}
		if !strings.HasPrefix(e.Output, "=== ") {
			p.output[e.Test] = append(p.output[e.Test], e.Output)
		}
	case e.Test != "" && e.Action == "pass":
		delete(p.output, e.Test)
	case e.Test != "" && e.Action == "skip":
		p.skipped = append(p.skipped, p.output[e.Test]...)
		r.skipped++
		delete(p.output, e.Test)
	case e.Test == "" && slices.Contains([]string{"pass", "fail", "skip"}, e.Action):
		r.ended++
		r.print(e, p)
		delete(r.packages, e.Package)
	}
}

// print prints how a package ended.
func (r *report) print(e event, p *state) {
	switch e.Action {
	case "fail":
		for _, text := range r.builds[e.FailedBuild] {
			fmt.Fprint(r.to, text)
		}
		for _, test := range p.order {
			for _, text := range p.output[test] {
				if text != "FAIL\n" && text != "PASS\n" {
					fmt.Fprint(r.to, text)
				}
			}
			if lines := p.output[test]; test != "" && slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, "--- FAIL: ") }) {
				r.failed = append(r.failed, e.Package+" "+test)
			}
		}
		if !slices.ContainsFunc(r.failed, func(s string) bool { return strings.HasPrefix(s, e.Package+" ") }) {
			r.failed = append(r.failed, e.Package)
		}
		if len(p.output[""]) == 0 {
			fmt.Fprintf(r.to, "FAIL\t%s\n", e.Package)
		}
	default:
		for _, text := range p.skipped {
			fmt.Fprint(r.to, text)
		}
		for _, text := range p.output[""] { // go's own line, and the package if it was skipped
			if strings.HasPrefix(text, "ok  ") {
				fmt.Fprint(r.to, text)
			}
		}
	}
}

// end prints the summary and reports whether all is well. Packages that never ended are failures, because
// go test was killed.
func (r *report) end(ci bool) bool {
	for name := range r.packages {
		r.failed = append(r.failed, name+" did not end")
	}
	slices.Sort(r.failed)
	for _, name := range r.failed {
		fmt.Fprintln(r.to, "FAIL:", name)
	}
	if r.ended+len(r.failed) == 0 {
		fmt.Fprintln(r.to, "FAIL: no package was tested")
	}
	if ci && r.skipped > 0 {
		fmt.Fprintf(r.to, "FAIL: %d skipped in CI, which has what they need\n", r.skipped)
		return false
	}
	return len(r.failed) == 0 && r.ended > 0
}
