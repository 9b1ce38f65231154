package opencl

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/lazy"
)

// Module is a program built for a device.
type Module struct {
	d       *Device
	name    string
	program program
	log     string
	kernels []*Kernel
	takes   map[string][]uint32 // Kernel.takes by kernel, of a program from the cache
}

// Compile builds src, OpenCL C, for the device, or takes the driver's code from the disk cache. A compiler error is a
// *gpu.CompileError.
func (d *Device) Compile(src gpu.Source) (gpu.Module, error) {
	if src.Image != nil {
		return nil, fmt.Errorf("%s is compiled code, which OpenCL here does not take: want OpenCL C", src.Name)
	}
	whole, err := oneText(src)
	if err != nil {
		return nil, &gpu.CompileError{Name: src.Name, Err: err}
	}
	// Without -cl-kernel-arg-info a driver need not say what arguments a kernel takes.
	options := strings.Join(append([]string{"-cl-kernel-arg-info"}, src.Options...), " ")
	file := d.cached(src.Name, whole, options)
	if m := d.load(file, src.Name, options); m != nil {
		return m, nil
	}
	b := append([]byte(whole), 0)
	at, length := &b[0], uintptr(len(whole))
	var r Result
	m := &Module{d: d, name: src.Name}
	m.program = d.api.createProgram(d.context, 1, &at, &length, &r)
	runtime.KeepAlive(b)
	if r != success {
		return nil, fmt.Errorf("compile %s: %w", src.Name, check("clCreateProgramWithSource", r))
	}
	built := d.api.buildProgram(m.program, 1, &d.id, options, 0, 0)
	log, logErr := text("clGetProgramBuildInfo", func(bytes uintptr, value unsafe.Pointer, size *uintptr) Result {
		return d.api.getProgramBuildInfo(m.program, d.id, programBuildLog, bytes, value, size)
	})
	kept := &gpu.Log{}
	kept.Write([]byte(placed(log, src)))
	m.log = kept.String()
	if built != success {
		err := check("clBuildProgram", built)
		if logErr != nil && m.log == "" {
			err = errors.Join(err, logErr)
		}
		return nil, errors.Join(&gpu.CompileError{Name: src.Name, Log: m.log, Err: err}, m.Unload())
	}
	m.store(file)
	return m, nil
}

// include finds a line that includes a file.
var include = lazy.Regexp(`(?m)^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">][^\n]*$`)

// mostText bounds a program with all that it includes.
const mostText = 32 << 20

// oneText returns a source as one text: its macros first, and each included file in place of its #include. OpenCL's
// drivers look for files in different ways and disagree on quotes in options.
func oneText(src gpu.Source) (string, error) {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(src.Defines)) {
		fmt.Fprintf(&b, "#define %s %s\n", name, src.Defines[name])
	}
	once := map[string]bool{}
	var put func(name, folder, text string, depth int) error
	put = func(name, folder, text string, depth int) error {
		if depth > 64 {
			return fmt.Errorf("%s includes itself, or files nest deeper than 64", name)
		}
		line, last := 1, 0
		fmt.Fprintf(&b, "#line 1 %q\n", name)
		for _, at := range include().FindAllStringSubmatchIndex(text, -1) {
			wanted := text[at[2]:at[3]]
			found, ok := path.Join(folder, wanted), false
			var header string
			for _, found = range []string{path.Join(folder, wanted), wanted} {
				if header, ok = src.Headers[found]; ok {
					break
				}
			}
			if !ok {
				continue // the driver's own, or its error
			}
			b.WriteString(text[last:at[0]])
			line += strings.Count(text[last:at[1]], "\n")
			last = at[1]
			if once[found] {
				continue
			}
			once[found] = strings.Contains(header, "#pragma once")
			if err := put(found, path.Dir(found), header, depth+1); err != nil {
				return err
			}
			if b.Len() > mostText {
				return fmt.Errorf("%s has more than %d bytes with what it includes", src.Name, mostText)
			}
			fmt.Fprintf(&b, "\n#line %d %q", line+1, name)
		}
		b.WriteString(text[last:])
		b.WriteString("\n")
		return nil
	}
	err := put(src.Name, "", src.Text, 0)
	return b.String(), err
}

// placed returns messages with the source's name in place of the driver's own name for a program: NVIDIA's
// <kernel>:3:5, Mesa's <stdin>, or a temporary file.
func placed(log string, src gpu.Source) string {
	for _, own := range []string{"<kernel>", "<stdin>", "input.cl", "<program source>"} {
		log = strings.ReplaceAll(log, own+":", src.Name+":")
	}
	return log
}

// Log returns the compiler's messages.
func (m *Module) Log() string { return m.log }

// Global returns an error: OpenCL has no variables that the host knows.
func (m *Module) Global(name string) (gpu.Pointer, int64, error) {
	return 0, 0, fmt.Errorf("%s in %s: OpenCL's host does not reach variables of a program: pass a __constant argument", name, m.name)
}

// Unload releases the program and its kernels.
func (m *Module) Unload() error {
	var errs []error
	for _, k := range m.kernels {
		errs = append(errs, check("clReleaseKernel", m.d.api.releaseKernel(k.handle)))
	}
	m.kernels = nil
	if m.program != 0 {
		errs = append(errs, check("clReleaseProgram", m.d.api.releaseProgram(m.program)))
		m.program = 0
	}
	return errors.Join(errs...)
}
