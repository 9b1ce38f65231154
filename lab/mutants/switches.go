//go:build linux

package main

import (
	"cmp"
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// helpers are the functions that a switchable operator calls.
//
//go:embed helpers.go.txt
var helpers string

// source is a package's code with the nodes that mutants change.
type source struct {
	dir   string
	pkg   *packages.Package
	text  map[string][]byte // by file name
	nodes map[place]ast.Node
}

// load reads the package at dir.
func load(dir string) *source {
	loaded, err := packages.Load(&packages.Config{Dir: dir, Mode: packages.LoadSyntax}, ".")
	check(err)
	s := &source{dir: dir, pkg: loaded[0], text: map[string][]byte{}, nodes: map[place]ast.Node{}}
	for i, syntax := range s.pkg.Syntax {
		name := filepath.Base(s.pkg.CompiledGoFiles[i])
		text, err := os.ReadFile(filepath.Join(dir, name))
		check(err)
		s.text[name] = text
		ast.Inspect(syntax, func(n ast.Node) bool {
			var pos token.Pos
			switch n := n.(type) {
			case *ast.BinaryExpr:
				pos = n.OpPos
			case *ast.UnaryExpr:
				pos = n.OpPos
			case *ast.IncDecStmt:
				pos = n.TokPos
			default:
				return true
			}
			p := s.pkg.Fset.Position(pos)
			s.nodes[place{name, p.Line, p.Column}] = n
			return true
		})
	}
	return s
}

// edit replaces the bytes from from to to of a file. Of edits at one place the one
// with the least rank stands first.
type edit struct {
	from, to int
	rank     int
	text     string
}

// Nested expressions insert at one place: what closes the innermost stands first,
// then what opens the outermost, then what replaces an operator.
func opening(from, size int, text string) edit { return edit{from, from, 1<<30 - size, text} }
func closing(to, size int, text string) edit   { return edit{to, to, size, text} }
func replacing(from, size int, text string) edit {
	return edit{from, from + size, 1 << 30, text}
}

// write writes the package's files so that the mutants can be switched on, each by
// its index, and the helpers that do it. The places of apart are left out; one
// where no helper can stand is added to them.
func (s *source) write(mutants []mutant, apart map[place]bool) {
	at := map[place]map[string]int{} // the indices of a place's mutants by what they put there
	for i, m := range mutants {
		if n := s.nodes[m.place]; n != nil && !apart[m.place] {
			if at[m.place] == nil {
				at[m.place] = map[string]int{}
			}
			op, _ := operator(n)
			at[m.place][mutations[m.kind][op]] = i
		}
	}
	edits := map[string][]edit{}
	for where, indices := range at {
		made := s.switched(where.file, s.nodes[where], indices)
		if made == nil {
			apart[where] = true
		}
		edits[where.file] = append(edits[where.file], made...)
	}
	for name, text := range s.text {
		check(os.WriteFile(filepath.Join(s.dir, name), apply(text, edits[name]), 0o666))
	}
	code := strings.Replace(helpers, "package helpers", "package "+s.pkg.Name, 1)
	check(os.WriteFile(filepath.Join(s.dir, "mutant_helpers.go"), []byte(code), 0o666))
}

// restore writes the files as they were.
func (s *source) restore() {
	for name, text := range s.text {
		check(os.WriteFile(filepath.Join(s.dir, name), text, 0o666))
	}
	check(os.RemoveAll(filepath.Join(s.dir, "mutant_helpers.go")))
}

// with writes the file of m with m's operator changed; restore undoes it.
func (s *source) with(m mutant) {
	op, pos := operator(s.nodes[m.place])
	text := apply(s.text[m.file], []edit{replacing(s.offset(pos), len(op), mutations[m.kind][op])})
	check(os.WriteFile(filepath.Join(s.dir, m.file), text, 0o666))
}

func operator(n ast.Node) (string, token.Pos) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.Op.String(), n.OpPos
	case *ast.UnaryExpr:
		return n.Op.String(), n.OpPos
	case *ast.IncDecStmt:
		return n.Tok.String(), n.TokPos
	}
	panic("no operator")
}

func (s *source) offset(pos token.Pos) int { return s.pkg.Fset.Position(pos).Offset }

// called names the helper of an operator.
var called = map[string]string{"+": "Add", "-": "Sub", "*": "Mul", "/": "Quo", "%": "Rem", "<": "Lss", "<=": "Leq", ">": "Gtr", ">=": "Geq"}

// switched are the edits that make the operator of n call a helper with the indices
// of the mutants there, or none where a helper cannot stand.
func (s *source) switched(file string, n ast.Node, indices map[string]int) []edit {
	id := func(change string) int {
		if i, ok := indices[change]; ok {
			return i
		}
		return -1
	}
	op, pos := operator(n)
	at, from, to := s.offset(pos), s.offset(n.Pos()), s.offset(n.End())
	size := to - from
	switch n := n.(type) {
	case *ast.IncDecStmt:
		x := string(s.text[file][s.offset(n.X.Pos()):s.offset(n.X.End())])
		if strings.Contains(x, "(") { // a call is not made twice
			return nil
		}
		return []edit{replacing(at, 2, fmt.Sprintf(" %s= mutantStep(%d, %s)", op[:1], id(mutations["INCREMENT_DECREMENT"][op]), x))}
	case *ast.UnaryExpr:
		if op != "-" {
			return nil
		}
		return []edit{replacing(at, 1, fmt.Sprintf("mutantNeg%s(%d, ", s.typeOf(n), id("+"))), closing(to, size, ")")}
	case *ast.BinaryExpr:
		switch {
		case op == "==" || op == "!=":
			return []edit{opening(from, size, "(("), closing(to, size, fmt.Sprintf(") != mutantOn(%d))", id(mutations["CONDITIONALS_NEGATION"][op])))}
		case mutations["CONDITIONALS_BOUNDARY"][op] != "":
			call := fmt.Sprintf("mutant%s%s(%d, %d, ", called[op], s.typeOf(n.X), id(mutations["CONDITIONALS_BOUNDARY"][op]), id(mutations["CONDITIONALS_NEGATION"][op]))
			return []edit{opening(from, size, call), replacing(at, len(op), ","), closing(to, size, ")")}
		case mutations["ARITHMETIC_BASE"][op] != "":
			if s.joins(n) {
				return nil
			}
			call := fmt.Sprintf("mutant%s%s(%d, ", called[op], s.typeOf(n), id(mutations["ARITHMETIC_BASE"][op]))
			return []edit{opening(from, size, call), replacing(at, 1, ","), closing(to, size, ")")}
		}
	}
	return nil
}

// joins reports whether an operator joins strings.
func (s *source) joins(n ast.Node) bool {
	e, ok := n.(*ast.BinaryExpr)
	if !ok || e.Op != token.ADD {
		return false
	}
	b, ok := s.pkg.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// typeOf is the type argument of a helper where the type has a name everywhere;
// elsewhere the compiler infers it.
func (s *source) typeOf(e ast.Expr) string {
	if b, ok := s.pkg.TypesInfo.TypeOf(e).(*types.Basic); ok && b.Info()&types.IsUntyped == 0 {
		return "[" + b.Name() + "]"
	}
	return ""
}

// apply makes the edits.
func apply(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Or(a.from-b.from, a.rank-b.rank) })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(out, text[done:e.from]...)
		out = append(out, e.text...)
		done = e.to
	}
	return append(out, text[done:]...)
}
