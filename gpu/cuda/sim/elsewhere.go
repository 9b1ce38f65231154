package sim

import (
	"os"
	"path/filepath"
	"sync"

	"example.org/bench/gpu"
)

// Compiler compiles kernels in another process, for a process that may start no program.
type Compiler interface {
	Toolchain() (Toolchain, error)
	// Compile returns the path of the library made of src in the toolchain's folder, and the compiler's
	// messages.
	Compile(src gpu.Source, arch int, checks bool) (library, log string, err error)
}

// Toolchain is a compiler and the runtime library that its libraries need.
type Toolchain struct {
	Version string
	Folder  string
	Runtime string // name of a file in the folder
}

var elsewhere struct {
	sync.Mutex
	compiler Compiler // nil: this process compiles
}

// CompileBy makes c compile for all devices that are opened from now on.
func CompileBy(c Compiler) {
	elsewhere.Lock()
	defer elsewhere.Unlock()
	elsewhere.compiler = c
}

// findElsewhere returns the compiler that CompileBy set; nil where there is none.
func findElsewhere() (*compiler, error) {
	elsewhere.Lock()
	defer elsewhere.Unlock()
	if elsewhere.compiler == nil {
		return nil, nil
	}
	t, err := elsewhere.compiler.Toolchain()
	if err != nil {
		return nil, err
	}
	return &compiler{version: t.Version, cache: t.Folder, runtime: t.Runtime, by: elsewhere.compiler}, nil
}

// FindToolchain finds the compiler for another process, and puts its runtime library into a folder.
func FindToolchain(folder string) (Toolchain, error) {
	c, err := findCompiler()
	if err != nil {
		return Toolchain{}, err
	}
	return Toolchain{Version: c.version, Folder: folder, Runtime: c.runtime}, copyFile(filepath.Join(c.cache, c.runtime), filepath.Join(folder, c.runtime))
}

// CompileInto compiles src for another process and puts the library into a folder. The compiler is
// confined like a source at the path distrusted.
func CompileInto(folder, distrusted string, src gpu.Source, arch int, checks bool) (library, log string, err error) {
	c, err := findCompiler()
	if err != nil {
		return "", "", err
	}
	made, log, err := c.compile(src, arch, checks, distrusted)
	if err != nil {
		return "", "", err
	}
	library = filepath.Join(folder, filepath.Base(made))
	return library, log, copyFile(made, library)
}

func copyFile(from, to string) error {
	code, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, code, 0o700)
}
