package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// kind is of a mutant.
type kind string

// The kinds are mistakes that are made by hand, too.
const (
	barrier kind = "dropped barrier"
	plus    kind = "index + 1"
	minus   kind = "index - 1"
	axes    kind = "swapped axes"
	bound   kind = "bound"
	initial kind = "missing initialisation"
	shrunk  kind = "shrunk shared array"
)

var kinds = []kind{barrier, plus, minus, axes, bound, initial, shrunk}

// mutant is one change of a file.
type mutant struct {
	File    string // its path in the repository
	Kind    kind
	At      int    // byte in the file
	Old     string // what stands there
	New     string // what replaces it
	Line    int
	Name    string // of the variable that is not initialised, or too short
	Right   []span // the lines that a report may name
	Where   span   // lines of which one must be compiled for the mutant to be one
	Dynamic bool   // the launch gives a word less of dynamic shared memory; the text stays
}

// id names a mutant in tables.
func (m mutant) id() string {
	return fmt.Sprintf("%s:%d:%d %s %s", m.File, m.Line, m.At, m.Kind, strings.Join(strings.Fields(m.New), " "))
}

// apply changes the text of the file.
func (m mutant) apply(text string) string {
	if m.Dynamic {
		return text
	}
	return text[:m.At] + m.New + text[m.At+len(m.Old):]
}

var (
	barriers   = regexp.MustCompile(`\b(?:__syncthreads|__syncwarp|bench_cluster_sync|sync)\s*\(\s*\)\s*;`)
	subscript  = regexp.MustCompile(`[\w)\]]\[`)
	axis       = regexp.MustCompile(`\b(threadIdx|blockIdx|blockDim|gridDim)\.([xyz])\b`)
	comparison = regexp.MustCompile(`[\w)\]] (<=|>=|<|>) [\w(\-]`)
	// A local variable or a store that gets a constant.
	constant    = `-?[0-9][\w.]*|true|false|INFINITY|T\(0\)|\{[\w., ]*\}|\w+\(0\)`
	declared    = regexp.MustCompile(`\b[A-Za-z_][\w:]*(?:<[^<>;]*>)?[\s*&]+(\w+)(\s*=\s*(?:` + constant + `))\s*[;,]`)
	stored      = regexp.MustCompile(`(\w+)(?:\[[^;=]*\])+\s*=\s*(?:` + constant + `|make_\w+\([^;]*\))\s*;`)
	sharedArray = regexp.MustCompile(`(extern\s+)?\b__shared__\b[^;]*?(\w+)((?:\[[^;\]]*\])+)\s*[;,]`)
	declaration = regexp.MustCompile(`^(?:extern\s+|const\s+|static\s+|constexpr\s+|unsigned\s+|__shared__\s+|__constant__\s+|__device__\s+|alignas\([^)]*\)\s*)*[A-Za-z_][\w:]*(?:<[^;]*>)?[\s*&]+\w+(?:\[[^;=(]*)?$`)
	assigned    = regexp.MustCompile(`(\w+)(?:\[[^\]]*\])?\s*[-+*/%&|^]?=[^=]`)
	template    = regexp.MustCompile(`\btemplate\s*$`)
)

// swapped are the axes in each other's place.
var swapped = map[string]string{"x": "y", "y": "x", "z": "x"}

// looser are the bounds by one more or less.
var looser = map[string]string{"<": "<=", "<=": "<", ">": ">=", ">=": ">"}

// mutantsOf are all mutants of a file.
func mutantsOf(file, text string) []mutant {
	c := code(text)
	var list []mutant
	add := func(k kind, from, to int, with, name string, right ...span) {
		a, b := statement(c, from)
		where := spanOf(c, a, min(b, len(c)-1))
		m := mutant{File: file, Kind: k, At: from, Old: text[from:to], New: with, Line: lineOf(text, from), Name: name, Where: where, Right: right}
		if len(right) == 0 {
			m.Right = append([]span{where}, users(c, a, from)...)
		}
		list = append(list, m)
	}
	for _, m := range barriers.FindAllStringIndex(c, -1) {
		if a, _ := statement(c, m[0]); !strings.HasSuffix(strings.TrimSpace(c[a:m[0]]), "void") {
			add(barrier, m[0], m[1], ";", "", function(c, m[0]))
		}
	}
	for _, m := range subscript.FindAllStringIndex(c, -1) {
		open := m[1] - 1
		end := closing(c, open)
		from, _ := statement(c, open)
		inside := ""
		if end >= 0 {
			inside = strings.TrimSpace(c[open+1 : end])
		}
		if inside == "" || declaration.MatchString(strings.TrimSpace(c[from:open])) || strings.Contains(c[from:open], "__shared__") {
			continue
		}
		add(plus, open+1, end, "("+text[open+1:end]+") + 1", "")
		add(minus, open+1, end, "("+text[open+1:end]+") - 1", "")
		if end+1 < len(c) && c[end+1] == '[' {
			if last := closing(c, end+1); last > 0 && c[open+1:end] != c[end+2:last] {
				add(axes, open+1, last, text[end+2:last]+"]["+text[open+1:end], "")
			}
		}
	}
	for _, m := range axis.FindAllStringSubmatchIndex(c, -1) {
		add(axes, m[4], m[5], swapped[c[m[4]:m[5]]], "")
	}
	for _, m := range comparison.FindAllStringSubmatchIndex(c, -1) {
		if !template.MatchString(c[:m[2]]) {
			add(bound, m[2], m[3], looser[c[m[2]:m[3]]], "", governed(c, m[2]))
		}
	}
	for _, m := range declared.FindAllStringSubmatchIndex(c, -1) {
		if a, _ := statement(c, m[0]); !strings.Contains(c[a:m[2]], "const") && !strings.Contains(c[a:m[2]], "enum") && !strings.HasPrefix(c[m[0]:], "return") {
			name := c[m[2]:m[3]]
			add(initial, m[4], m[5], "", name, mentions(c, function(c, m[0]), name)...)
		}
	}
	for _, m := range stored.FindAllStringSubmatchIndex(c, -1) {
		from, _ := statement(c, m[0])
		if !declaration.MatchString(strings.TrimSpace(c[from:m[3]])) {
			name := c[m[2]:m[3]]
			add(initial, m[0], m[1], ";", name, mentions(c, function(c, m[0]), name)...)
		}
	}
	for _, m := range sharedArray.FindAllStringSubmatchIndex(c, -1) {
		name := c[m[4]:m[5]]
		body := function(c, m[0])
		right := mentions(c, body, name)
		if m[2] >= 0 {
			add(shrunk, m[0], m[1], "", name, right...)
			list[len(list)-1].Dynamic = true
		} else {
			end := closing(c, m[6])
			add(shrunk, m[6]+1, end, "("+text[m[6]+1:end]+") - 1", name, right...)
		}
		list[len(list)-1].Where = body
	}
	slices.SortStableFunc(list, func(a, b mutant) int { return a.At - b.At })
	return list
}

// users are the lines that use the variable that a statement, from a on, computes with
// what is at: where an index is wrong, what is reported is the access.
func users(text string, a, at int) []span {
	all := assigned.FindAllStringSubmatch(text[a:at], -1)
	if len(all) == 0 {
		return nil
	}
	return mentions(text, function(text, at), all[len(all)-1][1])
}

// mentions are the lines of a part of the text that have the name.
func mentions(text string, in span, name string) (list []span) {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	for i, line := range strings.Split(text, "\n") {
		if in.holds(i+1) && word.MatchString(line) {
			list = append(list, span{i + 1, i + 1})
		}
	}
	return list
}
