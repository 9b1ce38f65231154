package driver

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
)

// CUjit_option numbers.
const (
	jitInfoLog       = 3
	jitInfoLogBytes  = 4
	jitErrorLog      = 5
	jitErrorLogBytes = 6
)

// Module is code loaded on a GPU.
type Module struct {
	gpu     *GPU
	handle  module
	name    string
	log     string
	lowered map[string]string // names in the code that differ from the source's
	kernels map[string]*Kernel
	code    []byte
}

var _ gpu.Module = (*Module)(nil)

// Compile compiles src for this device and loads it.
func (g *GPU) Compile(src gpu.Source) (gpu.Module, error) {
	if src.Image != nil {
		return g.load(src.Name, append(slices.Clone(src.Image), 0), "") // PTX ends in a zero byte
	}
	if err := g.findCompiler(); err != nil {
		return nil, fmt.Errorf("compile %s: no CUDA compiler: %w", src.Name, err)
	}
	if len(g.options) > 0 {
		src.Options = append(slices.Clone(src.Options), g.options...)
	}
	image, err := g.compiler.Compile(src, g.facts.Arch())
	if err != nil {
		return nil, err
	}
	m, err := g.load(src.Name, image.Code, image.Log)
	if err != nil {
		return nil, err
	}
	m.lowered = image.Lowered
	for _, name := range src.Kernels {
		if _, err := m.Kernel(name); err != nil {
			return nil, errors.Join(err, m.Unload())
		}
	}
	return m, nil
}

// CompileWith adds NVRTC options to all later compilations.
func (g *GPU) CompileWith(options ...string) { g.options = append(g.options, options...) }

// load loads the code of an nvrtc.Image: a cubin, or PTX, which the driver compiles.
func (g *GPU) load(name string, code []byte, log string) (*Module, error) {
	const logBytes = 16 << 10
	info, failure := make([]byte, logBytes), make([]byte, logBytes)
	options := [4]int32{jitInfoLog, jitInfoLogBytes, jitErrorLog, jitErrorLogBytes}
	values := [4]uintptr{
		uintptr(unsafe.Pointer(&info[0])), logBytes,
		uintptr(unsafe.Pointer(&failure[0])), logBytes,
	}
	m := &Module{gpu: g, name: name, kernels: map[string]*Kernel{}, code: code}
	err := g.api.check("cuModuleLoadDataEx", g.api.moduleLoadDataEx(&m.handle, &code[0], uint32(len(options)), &options[0], &values[0]))
	runtime.KeepAlive(info)
	runtime.KeepAlive(failure)
	m.log = joinLogs(log, untilZero(info))
	if err == nil {
		return m, nil
	}
	if errors.Is(err, gpu.ErrOutOfMemory) {
		return nil, fmt.Errorf("load %s on %s: %w", name, g.ID(), err)
	}
	if c := Code(err); c == errUnsupportedPTX || c == errNoBinaryForGPU {
		err = fmt.Errorf("%w; the driver (CUDA %s) is older than the compiler (%s): install a newer driver or an older NVRTC",
			err, g.facts.DriverVersion, g.facts.CompilerVersion)
	}
	return nil, &gpu.CompileError{Name: name, Log: joinLogs(m.log, untilZero(failure)), Err: err}
}

func joinLogs(logs ...string) string {
	var parts []string
	for _, l := range logs {
		if l = strings.TrimSpace(l); l != "" {
			parts = append(parts, l)
		}
	}
	return strings.Join(parts, "\n")
}

// Log returns the compilers' messages.
func (m *Module) Log() string { return m.log }

// Unload frees the module; its kernels must not be used afterwards.
func (m *Module) Unload() error {
	if m.handle == 0 {
		return nil
	}
	h := m.handle
	m.handle = 0
	return m.gpu.api.check("cuModuleUnload", m.gpu.api.moduleUnload(h))
}

// Kernel returns the kernel of that name, the same one at each call.
func (m *Module) Kernel(name string) (gpu.Kernel, error) {
	if k := m.kernels[name]; k != nil {
		return k, nil
	}
	k := &Kernel{gpu: m.gpu, name: name}
	if err := m.gpu.api.check("cuModuleGetFunction", m.gpu.api.moduleGetFunction(&k.handle, m.handle, m.inCode(name))); err != nil {
		return nil, fmt.Errorf("kernel %s of %s: %w", name, m.name, err)
	}
	if err := k.readLimits(); err != nil {
		return nil, fmt.Errorf("kernel %s of %s: %w", name, m.name, err)
	}
	m.kernels[name] = k
	return k, nil
}

// inCode returns the name in the code of a name in the source.
func (m *Module) inCode(name string) string {
	if lowered, ok := m.lowered[name]; ok {
		return lowered
	}
	return name
}

// Variable is a variable in a GPU's memory that kernels can write.
type Variable struct {
	Name  string
	At    gpu.Pointer
	Bytes int64
}

// Variables returns the module's variables.
func (m *Module) Variables() (list []Variable, err error) {
	names, err := cubin.Writable(m.code)
	if err != nil {
		return nil, fmt.Errorf("variables of %s: %w", m.name, err)
	}
	for _, name := range names {
		var at, bytes uintptr
		if err := m.gpu.api.check("cuModuleGetGlobal", m.gpu.api.moduleGetGlobal(&at, &bytes, m.handle, name)); err != nil {
			return nil, fmt.Errorf("variable %s of %s: %w", name, m.name, err)
		}
		list = append(list, Variable{name, gpu.Pointer(at), int64(bytes)})
	}
	return list, nil
}

// Global returns the address and the size of a variable.
func (m *Module) Global(name string) (gpu.Pointer, int64, error) {
	var at, bytes uintptr
	if err := m.gpu.api.check("cuModuleGetGlobal", m.gpu.api.moduleGetGlobal(&at, &bytes, m.handle, m.inCode(name))); err != nil {
		return 0, 0, fmt.Errorf("variable %s of %s: %w", name, m.name, err)
	}
	return gpu.Pointer(at), int64(bytes), nil
}
