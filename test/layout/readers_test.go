package layout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// unbounded are functions that take as much memory as what they read asks for. What others
// wrote is read by internal/bounded.
var unbounded = map[string]bool{"os.ReadFile": true, "io.ReadAll": true, "json.NewDecoder": true, "gzip.NewReader": true, "csv.NewReader": true}

// unboundedMethods are of exec.Cmd.
var unboundedMethods = []string{"CombinedOutput", "Output"}

// ownReaders may use them: what they read is of the kernel, of this program or bounded there.
var ownReaders = map[string]string{
	"internal/bounded":                "the bounds",
	"internal/textfile/table.go":      "rows of internal/bounded",
	"gpu/cuda":                        "the driver's files, this program's caches and compilers",
	"internal/dynlib/distribution.go": "/etc/os-release",
	"gpu/opencl/opencltest":           "a compiler of tests",
	"internal/diskcache":              "this program's caches",
	"internal/linux":                  "/proc and /sys",
	"internal/trust/trust.go":         "/proc",
	"internal/trust/seal.go":          "behind a LimitReader",
	"algorithms/executable/report.go": "one line of a program",
	"framework/config/load.go":        "behind a LimitReader: Parse refuses what is more",
	"framework/measure/rate_force.go": "/proc",
	"framework/perf":                  "/proc and /sys",
	"framework/algorithmtest":         "/proc, and tests of algorithms",
	"framework/record/program.go":     "a sum beside the program",
	"framework/history/add.go":        "git describe",
	"algorithms/kernel/ckept.go":      "this program's cache, and the preprocessor's text of a source of at most 16 MiB",
	"algorithms/kernel/source.go":     "behind a look at the file's size",
	"algorithms/scan/cub_build.go":    "nvcc --version",
	"sensors/ina3221":                 "/sys",
	"framework/powermode/note.go":     "behind a LimitReader",
	"command/inspect/bundle.go":       "behind a LimitReader",
	"command/serve":                   "lines of a bounded length, and what this program prints",
	"command/scaffold/scaffold.go":    "the list that it writes",
	"report/write.go":                 "what is embedded in the program",
	"command/fleet/board.go":          "a pipe from this program",
	"command/fleet/program.go":        "an archive of this program, read as a stream",
	"tuning/exchange/json.go":         "of a text that was read with a bound",
}

// unboundedReads lists calls of such functions where foreign files may be read.
func unboundedReads(tree fs.FS) (found []string, err error) {
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		base := path.Base(name)
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(base, ".") || base == "testdata" || name == "test" || name == "lab" || name == "tools") {
				return fs.SkipDir
			}
			return nil
		}
		if path.Ext(base) != ".go" || strings.HasSuffix(base, "_test.go") {
			return nil
		}
		for f := name; f != "."; f = path.Dir(f) {
			if ownReaders[f] != "" {
				return nil
			}
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			what := ""
			if of, ok := f.X.(*ast.Ident); ok && unbounded[of.Name+"."+f.Sel.Name] {
				what = of.Name + "." + f.Sel.Name
			} else if len(call.Args) == 0 && slices.Contains(unboundedMethods, f.Sel.Name) {
				what = f.Sel.Name
			}
			if what != "" {
				found = append(found, fmt.Sprintf("%v: %s takes what memory it is given to read: use internal/bounded", files.Position(call.Pos()), what))
			}
			return true
		})
		return nil
	})
	return found, err
}

func TestForeignFilesAreReadWithBounds(t *testing.T) {
	found, err := unboundedReads(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
	for name := range ownReaders {
		if _, err := os.Stat(path.Join("../..", name)); err != nil {
			t.Error(err)
		}
	}
}

func TestUnboundedReadsAreFound(t *testing.T) {
	source := &fstest.MapFile{Data: []byte("package x\n\nfunc f() {\n\tos.ReadFile(\"a\")\n\tcsv.NewReader(in).ReadAll()\n\texec.Command(\"b\").Output()\n\tbounded.ReadFile(\"c\", 1)\n}\n")}
	found, err := unboundedReads(fstest.MapFS{"report/x.go": source, "report/x_test.go": source, "internal/bounded/x.go": source, "test/x.go": source})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 3 || !strings.HasPrefix(found[0], "report/x.go:4:2: os.ReadFile") || !strings.Contains(found[1], "csv.NewReader") || !strings.Contains(found[2], ": Output") {
		t.Error(found)
	}
}
