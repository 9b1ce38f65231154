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
			if !ok || f.Sel.Name != "Regexp" {
				return true
			}
			expression, known := literal(call.Args[0])
			if !known {
				return true
			}
			if _, err := regexp.Compile(expression); err != nil {
				found = append(found, files.Position(call.Pos()).String()+": "+err.Error())
			}
			return true
		})
		return nil
	})
	return found, err
}

// literal returns a text that is written out, in one piece or several.
func literal(e ast.Expr) (text string, known bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		left, known := literal(e.X)
		right, also := literal(e.Y)
		return left + right, known && also
	}
	return "", false
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
	source := &fstest.MapFile{Data: []byte("package x\n\nvar a, b = lazy.Regexp(`a+`), lazy.Regexp(`(a`)\n\nvar c = lazy.Regexp(`a` +\n\t`)`)\n")}
	found, err := badExpressions(fstest.MapFS{"x/x.go": source, ".cache/x.go": source})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 2 || !strings.HasPrefix(found[0], "x/x.go:3:31: ") || !strings.HasPrefix(found[1], "x/x.go:5:9: ") {
		t.Error(found)
	}
}
