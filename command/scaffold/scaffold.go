// Package scaffold writes the examples that a user starts from: kernels, C functions, a program, and a Go
// algorithm in bench's own tree. Each example runs as it is and is verified.
package scaffold

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"example.org/bench/configs"
)

//go:embed example
var examples embed.FS

// Go is the name of the template that WriteGo writes.
const Go = "go"

// Template is an example.
type Template struct{ Name, Doc string }

// Templates returns all examples; the first is the default.
func Templates() []Template {
	return []Template{
		{"kernel", "z = a·x + y: a kernel, with a C function as a version for the CPU"},
		{"transpose", "a matrix is transposed directly, and through tiles in shared memory"},
		{"reduction", "a sum by a tree, by shuffles and by atomic additions; two launches with scratch"},
		{"stencil", "five points, read directly, and through tiles with a halo"},
		{"foreign", "a kernel as other projects have it: a template in a namespace, a header, a filter in constant memory"},
		{"ptx", "a kernel that was compiled before, to PTX, as Triton and other compilers leave it"},
		{"opencl", "a transpose in OpenCL C, directly and through tiles in local memory"},
		{"c", "a product of matrix and vector: C functions on the CPU alone"},
		{"program", "a program in C that reports its own time"},
		{Go, "an algorithm in Go, in bench's own tree: algorithms/NAME with its test, its line in algorithms/all.go, configs/NAME.json"},
	}
}

// Names returns the names of the templates.
func Names() (names []string) {
	for _, t := range Templates() {
		names = append(names, t.Name)
	}
	return names
}

// List returns a line for each template.
func List() string {
	var b strings.Builder
	for _, t := range Templates() {
		fmt.Fprintf(&b, "  %-10s %s\n", t.Name, t.Doc)
	}
	return b.String()
}

// Next returns the commands that try what a template wrote, one on each line, after an empty line.
func Next(template, name string, files []string) string {
	if template == Go {
		return fmt.Sprintf("\ngo test ./algorithms ./algorithms/%[1]s\ngo build -o bench ./cmd/bench\n./bench verify %[1]s --device sim\n./bench run configs/%[1]s.json\n", name)
	}
	path := filepath.Join(name, name+".json")
	verify := "bench verify " + path
	if slices.Contains(files, filepath.Join(name, name+".cu")) {
		verify += " --device sim"
	}
	return fmt.Sprintf("\nbench validate %[1]s\n%[2]s\nbench run %[1]s\n", path, verify)
}

// NameError says why another name or another working folder is needed. Nothing was written.
type NameError struct{ Reason error }

func (e *NameError) Error() string { return e.Reason.Error() }

func (e *NameError) Unwrap() error { return e.Reason }

func refuse(format string, args ...any) error { return &NameError{fmt.Errorf(format, args...)} }

var (
	folderName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`) })
	packageName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*$`) })
)

// schemaFile is the file that the examples' "$schema" names. No example's NAME.json has this name.
const schemaFile = "config.schema.json"

// Write writes a template other than Go to the folder name in the working folder, with the schema of
// configs. It returns the files written so far, even with an error.
func Write(template, name string) (files []string, err error) {
	if !folderName().MatchString(name) {
		return nil, refuse("%q cannot name a file and a version; want letters, digits, _ and -", name)
	}
	schema := filepath.Join(name, schemaFile)
	if _, err := os.Lstat(schema); err == nil {
		return nil, refuse("%s exists already; want a new name", schema)
	}
	if files, err = copyExample("example/"+template, name, name); err != nil {
		return files, err
	}
	if err := os.WriteFile(schema, configs.Schema, 0o666); err != nil {
		return files, err
	}
	return append(files, schema), nil
}

// list is the file in bench's tree that lists its algorithms.
const list = "algorithms/all.go"

// reserved are valid package names that no algorithm can have: names that Go's specification keeps from
// imports, folders and packages that the go command does not build or lets few import (go help packages,
// go/build), and names that algorithms/all.go and its test declare.
var reserved = []string{"main", "init", "documentation", "internal", "testdata", "vendor", "framework", "unlisted"}

// WriteGo writes the template Go into bench's own tree, which is the working folder, and registers it
// there. It returns the files written so far, even with an error.
func WriteGo(name string) (files []string, err error) {
	if !packageName().MatchString(name) || token.IsKeyword(name) {
		return nil, refuse("%q cannot name a Go package; want small letters and digits, a letter first", name)
	}
	if slices.Contains(reserved, name) {
		return nil, refuse("%q cannot name an algorithm's package, Go or %s means something else by it; want another name", name, list)
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, refuse("%w; template go writes into bench's own tree, run it from there; for a separate program see docs/adding-algorithm.md", err)
	}
	registered, err := register(text, name)
	if err != nil {
		return nil, err
	}
	if files, err = copyExample("example/go", filepath.Join("algorithms", name), name); err != nil {
		return files, err
	}
	if err := os.WriteFile(list, registered, 0o666); err != nil {
		return files, err
	}
	return append(files, list), nil
}

// register adds an algorithm to the text of algorithms/all.go.
func register(text []byte, name string) ([]byte, error) {
	for _, x := range []struct{ before, line string }{
		{"\t\"example.org/bench/framework\"\n", fmt.Sprintf("\t\"example.org/bench/algorithms/%s\"\n", name)},
		{"\n\t}\n}", fmt.Sprintf("\n\t\t%s.Factory(),", name)},
	} {
		at := bytes.Index(text, []byte(x.before))
		if at < 0 || bytes.Count(text, []byte(x.before)) != 1 {
			return nil, fmt.Errorf("%s has changed its form: add %s.Factory() to it by hand", list, name)
		}
		text = append(text[:at:at], append([]byte(x.line), text[at:]...)...)
	}
	return format.Source(text) // which sorts the imports
}

// copyExample copies an example's folder, with NAME replaced in names and texts. The config of a Go
// algorithm goes to configs.
func copyExample(from, to, name string) (files []string, err error) {
	entries, err := examples.ReadDir(from)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(entries))
	for i, e := range entries {
		base := strings.TrimSuffix(strings.ReplaceAll(e.Name(), "NAME", name), ".txt")
		paths[i] = filepath.Join(to, base)
		if from == "example/go" && strings.HasSuffix(base, ".json") {
			paths[i] = filepath.Join("configs", base)
		}
		// The name is tested alone, because below a folder that does not exist yet every name passes.
		if _, err := os.Lstat(filepath.Base(paths[i])); errors.Is(err, syscall.ENAMETOOLONG) {
			return nil, refuse("%w; want a shorter name", err)
		}
		if _, err := os.Lstat(paths[i]); err == nil {
			return nil, refuse("%s exists already; want a new name", paths[i])
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, refuse("%w; want a name for a new folder", err)
		}
	}
	for i, e := range entries {
		text, err := examples.ReadFile(path.Join(from, e.Name()))
		if err != nil {
			return files, err
		}
		mode := fs.FileMode(0o666)
		if strings.HasSuffix(paths[i], ".sh") {
			mode = 0o777
		}
		if err := os.MkdirAll(filepath.Dir(paths[i]), 0o777); err != nil {
			return files, err
		}
		if err := os.WriteFile(paths[i], bytes.ReplaceAll(text, []byte("NAME"), []byte(name)), mode); err != nil {
			return files, err
		}
		files = append(files, paths[i])
	}
	return files, nil
}
