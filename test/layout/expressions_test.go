package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// badExpressions returns what lazy.Regexp is given in a tree that does not compile: it would panic when it is
// first needed.
func badExpressions(tree fs.FS) (found []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil || !strings.Contains(string(text), "lazy.Regexp(") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 1 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			given, literal := call.Args[0].(*ast.BasicLit)
			if !ok || !literal || f.Sel.Name != "Regexp" {
				return true
			}
			expression, err := strconv.Unquote(given.Value)
			if err == nil {
				_, err = regexp.Compile(expression)
			}
			if err != nil {
				found = append(found, files.Position(call.Pos()).String()+": "+err.Error())
			}
			return true
		})
		return nil
	})
	return found, err
}

func TestExpressionsCompile(t *testing.T) {
	found, err := badExpressions(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

func TestBadExpressionsAreFound(t *testing.T) {
	source := &fstest.MapFile{Data: []byte("package x\n\nvar a, b = lazy.Regexp(`a+`), lazy.Regexp(`(a`)\n")}
	found, err := badExpressions(fstest.MapFS{"x/x.go": source, ".cache/x.go": source})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || !strings.HasPrefix(found[0], "x/x.go:3:31: ") {
		t.Error(found)
	}
}
