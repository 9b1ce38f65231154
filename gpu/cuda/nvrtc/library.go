// Package nvrtc compiles CUDA C++ with NVIDIA's run-time compiler, which it loads at run time, and keeps
// the results on disk.
package nvrtc

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"example.org/bench/gpu/cuda/jetson"
	"example.org/bench/internal/dynlib"
)

// PathVariable is the environment variable that holds the path of the libnvrtc to use, without a search.
const PathVariable = "BENCH_NVRTC"

// sonames are libnvrtc's names, newest first: CUDA 13, 12, 11.2 to 11.8, 11.1, 11.0, 10.2, and the
// development link.
var sonames = []string{
	"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so.11.1",
	"libnvrtc.so.11.0", "libnvrtc.so.10.2", "libnvrtc.so",
}

// folders are the folders of toolkits that the dynamic loader does not search.
var folders = []string{
	"/usr/local/cuda/lib64",
	"/usr/local/cuda/targets/*/lib",
	"/usr/local/cuda-*/lib64",
	"/usr/local/cuda-*/targets/*/lib",
}

// program is NVRTC's nvrtcProgram handle.
type program uintptr

// library holds the functions of one libnvrtc. The optional ones are nil where
// the release lacks them.
type library struct {
	name                string
	major, minor        int
	builtins            bool                                                                                              // whether they are loaded
	version             func(major, minor *int32) int32                                                                   `symbol:"nvrtcVersion"`
	errorString         func(code int32) string                                                                           `symbol:"nvrtcGetErrorString"`
	createProgram       func(p *program, text, name string, headers int32, headerTexts, headerNames unsafe.Pointer) int32 `symbol:"nvrtcCreateProgram"`
	destroyProgram      func(p *program) int32                                                                            `symbol:"nvrtcDestroyProgram"`
	compileProgram      func(p program, options int32, values unsafe.Pointer) int32                                       `symbol:"nvrtcCompileProgram"`
	addNameExpression   func(p program, expression string) int32                                                          `symbol:"nvrtcAddNameExpression"`
	getLoweredName      func(p program, expression string, name **byte) int32                                             `symbol:"nvrtcGetLoweredName"`
	ptxSize             func(p program, size *uint64) int32                                                               `symbol:"nvrtcGetPTXSize"`
	ptx                 func(p program, code *byte) int32                                                                 `symbol:"nvrtcGetPTX"`
	logSize             func(p program, size *uint64) int32                                                               `symbol:"nvrtcGetProgramLogSize"`
	log                 func(p program, text *byte) int32                                                                 `symbol:"nvrtcGetProgramLog"`
	cubinSize           func(p program, size *uint64) int32                                                               `symbol:"nvrtcGetCUBINSize" optional:""`         // CUDA 11.1 on
	cubin               func(p program, code *byte) int32                                                                 `symbol:"nvrtcGetCUBIN" optional:""`             // CUDA 11.1 on
	supportedArchsCount func(n *int32) int32                                                                              `symbol:"nvrtcGetNumSupportedArchs" optional:""` // CUDA 11.2 on
	supportedArchs      func(archs *int32) int32                                                                          `symbol:"nvrtcGetSupportedArchs" optional:""`    // CUDA 11.2 on
}

// Open loads the newest libnvrtc that it finds, or the one that BENCH_NVRTC names. The error says what
// was tried and how to get the library.
func Open() (*Compiler, error) { return OpenFor(0) }

// OpenFor is Open for a driver of CUDA version cudaMajor. It passes over releases of a later major
// version, whose code that driver may refuse; zero accepts all. BENCH_NVRTC is obeyed in any case.
func OpenFor(cudaMajor int) (*Compiler, error) {
	if path := os.Getenv(PathVariable); path != "" {
		l, err := load(path)
		if err != nil {
			return nil, fmt.Errorf("nvrtc: %s=%s: %w", PathVariable, path, err)
		}
		return newCompiler(l), nil
	}
	l, err := dynlib.First(dynlib.Candidates(sonames, folders, "libnvrtc.so.*"), func(name string) (*library, error) {
		l, err := load(name)
		if err == nil && cudaMajor > 0 && l.major > cudaMajor {
			err = fmt.Errorf("%s is CUDA %d.%d, later than the driver's CUDA %d", name, l.major, l.minor, cudaMajor)
		}
		return l, err
	})
	if err == nil {
		return newCompiler(l), nil
	}
	return nil, fmt.Errorf("nvrtc: no usable libnvrtc: install CUDA's run-time compiler "+
		"(%s; Debian non-free: libnvrtc11.2) or set %s to the path of libnvrtc.so (%w)", jetson.Hint("cuda-nvrtc"), PathVariable, err)
}

// load opens the library name and binds its functions.
func load(name string) (*library, error) {
	handle, err := dynlib.Open(name)
	if err != nil {
		return nil, err
	}
	l := &library{name: name}
	if err := handle.BindAll(l); err != nil {
		return nil, err
	}
	var major, minor int32
	if err := l.check("nvrtcVersion", l.version(&major, &minor)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l.major, l.minor = int(major), int(minor)
	l.loadBuiltins()
	return l, nil
}

// loadBuiltins loads the library of device functions, which NVRTC opens by name at its first compilation.
// The dynamic loader does not look beside a libnvrtc that was opened by path, but finds a library that is
// already loaded.
func (l *library) loadBuiltins() {
	if l.builtins || !strings.Contains(l.name, "/") {
		return
	}
	folders := []string{filepath.Dir(l.name)}
	if real, err := filepath.EvalSymlinks(l.name); err == nil && filepath.Dir(real) != folders[0] {
		folders = append(folders, filepath.Dir(real))
	}
	var names []string
	for _, folder := range folders {
		names = append(names,
			filepath.Join(folder, fmt.Sprintf("libnvrtc-builtins.so.%d.%d", l.major, l.minor)),
			filepath.Join(folder, "libnvrtc-builtins.so"))
	}
	// Without the library a compilation fails with NVRTC's own message, unless the loader finds it
	// elsewhere. The next compilation looks for it again.
	_, err := dynlib.Open(names...)
	l.builtins = err == nil
}

// check turns the nvrtcResult of a call into an error.
func (l *library) check(call string, code int32) error {
	if code == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", call, l.errorString(code))
}
