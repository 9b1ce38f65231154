package sim

import (
	"bytes"
	"cmp"
	"debug/elf"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/terminal"
)

// module is one compiled source.
type module struct {
	device  *Device
	library *dynlib.Library
	file    string // of the library
	log     string
	shared  uintptr // returns a thread's __shared__ variables; 0 if there are none
	anchor  uint64  // offset of the variable that shared returns
	kernels map[string]*kernel
	globals map[string][]byte
	// The names and places of the kernels' variables, where accesses are checked.
	shareds   []variable    // by offset among the __shared__ variables
	statics   []byte        // the state of each of their bytes
	variables variables     // of the device
	benign    []span        // instructions whose races, and reads of what was never written, are no mistake
	reads     []string      // local variables that are read before they are written, see warned
	adopted   []gpu.Pointer // globals that were adopted until Unload
}

type kernel struct {
	module    *module
	name      string
	signature string
	sizes     []uint32 // of the parameters
	types     []string // what the parameters consist of, see cpp/parameters.h
	call      uintptr
	maxBlock  int
	static    int
}

// Compile compiles src with g++. It honours those options that change what the text means.
func (d *Device) Compile(src gpu.Source) (gpu.Module, error) {
	if src.Image != nil {
		return nil, fmt.Errorf("sim: %s is compiled code; the simulator runs CUDA C++", src.Name)
	}
	file, log, err := d.compiler.compile(src, d.facts.ComputeMajor*100+d.facts.ComputeMinor*10, d.checks, src.Name)
	if err != nil {
		return nil, err
	}
	lib, err := dynlib.Open(file)
	if err != nil {
		return nil, fmt.Errorf("sim: compiled %s: %w", src.Name, err)
	}
	m := &module{device: d, library: lib, file: file, log: log, kernels: map[string]*kernel{}, globals: map[string][]byte{}}
	if d.checks {
		var reads []string
		reads, m.log = warned(log)
		*d.suspicions = append(*d.suspicions, reads...)
		m.reads = reads
	}
	if err := m.bind(src, file); err != nil {
		return nil, errors.Join(fmt.Errorf("sim: compiled %s: %w", src.Name, err), lib.Close())
	}
	*d.modules = append(*d.modules, m)
	return m, nil
}

func (m *module) bind(src gpu.Source, file string) error {
	if hasShared(src) {
		var err error
		if m.shared, err = m.library.Symbol("bench_sim_shared"); err != nil {
			return err
		}
	}
	static := map[string]int{}
	symbols, err := threadLocals(file)
	if err != nil {
		return err
	}
	if m.device.checks {
		if err := m.findVariables(symbols); err != nil {
			return err
		}
		m.benign = spansOf(file, src.Benign)
	}
	for _, s := range symbols {
		if strings.Contains(s.Name, "bench_sim_anchor") {
			m.anchor = s.Value
		} else if !isGuard(s.Name) {
			static[s.Name] = int(s.Size)
		}
	}
	for i, name := range src.Kernels {
		k := &kernel{module: m, name: name, maxBlock: m.device.facts.MaxThreadsBlock}
		if k.call, err = m.library.Symbol(fmt.Sprintf("bench_sim_call_%d", i)); err != nil {
			return err
		}
		var signature func() string
		if err := m.library.Func(&signature, fmt.Sprintf("bench_sim_signature_%d", i)); err != nil {
			return err
		}
		k.signature = signature()
		var sizes func() *uint32
		if err := m.library.Func(&sizes, fmt.Sprintf("bench_sim_sizes_%d", i)); err != nil {
			return err
		}
		k.sizes = slices.Clone(unsafe.Slice(sizes(), len(k.signature)))
		var types func() string
		if err := m.library.Func(&types, fmt.Sprintf("bench_sim_types_%d", i)); err != nil {
			return err
		}
		k.types = strings.Split(strings.TrimSuffix(types(), ";"), ";")
		if bound := fmt.Sprintf("bench_sim_bound_%d", i); m.library.Has(bound) {
			var f func() int32
			if err := m.library.Func(&f, bound); err != nil {
				return err
			}
			k.maxBlock = min(k.maxBlock, int(f()))
		}
		for symbol, bytes := range static {
			if len(src.Kernels) == 1 || declares(function(name), symbol) {
				k.static += bytes
			}
		}
		m.kernels[name] = k
	}
	for i, name := range src.Globals {
		var at func() *byte
		var bytes func() uint64
		if err := m.library.Func(&at, fmt.Sprintf("bench_sim_global_%d", i)); err != nil {
			return err
		}
		if err := m.library.Func(&bytes, fmt.Sprintf("bench_sim_global_bytes_%d", i)); err != nil {
			return err
		}
		m.globals[name] = unsafe.Slice(at(), bytes())
	}
	return nil
}

// threadLocals returns a library's thread-local variables: the kernels' static __shared__ variables and
// bench_sim_anchor of cpp/kernels.h.
func threadLocals(file string) ([]elf.Symbol, error) {
	f, err := elf.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(symbols, func(s elf.Symbol) bool {
		return elf.ST_TYPE(s.Info) != elf.STT_TLS || s.Section == elf.SHN_UNDEF
	}), nil
}

// isGuard reports whether a symbol is g++'s guard variable, which records that other variables are
// constructed ("Itanium C++ ABI", guard variables). The first bytes of shared memory record it for all of
// them, because CUDA runs no constructor there.
func isGuard(symbol string) bool { return strings.HasPrefix(symbol, "_ZGV") || symbol == "__tls_guard" }

// Kernel returns a kernel that Source.Kernels named.
func (m *module) Kernel(name string) (gpu.Kernel, error) {
	if k := m.kernels[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("sim: kernel %s was not requested when its source was compiled", name)
}

// Global returns a variable that Source.Globals named.
func (m *module) Global(name string) (gpu.Pointer, int64, error) {
	g, ok := m.globals[name]
	if !ok {
		return 0, 0, fmt.Errorf("sim: variable %s was not requested when its source was compiled", name)
	}
	at := gpu.Pointer(unsafe.Pointer(&g[0]))
	m.device.memory.adopt(g)
	m.adopted = append(m.adopted, at)
	return at, int64(len(g)), nil
}

// Log returns g++'s messages.
func (m *module) Log() string { return m.log }

// Unload unloads the compiled code.
func (m *module) Unload() error {
	for _, at := range m.adopted {
		m.device.memory.disown(at)
	}
	m.adopted = nil
	*m.device.modules = slices.DeleteFunc(*m.device.modules, func(x *module) bool { return x == m })
	m.variables.release()
	return m.library.Close()
}

// Attributes returns the static shared memory and the largest block; the rest is unknown. In a source
// with several kernels, the shared variables of functions that a kernel calls do not count.
func (k *kernel) Attributes() (gpu.Attributes, error) {
	return gpu.Attributes{StaticSharedBytes: k.static, MaxThreadsPerBlock: k.maxBlock}, nil
}

// Parameters describes each parameter: "f32*" is a pointer to floats, "f32 i32" a structure, "enum4" an
// enumeration of four bytes, and "?" is unknown.
func (k *kernel) Parameters() []string { return k.types }

// Warn adds text to the device's Warnings.
func (k *kernel) Warn(text string) { k.module.device.warn("kernel " + k.name + ": " + text) }

// ActiveBlocks returns 1, or 0 for a block that cannot run.
func (k *kernel) ActiveBlocks(threads, sharedBytes int) (int, error) {
	if threads > k.maxBlock || sharedBytes+k.static > k.module.device.facts.SharedOptIn {
		return 0, nil
	}
	return 1, nil
}

// ActiveClusters returns the number of clusters that may run at once.
func (k *kernel) ActiveClusters(shape gpu.Launch) (int, error) {
	cluster, block := extent(shape.Cluster), extent(shape.Block)
	if k.checkShape(shape, cluster, block, cluster) != nil {
		return 0, nil
	}
	return max(1, k.module.device.resident/int(cluster[0]*cluster[1]*cluster[2])), nil
}

// launch is struct Launch of cpp/runtime.h.
type launch struct {
	call         uintptr
	args         *unsafe.Pointer
	shared       uintptr
	sharedOffset uint64
	inside       uintptr
	message      *byte
	messageBytes uint64
	warning      *byte
	sharedBytes  uint64
	stackBytes   uint64
	seed         uint64
	limitNs      int64
	regions      *region
	statics      *byte
	regionCount  uint64
	grid         [3]uint32
	block        [3]uint32
	cluster      [3]uint32
	workers      uint32
	resident     uint32
	checks       uint32
	late         uint32
	cooperative  uint32
	_            uint32
	benign       *span
	benignCount  uint64
}

// Launch runs the kernel to its end.
func (k *kernel) Launch(s gpu.Stream, shape gpu.Launch, args ...any) error {
	if err := checkStream(s); err != nil {
		return err
	}
	if err := k.launch(shape, args); err != nil {
		return fmt.Errorf("sim: kernel %s: %w", k.name, err)
	}
	return nil
}

func (k *kernel) launch(shape gpu.Launch, args []any) error {
	grid, block, cluster := extent(shape.Grid), extent(shape.Block), extent(shape.Cluster)
	if err := k.checkShape(shape, grid, block, cluster); err != nil {
		return err
	}
	values, err := k.pack(named{args, shape.Arguments})
	if err != nil {
		return err
	}
	d := k.module.device
	blocks := int(grid[0]) * int(grid[1]) * int(grid[2])
	if shape.Cooperative && blocks > d.resident {
		return fmt.Errorf("cooperative launch of %s: the device holds %d at once (option Resident)", terminal.Count(blocks, "block"), d.resident)
	}
	words := make([]unsafe.Pointer, len(values)+1)
	copy(words, values)
	message, warning := make([]byte, 2048), make([]byte, 2048)
	l := &launch{
		call: k.call, args: &words[0], shared: k.module.shared, sharedOffset: k.module.anchor, inside: k.call,
		message: &message[0], messageBytes: uint64(len(message)), warning: &warning[0],
		sharedBytes: uint64(shape.SharedBytes), stackBytes: stackBytes, seed: d.seed, limitNs: int64(d.limit),
		grid: grid, block: block, cluster: cluster,
		workers: uint32(d.workers), resident: uint32(d.resident),
	}
	if shape.Cooperative {
		l.cooperative = 1
	}
	var pins runtime.Pinner
	if d.checks {
		l.checks = 1
		regions := append(d.memory.regions(), k.module.variables.region)
		slices.SortFunc(regions, func(a, b region) int { return cmp.Compare(a.low, b.low) })
		l.regions, l.regionCount = &regions[0], uint64(len(regions))
		pins.Pin(l.regions)
		if spans := k.module.benign; len(spans) > 0 {
			l.benign, l.benignCount = &spans[0], uint64(len(spans))
			pins.Pin(l.benign)
		}
		if len(k.module.statics) > 0 {
			l.statics = &k.module.statics[0]
			pins.Pin(l.statics)
		}
	}
	for _, p := range []any{l, &words[0], &message[0], &warning[0]} {
		pins.Pin(p)
	}
	for i := range values {
		pins.Pin(values[i])
	}
	failed := d.run(l)
	pins.Unpin()
	if text, _, _ := bytes.Cut(warning, []byte{0}); len(text) > 0 {
		k.Warn(string(text))
	}
	if failed == 0 {
		return d.memory.check()
	}
	text, _, _ := bytes.Cut(message, []byte{0})
	err = &Fault{k.suspect(k.translate(string(text), named{args, shape.Arguments}, shape.SharedBytes))}
	if l.late != 0 {
		return fmt.Errorf("%w: %w", ErrLimit, err)
	}
	return err
}

func extent(d gpu.Dim3) [3]uint32 {
	return [3]uint32{uint32(max(d.X, 1)), uint32(max(d.Y, 1)), uint32(max(d.Z, 1))}
}

func triple(v [3]uint32) string { return fmt.Sprintf("%d,%d,%d", v[0], v[1], v[2]) }

// checkShape refuses a launch that a device with these facts refuses (CUDA C++ Programming Guide, table
// of technical specifications per compute capability).
func (k *kernel) checkShape(shape gpu.Launch, grid, block, cluster [3]uint32) error {
	facts := k.module.device.facts
	for _, d := range []gpu.Dim3{shape.Grid, shape.Block, shape.Cluster} {
		if d.X < 0 || d.Y < 0 || d.Z < 0 {
			return fmt.Errorf("negative extent in %+v", shape)
		}
	}
	threads := int(block[0]) * int(block[1]) * int(block[2])
	switch {
	case shape.Grid.X > 1<<31-1 || grid[1] > 65535 || grid[2] > 65535:
		return fmt.Errorf("grid of (%s) blocks: at most (2147483647,65535,65535) can be launched", triple(grid))
	case block[2] > 64 || shape.Block.X > facts.MaxThreadsBlock || shape.Block.Y > facts.MaxThreadsBlock || threads > facts.MaxThreadsBlock:
		return fmt.Errorf("block of (%s) threads: %s has at most %d, and 64 in z", triple(block), facts.Name, facts.MaxThreadsBlock)
	case threads > k.maxBlock:
		return fmt.Errorf("block of %s: its __launch_bounds__ allows %d", terminal.Count(threads, "thread"), k.maxBlock)
	case shape.SharedBytes < 0 || k.static > facts.SharedPerBlock || k.static+shape.SharedBytes > max(facts.SharedOptIn, facts.SharedPerBlock):
		return fmt.Errorf("%d static + %d dynamic bytes of shared memory: %s has at most %d, of them %d static",
			k.static, shape.SharedBytes, facts.Name, max(facts.SharedOptIn, facts.SharedPerBlock), facts.SharedPerBlock)
	}
	size := int(cluster[0]) * int(cluster[1]) * int(cluster[2])
	switch {
	case size > 1 && facts.ComputeMajor < 9:
		return fmt.Errorf("cluster of %s: %s has compute capability %d.%d, and clusters need 9.0", terminal.Count(size, "block"), facts.Name, facts.ComputeMajor, facts.ComputeMinor)
	case size > 16:
		return fmt.Errorf("cluster of %s: compute capability 9.0 has at most 16", terminal.Count(size, "block"))
	case grid[0]%cluster[0] != 0 || grid[1]%cluster[1] != 0 || grid[2]%cluster[2] != 0:
		return fmt.Errorf("grid of (%s) blocks is not a multiple of the cluster's (%s)", triple(grid), triple(cluster))
	}
	return nil
}
