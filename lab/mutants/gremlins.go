//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// place is where a mutant changes the code.
type place struct {
	file         string // in the package's folder
	line, column int    // of the operator
}

// mutant is a changed operator; two kinds can make the same change.
type mutant struct {
	place
	kind    string // as gremlins names it
	covered bool   // by the package's own tests
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d:%d %s", m.file, m.line, m.column, m.kind)
}

// mutations are what the kinds that gremlins makes by default put in an operator's
// place: internal/engine/mappings.go of its source.
var mutations = map[string]map[string]string{
	"ARITHMETIC_BASE":       {"+": "-", "-": "+", "*": "/", "/": "*", "%": "*"},
	"CONDITIONALS_BOUNDARY": {">=": ">", ">": ">=", "<=": "<", "<": "<="},
	"CONDITIONALS_NEGATION": {"==": "!=", "!=": "==", ">=": "<", ">": "<=", "<=": ">", "<": ">="},
	"INCREMENT_DECREMENT":   {"++": "--", "--": "++"},
	"INVERT_NEGATIVES":      {"-": "+"},
}

// choose has gremlins name the mutants of the package at path of tree and tell
// which of them the package's tests reach.
func choose(tree, path string) []mutant {
	out := filepath.Join(tree, "gremlins.json")
	command(tree, "go", "run", gremlins, "unleash", "--silent", "--dry-run", "--workers", "1", "-o", out, "./"+path)
	text, err := os.ReadFile(out)
	check(err)
	var report struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []struct {
				Type, Status string
				Line, Column int
			}
		}
	}
	check(json.Unmarshal(text, &report))
	var mutants []mutant
	for _, file := range report.Files {
		if strings.Contains(file.Name, "/") { // of a package below
			continue
		}
		for _, m := range file.Mutations {
			mutants = append(mutants, mutant{place{file.Name, m.Line, m.Column}, m.Type, m.Status == "RUNNABLE"})
		}
	}
	return mutants
}
