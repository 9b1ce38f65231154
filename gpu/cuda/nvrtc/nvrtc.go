package nvrtc

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/lazy"
)

// Compiler is a loaded NVRTC. Its methods may be called from any goroutine. Compilations take turns,
// because NVRTC promises nothing about concurrent ones.
type Compiler struct {
	lib   *library
	archs []int
	cache cache
	mu    sync.Mutex
}

// Image is compiled code for one architecture.
type Image struct {
	Code []byte // a cubin, or PTX text that ends in a zero byte
	PTX  bool
	Log  string // the compiler's messages, warnings included
	// Lowered are the names in the code of the source's kernels and globals, where they differ.
	Lowered map[string]string
	Cached  bool // taken from the disk cache
}

func newCompiler(l *library) *Compiler {
	c := &Compiler{lib: l, cache: defaultCache()}
	c.archs = l.architectures()
	return c
}

// Version returns the CUDA version that this NVRTC belongs to.
func (c *Compiler) Version() (major, minor int) { return c.lib.major, c.lib.minor }

// Path returns the name or path under which the library was found.
func (c *Compiler) Path() string { return c.lib.name }

// Architectures returns the compute capabilities that NVRTC compiles for, ascending, as NVRTC writes
// them: 53 for sm_53.
func (c *Compiler) Architectures() []int { return slices.Clone(c.archs) }

// architectures asks NVRTC for its architectures. Releases before CUDA 11.2 cannot be asked; the list for
// them is the one under --gpu-architecture in "NVRTC User Guide" 10.2.
func (l *library) architectures() []int {
	var n int32
	if l.supportedArchs != nil && l.supportedArchsCount != nil && l.supportedArchsCount(&n) == 0 && n > 0 {
		list := make([]int32, n)
		if l.supportedArchs(&list[0]) == 0 {
			archs := make([]int, n)
			for i, a := range list {
				archs[i] = int(a)
			}
			slices.Sort(archs)
			return archs
		}
	}
	archs := []int{35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75}
	if l.major >= 11 {
		archs = append(archs, 80)
	}
	return archs
}

var archPattern = lazy.Regexp(`^(?:sm|compute)_([0-9]+)[af]?$`)

// Compile compiles src for arch ("sm_53"), or takes the result from the disk cache. The image is a cubin.
// It is PTX for a virtual architecture ("compute_53") and where NVRTC is older than CUDA 11.1. The error
// of a failed compilation is a *gpu.CompileError.
func (c *Compiler) Compile(src gpu.Source, arch string) (*Image, error) {
	if err := c.checkArch(arch); err != nil {
		return nil, fmt.Errorf("compile %s: %w", src.Name, err)
	}
	options := c.options(src, arch)
	key := keyOf(src, options, c.lib.major, c.lib.minor)
	if image := c.cache.load(key); image != nil {
		return image, nil
	}
	image, err := c.compile(src, options, c.lib.cubin == nil || strings.HasPrefix(arch, "compute_"))
	if err != nil {
		return nil, err
	}
	c.cache.store(key, image)
	return image, nil
}

func (c *Compiler) checkArch(arch string) error {
	m := archPattern().FindStringSubmatch(arch)
	if m == nil {
		return fmt.Errorf("architecture %q: want sm_XX, e.g. sm_53", arch)
	}
	if n, err := strconv.Atoi(m[1]); err == nil && slices.Contains(c.archs, n) {
		return nil
	}
	names := make([]string, len(c.archs))
	for i, a := range c.archs {
		names[i] = fmt.Sprintf("sm_%d", a)
	}
	return fmt.Errorf("NVRTC %d.%d (%s) does not compile for %s, only for %s; set %s to another release's libnvrtc.so",
		c.lib.major, c.lib.minor, c.lib.name, arch, strings.Join(names, ", "), PathVariable)
}

// options returns the command line: the options that the project's sources expect, then the defines in
// alphabetical order, then the source's own options.
func (c *Compiler) options(src gpu.Source, arch string) []string {
	if c.lib.cubin == nil {
		arch = "compute_" + strings.TrimPrefix(arch, "sm_")
	}
	options := []string{"--gpu-architecture=" + arch, "--device-as-default-execution-space"}
	if !slices.ContainsFunc(src.Options, func(o string) bool {
		return strings.HasPrefix(strings.TrimLeft(o, "-"), "std=")
	}) {
		std := "c++17"
		if c.lib.major < 11 { // "NVRTC User Guide" 10.2 ends at c++14
			std = "c++14"
		}
		options = append(options, "--std="+std)
	}
	if c.lib.major > 11 || c.lib.major == 11 && c.lib.minor >= 5 { // as nvcc has it ("CUDA Toolkit Release Notes" 11.5)
		options = append(options, "--device-int128")
	}
	for _, name := range sortedKeys(src.Defines) {
		options = append(options, "--define-macro="+name+"="+src.Defines[name])
	}
	return append(append(options, src.Options...), c.includePaths(src)...)
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (c *Compiler) compile(src gpu.Source, options []string, ptx bool) (*Image, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lib
	l.loadBuiltins()
	fail := func(err error, log string) error {
		return &gpu.CompileError{Name: src.Name, Log: log, Err: err}
	}

	names := sortedKeys(src.Headers)
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = src.Headers[n]
	}
	for _, s := range slices.Concat(names, texts, options, src.Kernels, src.Globals, []string{src.Text, src.Name}) {
		if strings.IndexByte(s, 0) >= 0 {
			return nil, fail(errors.New("source, header or option holds a zero byte"), "")
		}
	}

	var p program
	var pin runtime.Pinner
	defer pin.Unpin()
	code := l.createProgram(&p, src.Text, src.Name, int32(len(names)), cStrings(&pin, texts), cStrings(&pin, names))
	if err := l.check("nvrtcCreateProgram", code); err != nil {
		return nil, fail(err, "")
	}
	defer l.destroyProgram(&p)
	if err := l.addNames(p, src); err != nil {
		return nil, fail(err, "")
	}

	compiled := l.check("nvrtcCompileProgram", l.compileProgram(p, int32(len(options)), cStrings(&pin, options)))
	log, err := fetch(l, p, "nvrtcGetProgramLog", l.logSize, l.log)
	if err != nil {
		return nil, fail(fmt.Errorf("read the log: %w", err), "")
	}
	text := strings.TrimSpace(gpu.FirstPart(strings.TrimRight(string(log), "\x00")))
	if compiled != nil {
		return nil, fail(compiled, text)
	}
	image := &Image{Log: text, PTX: ptx}
	if image.PTX {
		image.Code, err = fetch(l, p, "nvrtcGetPTX", l.ptxSize, l.ptx)
	} else {
		image.Code, err = fetch(l, p, "nvrtcGetCUBIN", l.cubinSize, l.cubin)
	}
	if err == nil && len(image.Code) == 0 {
		err = errors.New("no code")
	}
	if err != nil {
		return nil, fail(fmt.Errorf("read the code: %w", err), text)
	}
	if image.Lowered, err = l.lowered(p, src); err != nil {
		return nil, fail(err, text)
	}
	return image, nil
}

// fetch reads one of NVRTC's results after asking for its size.
func fetch(l *library, p program, call string, size func(program, *uint64) int32, read func(program, *byte) int32) ([]byte, error) {
	var n uint64
	if err := l.check(call+"Size", size(p, &n)); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, nil
	}
	b := make([]byte, n)
	if err := l.check(call, read(p, &b[0])); err != nil {
		return nil, err
	}
	return b, nil
}

// cStrings returns a char*[] of zero-terminated copies, which is valid while pin holds.
func cStrings(pin *runtime.Pinner, values []string) unsafe.Pointer {
	if len(values) == 0 {
		return nil
	}
	pointers := make([]*byte, len(values))
	for i, v := range values {
		pointers[i] = unsafe.SliceData(append([]byte(v), 0))
		pin.Pin(pointers[i])
	}
	pin.Pin(&pointers[0])
	return unsafe.Pointer(&pointers[0])
}
