package command

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
	"syscall"

	"github.com/spf13/cobra"

	"bench/configs"
	"bench/framework/config"
)

//go:embed example
var examples embed.FS

// templates are the examples to start from; the first is the default.
var templates = []struct{ name, doc string }{
	{"kernel", "z = a·x + y: a kernel, with a C function as a version for the CPU"},
	{"transpose", "a matrix is transposed directly, and through tiles in shared memory"},
	{"reduction", "a sum by a tree, by shuffles and by atomic additions; two launches with scratch"},
	{"stencil", "five points, read directly, and through tiles with a halo"},
	{"c", "a product of matrix and vector: C functions on the CPU alone"},
	{"program", "a program in C that reports its own time"},
	{"go", "an algorithm in Go, in bench's own tree: algorithms/NAME with its test, its line in algorithms/all.go, configs/NAME.json"},
}

func templateNames() (names []string) {
	for _, t := range templates {
		names = append(names, t.name)
	}
	return names
}

func (a *app) newCommand() *cobra.Command {
	var list strings.Builder
	for _, t := range templates {
		fmt.Fprintf(&list, "  %-10s %s\n", t.name, t.doc)
	}
	var template string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a small working example: kernels, a program, or an algorithm in Go",
		Long: `New writes an example to start from, which runs as it is and is verified:

` + list.String() + `
All but go are a folder NAME with the sources, their config NAME.json, and the schema
that explains its keys in an editor. New never overwrites a file.

EXIT STATUS
  0    written
  1    a file cannot be written, or algorithms/all.go has changed in form
  2    bad usage: a name that is taken or invalid, or template go outside bench's tree`,
		Example: `  bench new mykernel
  bench new mine --template transpose
  bench validate mykernel/mykernel.json
  bench verify mykernel/mykernel.json --device sim
  bench run mykernel/mykernel.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if !slices.Contains(templateNames(), template) {
				return usageError(fmt.Errorf("--template %q is none%s", template, config.Choice(template, templateNames(), "templates")))
			}
			if template == "go" {
				return a.newGo(args[0])
			}
			return a.newFolder(template, args[0])
		},
	}
	cmd.Flags().StringVar(&template, "template", templates[0].name, "which example: "+strings.Join(templateNames(), ", "))
	completeFlag(cmd, "template", cobra.FixedCompletions(templateNames(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

var (
	folderName  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
	packageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
)

// schemaFile is what the examples' "$schema" names. NAME.json is never it.
const schemaFile = "config.schema.json"

// newFolder writes the template to the folder name.
func (a *app) newFolder(template, name string) error {
	if !folderName.MatchString(name) {
		return usageError(fmt.Errorf("%q cannot name a file and a version; want letters, digits, _ and -", name))
	}
	schema := filepath.Join(name, schemaFile)
	if _, err := os.Lstat(schema); err == nil {
		return usageError(fmt.Errorf("%s exists already; want a new name", schema))
	}
	if err := a.write("example/"+template, name, name); err != nil {
		return err
	}
	if err := os.WriteFile(schema, configs.Schema, 0o666); err != nil {
		return &statusError{exitBad, err}
	}
	fmt.Fprintln(a.out, schema)
	path := filepath.Join(name, name+".json")
	fmt.Fprintf(a.out, "\nbench validate %s\n", path)
	if _, err := os.Lstat(filepath.Join(name, name+".cu")); err == nil {
		fmt.Fprintf(a.out, "bench verify %s --device sim\n", path)
	} else {
		fmt.Fprintf(a.out, "bench verify %s\n", path)
	}
	fmt.Fprintf(a.out, "bench run %s\n", path)
	return nil
}

// list is where bench's tree lists its algorithms.
const list = "algorithms/all.go"

// reserved are names that pass for a package's and that no algorithm's can
// have: what Go's specification keeps from imports, folders and packages that
// the go command does not build or lets few import (go help packages, go/build),
// and what algorithms/all.go and its test declare.
var reserved = []string{"main", "init", "documentation", "internal", "testdata", "vendor", "framework", "unlisted"}

// newGo writes the example of an algorithm into bench's own tree.
func (a *app) newGo(name string) error {
	if !packageName.MatchString(name) || token.IsKeyword(name) {
		return usageError(fmt.Errorf("%q cannot name a Go package; want small letters and digits, a letter first", name))
	}
	if slices.Contains(reserved, name) {
		return usageError(fmt.Errorf("%q cannot name an algorithm's package, Go or %s means something else by it; want another name", name, list))
	}
	if a.registry.Algorithm(name) != nil {
		return usageError(fmt.Errorf("there is an algorithm %s already; want another name", name))
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return usageError(fmt.Errorf("%w; template go writes into bench's own tree, run it from there; for a separate program see docs/adding-algorithm.md", err))
	}
	registered, err := register(text, name)
	if err != nil {
		return &statusError{exitBad, err}
	}
	if err := a.write("example/go", filepath.Join("algorithms", name), name); err != nil {
		return err
	}
	if err := os.WriteFile(list, registered, 0o666); err != nil {
		return &statusError{exitBad, err}
	}
	fmt.Fprintf(a.out, "%s\n\ngo test ./algorithms ./algorithms/%[2]s\ngo build -o bench ./cmd/bench\n./bench verify %[2]s --device sim\n./bench run configs/%[2]s.json\n", list, name)
	return nil
}

// register adds an algorithm to the text of algorithms/all.go.
func register(text []byte, name string) ([]byte, error) {
	for _, x := range []struct{ before, line string }{
		{"\t\"bench/framework\"\n", fmt.Sprintf("\t\"bench/algorithms/%s\"\n", name)},
		{"\n\t}\n}", fmt.Sprintf("\n\t\t%s.Factory(),", name)},
	} {
		at := bytes.Index(text, []byte(x.before))
		if at < 0 || bytes.Count(text, []byte(x.before)) != 1 {
			return nil, fmt.Errorf("%s has changed its form: add %s.Factory() to it by hand", list, name)
		}
		text = append(text[:at:at], append([]byte(x.line), text[at:]...)...)
	}
	return format.Source(text) // which sorts imports
}

// write copies an example's folder, with NAME replaced in names and texts;
// the config of an algorithm in Go goes to configs.
func (a *app) write(from, to, name string) error {
	entries, err := examples.ReadDir(from)
	if err != nil {
		return err
	}
	paths := make([]string, len(entries))
	for i, e := range entries {
		base := strings.TrimSuffix(strings.ReplaceAll(e.Name(), "NAME", name), ".txt")
		paths[i] = filepath.Join(to, base)
		if from == "example/go" && strings.HasSuffix(base, ".json") {
			paths[i] = filepath.Join("configs", base)
		}
		// Alone: below a folder that is not there yet every name passes.
		if _, err := os.Lstat(filepath.Base(paths[i])); errors.Is(err, syscall.ENAMETOOLONG) {
			return usageError(fmt.Errorf("%w; want a shorter name", err))
		}
		if _, err := os.Lstat(paths[i]); err == nil {
			return usageError(fmt.Errorf("%s exists already; want a new name", paths[i]))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return usageError(fmt.Errorf("%w; want a name for a new folder", err))
		}
	}
	for i, e := range entries {
		text, err := examples.ReadFile(path.Join(from, e.Name()))
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o666)
		if strings.HasSuffix(paths[i], ".sh") {
			mode = 0o777
		}
		if err := os.MkdirAll(filepath.Dir(paths[i]), 0o777); err != nil {
			return &statusError{exitBad, err}
		}
		if err := os.WriteFile(paths[i], bytes.ReplaceAll(text, []byte("NAME"), []byte(name)), mode); err != nil {
			return &statusError{exitBad, err}
		}
		fmt.Fprintln(a.out, paths[i])
	}
	return nil
}
