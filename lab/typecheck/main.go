// Typecheck reads the packages of the module where it is started and all that they import for other systems and
// says what does not fit together there. Unlike go vet and go build it compiles nothing: a
// system takes seconds, not minutes. Tests are left out: they are Linux's.
//
//	lab/run typecheck darwin/arm64 windows/amd64
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	failed := len(os.Args) < 2
	if failed {
		fmt.Fprintln(os.Stderr, "usage: typecheck GOOS/GOARCH...")
	}
	for _, target := range os.Args[1:] {
		faults, err := check(target, ".", "./...")
		if err != nil {
			faults = append(faults, err.Error())
		}
		for _, f := range faults {
			fmt.Fprintf(os.Stderr, "%s: %s\n", target, f)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check type-checks the packages that patterns name in dir for a target, GOOS/GOARCH, and
// returns what it found.
func check(target, dir string, patterns ...string) (faults []string, err error) {
	system, machine, ok := strings.Cut(target, "/")
	if !ok {
		return nil, fmt.Errorf("want GOOS/GOARCH")
	}
	list, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir: dir,
		Env: append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0"),
	}, patterns...)
	if err != nil {
		return nil, err
	}
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			faults = append(faults, e.Error())
		}
	})
	return faults, nil
}
