package sim

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/cpu"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/internal/diskcache"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/trust"
)

//go:embed cpp
var cpp embed.FS

// compiler is the host's g++ with a cache of its output.
type compiler struct {
	command string
	version string // e.g. "g++ 12.2.0"
	release int    // e.g. 12
	cache   string // folder
	// runtime is the library that every kernel library is linked to, by its name in the cache.
	runtime string
	by      Compiler // nil: this process compiles
}

// kernelFlags treat floating point as nvcc does by default: products and sums may be fused. CUDA code
// reads memory through pointers of other types, which nvcc allows. A stack that overflows touches its
// guard page.
var kernelFlags = []string{
	"-nostdinc", "-O2", "-g1", "-fPIC", "-fvisibility=hidden", "-fno-gnu-unique", "-fno-strict-aliasing",
	"-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fno-exceptions", "-fno-rtti",
	"-fno-stack-protector", "-fstack-clash-protection", "-Wno-unknown-pragmas", "-Wno-psabi", "-Wno-attributes", "-Wno-unused-value", "-Wno-narrowing", "-Werror=vla",
	"-fdiagnostics-color=never", "-fno-diagnostics-show-caret",
}

// checkFlags make the compiler announce every access to cpp/hooks.cpp, keep endless loops, give every
// call its own line and every variable its place in the data, and warn of local variables that are read
// before they are written. -O1 replaces -O2, whose gain is lost in the cost of the checks; compiling
// takes a quarter less.
var checkFlags = []string{
	"-O1", "-DBENCH_SIM_CHECKS", "-fsanitize=thread", "--param=tsan-distinguish-volatile=1", "--param=tsan-instrument-func-entry-exit=0",
	"-fsanitize=bounds,alignment,return", "-fno-plt", "-fno-finite-loops", "-fno-zero-initialized-in-bss", "-Wuninitialized", "-Wmaybe-uninitialized",
}

// fillFlag gives uninitialised local variables a recognisable value; g++ has it since release 12.
const fillFlag = "-ftrivial-auto-var-init=pattern"

var runtimeFlags = []string{"-std=c++17", "-O2", "-g0", "-fPIC", "-fvisibility=hidden", "-fno-exceptions", "-fno-rtti", "-shared", "-pthread"}

// machineFlags make a fused multiply-add one instruction where the CPU has it, and make a division by
// zero trap where the CPU does not.
func machineFlags() []string {
	if runtime.GOARCH == "arm64" {
		return []string{"-fsanitize=integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"}
	}
	if runtime.GOARCH == "amd64" && cpu.X86.HasFMA && cpu.X86.HasAVX2 {
		return []string{"-mfma", "-mavx2"}
	}
	return nil
}

var compilers struct {
	sync.Mutex
	found map[string]*compiler // by command and cache
}

// findCompiler finds g++ and builds the runtime library or takes it from the cache, once in a process for
// each compiler and cache.
func findCompiler() (*compiler, error) {
	if c, err := findElsewhere(); c != nil || err != nil {
		return c, err
	}
	name := os.Getenv("CXX")
	if name == "" {
		name = "g++"
	}
	command, err := trust.Self().Program(name)
	if err != nil {
		return nil, fmt.Errorf("sim: the C++ compiler %s: %w; get it with: apt-get install g++ (or name another in CXX)", name, err)
	}
	cache, err := diskcache.Folder("sim")
	if err != nil {
		return nil, fmt.Errorf("sim: %w", err)
	}
	compilers.Lock()
	defer compilers.Unlock()
	key := command + "\x00" + cache
	if c := compilers.found[key]; c != nil {
		return c, nil
	}
	version, err := hostcompiler.Output(exec.Command(command, "-dumpfullversion", "-dumpversion"), "")
	if err != nil {
		return nil, fmt.Errorf("sim: version of %s: %w", command, err)
	}
	c := &compiler{command: command, version: filepath.Base(command) + " " + strings.TrimSpace(string(version)), cache: cache}
	major, _, _ := strings.Cut(strings.TrimSpace(string(version)), ".")
	c.release, _ = strconv.Atoi(major) // a version of another form is an older release's
	if err := c.buildRuntime(); err != nil {
		return nil, err
	}
	if compilers.found == nil {
		compilers.found = map[string]*compiler{}
	}
	compilers.found[key] = c
	return c, nil
}

// digest returns the name of what this compiler makes from parts.
func (c *compiler) digest(parts ...string) string {
	h := sha256.New()
	files, _ := fs.Glob(cpp, "cpp/*")
	for _, f := range files {
		text, _ := cpp.ReadFile(f)
		parts = append(parts, f, string(text))
	}
	for _, p := range append(parts, c.command, c.version, runtime.GOARCH) {
		fmt.Fprintf(h, "%d %s\n", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// workspace returns a folder to compile in, with the embedded sources.
func workspace() (string, error) {
	dir, err := hostcompiler.Folder()
	if err != nil {
		return "", fmt.Errorf("sim: folder to compile in: %w", err)
	}
	files, err := fs.Glob(cpp, "cpp/*")
	if err != nil {
		return dir, err
	}
	for _, f := range files {
		text, err := cpp.ReadFile(f)
		if err != nil {
			return dir, err
		}
		if err := os.WriteFile(filepath.Join(dir, path.Base(f)), text, 0o600); err != nil {
			return dir, fmt.Errorf("sim: folder to compile in: %w", err)
		}
	}
	return dir, nil
}

func (c *compiler) buildRuntime() error {
	c.runtime = "libbenchsim-" + c.digest(runtimeFlags...) + ".so"
	if diskcache.UseLibrary(filepath.Join(c.cache, c.runtime)) {
		return nil
	}
	dir, err := workspace()
	defer os.RemoveAll(dir)
	if err != nil {
		return err
	}
	sources, err := filepath.Glob(filepath.Join(dir, "*.cpp"))
	if err != nil {
		return err
	}
	sort.Strings(sources)
	args := append([]string{}, runtimeFlags...)
	args = append(args, "-Wl,-soname,"+c.runtime, "-Wl,--as-needed", "-o", c.runtime)
	cmd := exec.Command(c.command, append(args, sources...)...)
	cmd.Dir = dir
	if out, err := hostcompiler.Combined(cmd, ""); err != nil {
		return fmt.Errorf("sim: build of the simulator's runtime by %s: %w\n%s", c.command, err, out)
	}
	made := filepath.Join(dir, c.runtime)
	if err := diskcache.Seal(made); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	if err := diskcache.Put(made, filepath.Join(c.cache, c.runtime)); err != nil {
		return fmt.Errorf("sim: %w", err)
	}
	return nil
}

// compile returns the path of the library made from src, where source is the text of the file, and the
// compiler's messages. Both come from the cache if they are there.
func (c *compiler) compile(src gpu.Source, arch int, checks bool, source string) (library, log string, err error) {
	if c.by != nil {
		return c.by.Compile(src, arch, checks)
	}
	flags := append(append([]string{}, kernelFlags...), machineFlags()...)
	flags = append(flags, fmt.Sprintf("-D__CUDA_ARCH__=%d", arch), "-std="+dialect(src.Options))
	if checks {
		flags = append(flags, checkFlags...)
		if c.release >= 12 {
			flags = append(flags, fillFlag)
		}
	}
	// The defines come after the simulator's own headers, which use short names too.
	var defines strings.Builder
	for _, name := range sortedKeys(src.Defines) {
		fmt.Fprintf(&defines, "#define %s %s\n", name, src.Defines[name])
	}
	for _, m := range macros(src.Options) {
		fmt.Fprintf(&defines, "%s\n", m)
	}
	made := texts(src)
	text, headers := unit(src, made.text), made.headers
	parts := append([]string{"kernels that call no host", src.Name, text, defines.String()}, flags...)
	for _, name := range sortedKeys(headers) {
		parts = append(parts, name, headers[name])
	}
	library = filepath.Join(c.cache, c.digest(parts...)+".so")
	if diskcache.UseLibrary(library) {
		diskcache.Use(library + ".log")
		text, err := os.ReadFile(library + ".log")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("sim: %w", err)
		}
		return library, string(text), nil
	}
	dir, err := workspace()
	defer os.RemoveAll(dir)
	if err != nil {
		return "", "", err
	}
	root := filepath.Join(dir, "include", nested(headers))
	if err := os.MkdirAll(root, 0o700); err != nil {
		return "", "", fmt.Errorf("sim: folder to compile in: %w", err)
	}
	for name, text := range headers {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return "", "", fmt.Errorf("sim: header %s: %w", name, err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", "", fmt.Errorf("sim: header %s: %w", name, err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "unit.cpp"), []byte(text), 0o600); err != nil {
		return "", "", fmt.Errorf("sim: folder to compile in: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "defines.h"), []byte(defines.String()), 0o600); err != nil {
		return "", "", fmt.Errorf("sim: folder to compile in: %w", err)
	}
	var out bytes.Buffer
	run := func(args ...string) error {
		// The folder's name is random, and so is its length.
		cmd := exec.Command(c.command, append([]string{"-fdebug-prefix-map=" + dir + "=."}, args...)...)
		cmd.Dir = dir
		said, err := hostcompiler.Combined(cmd, source)
		out.Write(said)
		return err
	}
	unit, err := filepath.Rel(dir, filepath.Join(root, "unit.cpp"))
	if err != nil {
		return "", "", fmt.Errorf("sim: folder to compile in: %w", err)
	}
	// Includes are looked up among the source's own headers first.
	flags = append(flags, "-include", "cuda.h")
	for _, name := range ahead(made) {
		flags = append(flags, "-include", name)
	}
	flags = append(flags, "-include", "defines.h", "-I", filepath.Dir(unit), "-I", ".", unit)
	if checks {
		err = run(append(flags, "-S", "-o", "unit.s")...)
		if err == nil {
			err = guardFile(filepath.Join(dir, "unit.s"))
		}
		if err == nil {
			err = run("-c", "unit.s", "-o", "unit.o")
		}
	} else {
		err = run(append(flags, "-c", "-o", "unit.o")...)
	}
	if err == nil {
		err = run("-shared", "unit.o", "-o", "unit.so", "-Wl,--as-needed", "-Wl,-z,defs", "-Wl,-rpath,$ORIGIN", filepath.Join(c.cache, c.runtime), "-lm")
	}
	var limited *hostcompiler.Limited
	if errors.As(err, &limited) {
		return "", "", fmt.Errorf("sim: compile %s: %w", src.Name, err)
	}
	if err != nil {
		log := out.String() + advice(out.String())
		return "", "", &gpu.CompileError{Name: src.Name, Log: log, Err: err}
	}
	calls, err := hostCalls(filepath.Join(dir, "unit.so"))
	if err != nil {
		return "", "", fmt.Errorf("sim: %w", err)
	}
	if len(calls) > 0 {
		return "", "", &gpu.CompileError{Name: src.Name, Log: out.String() + hostErrors(src.Name, src.Text, calls), Err: errors.New("it calls the host")}
	}
	if err := diskcache.Seal(filepath.Join(dir, "unit.so")); err != nil {
		return "", "", fmt.Errorf("sim: %w", err)
	}
	// The log is moved first: whoever finds the library finds the log too.
	for _, f := range []struct{ from, to string }{{"unit.log", library + ".log"}, {"unit.so", library}} {
		if f.from == "unit.log" {
			if err := os.WriteFile(filepath.Join(dir, f.from), out.Bytes(), 0o600); err != nil {
				return "", "", fmt.Errorf("sim: %w", err)
			}
		}
		if err := diskcache.Put(filepath.Join(dir, f.from), f.to); err != nil {
			return "", "", fmt.Errorf("sim: %w", err)
		}
	}
	return library, out.String(), nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// launcher is the runtime library's entries. The dynamic linker finds the library by its name, for kernel
// libraries in any folder. The library stays loaded, because its worker threads never end.
var launcher struct {
	sync.Mutex
	of   map[string]entries
	keep []*dynlib.Library
}

// entries are the functions of a runtime library.
type entries struct {
	workers func(n uint32) int32 // starts them; 0 where the system refuses one
	run     func(*launch) int32
}

// launcher loads the runtime library, and starts the threads that run blocks.
func (c *compiler) launcher(workers int) (func(*launch) int32, error) {
	launcher.Lock()
	defer launcher.Unlock()
	e, loaded := launcher.of[c.runtime]
	if !loaded {
		var err error
		if e, err = c.load(); err != nil {
			return nil, err
		}
	}
	if e.workers(uint32(workers)) == 0 {
		return nil, fmt.Errorf("sim: the system refuses %d more threads: end other processes, or raise the limit (ulimit -u)", workers)
	}
	return e.run, nil
}

// load loads the runtime library. The caller holds the lock.
func (c *compiler) load() (entries, error) {
	var e entries
	lib, err := dynlib.Open(filepath.Join(c.cache, c.runtime))
	if errors.Is(err, dynlib.ErrNoExec) {
		err = fmt.Errorf("%w; set XDG_CACHE_HOME to a folder of another one", err)
	}
	if err == nil {
		err = errors.Join(lib.Func(&e.workers, "bench_sim_workers"), lib.Func(&e.run, "bench_sim_launch"))
	}
	if err != nil {
		return e, fmt.Errorf("sim: %w", err)
	}
	if launcher.of == nil {
		launcher.of = map[string]entries{}
	}
	launcher.of[c.runtime] = e
	launcher.keep = append(launcher.keep, lib)
	return e, nil
}
