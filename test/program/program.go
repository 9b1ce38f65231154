// Package program builds the programs of bench's and lab's module for tests: what several
// packages' tests start is linked once.
package program

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"example.org/bench/internal/safefile"
)

// Build puts the program of a package, such as "cmd/bench", at path: for this machine,
// or for Linux of another architecture. It is built in the module that the package's folder
// lies in, so that both modules' tests take bench from one build. It is kept in .cache; go compares what it was
// built from, and links it again after a change.
func Build(pkg, architecture, path string) error {
	root, err := tree()
	if err != nil {
		return err
	}
	folder := filepath.Join(root, ".cache", "programs")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	name := strings.ReplaceAll(pkg, "/", "-")
	environment := append(os.Environ(), "CGO_ENABLED=0")
	if architecture != "" {
		name += "-" + architecture
		environment = append(environment, "GOOS=linux", "GOARCH="+architecture)
	}
	lock, err := os.OpenFile(filepath.Join(folder, name+".lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return err
	}
	defer lock.Close()
	if err := safefile.Lock(lock); err != nil {
		return fmt.Errorf("%s: %w", lock.Name(), err)
	}
	kept := filepath.Join(folder, name)
	build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", kept, ".")
	build.Dir, build.Env = filepath.Join(root, pkg), environment
	if text, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", build, err, text)
	}
	return replicate(kept, path)
}

// replicate makes a file of the same content: what is kept changes while tests of other
// sources run.
func replicate(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// tree is the folder of bench's go.mod above the working folder; lab's is below it.
func tree() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if text, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(string(text), "module example.org/bench\n") {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod of module example.org/bench above the working folder")
		}
		dir = filepath.Dir(dir)
	}
}
