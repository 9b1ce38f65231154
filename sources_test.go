package bench

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// apart are packages that measuring imports and that decide no figure: which
// points there are is kept in a journal's header, and how results are kept is the
// format's.
var apart = []string{"configs", "framework/plan", "framework/record", "internal/safefile", "internal/trust"}

// imports are the module's packages that the package in a folder imports.
func imports(t *testing.T, folder string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path.Join(folder, e.Name()), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range f.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if inside, ok := strings.CutPrefix(target, "example.org/bench/"); ok && !slices.Contains(list, inside) {
				list = append(list, inside)
			}
		}
	}
	return list
}

// Every file of every package that a worker measures with is among the sources.
func TestSourcesAreWhole(t *testing.T) {
	folders := []string{"algorithms", "sensors", "framework/engine"}
	for i := 0; i < len(folders); i++ {
		for _, next := range imports(t, folders[i]) {
			if !slices.Contains(folders, next) && !slices.Contains(apart, next) {
				folders = append(folders, next)
			}
		}
	}
	files := 0
	for _, folder := range folders {
		err := fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir():
				own, err := fs.Glob(os.DirFS(folder), path.Join(name, "*.go"))
				if name != "." && (len(own) > 0 || entry.Name() == "testdata" || entry.Name() == "example" || folder == "framework") {
					return fs.SkipDir // another package, or no part of one
				}
				return err
			case strings.HasSuffix(name, "_test.go"), strings.HasSuffix(name, ".md"), strings.HasPrefix(entry.Name(), "."):
			default:
				files++
				if _, err := fs.Stat(Sources, path.Join(folder, name)); err != nil {
					t.Errorf("%s/%s is not among the sources: extend the patterns in sources.go", folder, name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(folders) < 20 || files < 200 {
		t.Errorf("only %d packages and %d files were found: %v", len(folders), files, folders)
	}
}
