package kernel

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/pages"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/trust"
)

// compilerName returns the name of the system's C compiler.
func compilerName() string { return cmp.Or(os.Getenv("CC"), "cc") }

func compilerAvailable() error {
	_, err := findCompiler()
	return err
}

// findCompiler returns the path of the C compiler.
func findCompiler() (string, error) {
	path, err := trust.Self().Program(compilerName())
	if errors.Is(err, trust.ErrUntrusted) {
		return "", fmt.Errorf("the C compiler: %w", err)
	}
	if err != nil {
		return "", fmt.Errorf("the C compiler %s is not found; get one with: apt-get install gcc (or name it in CC)", compilerName())
	}
	return path, nil
}

// call is a C function ready to be called with a problem's arguments.
type call struct {
	library *library
	f       func(arguments *unsafe.Pointer)
	vectors map[int]vector
	free    []func() // for inputs, whose memory is freed with the call
	scalars []vector
	// constants holds the problem's constants that are not filled from an argument, by index.
	constants map[int]vector
	double    bool
	pointer   []unsafe.Pointer // one for each argument; scratch has none
	p         *problem
}

// callText returns the C text of the call, with which the compiler checks the function's types. The arguments
// passed are as in newCall.
func (a *algorithm) callText(f *function, params framework.Values) string {
	const byAddress, byValue = "(%s *)argument[%d]", "*(%s *)argument[%d]"
	var passed []string
	pass := func(o *operand, vector bool) {
		e, form := o.element(params), byValue
		if f.Double && e.widens() {
			e = e.double()
		}
		if vector {
			form = byAddress
		}
		passed = append(passed, fmt.Sprintf(form, e.c, len(passed)))
	}
	for i := range a.arguments {
		if o := &a.arguments[i]; o.inC() {
			pass(o, o.isVector())
		}
	}
	for i := range a.common {
		if g := &a.common[i]; g.from < 0 {
			pass(&g.operand, g.isVector())
		}
	}
	return fmt.Sprintf("#line 1 %q\nvoid bench_call(void **argument) { %s(%s); }\n",
		"the call of "+f.Function, f.Function, strings.Join(passed, ", "))
}

// newCall compiles the function. The function gets the arguments in their order, without scratch, and then
// the constants that are not filled from an argument. The call is C, so that the compiler checks their types.
// sizes holds the sizes of vectors; compile makes the library.
func newCall(p *problem, f *function, sizes []int64, compile func() (*library, error)) (_ *call, err error) {
	c := &call{p: p, vectors: map[int]vector{}, constants: map[int]vector{}, double: f.Double}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.close())
		}
	}()
	pass := func(v vector) vector {
		if f.Double {
			v = v.widened()
		}
		c.pointer = append(c.pointer, v.pointer())
		return v
	}
	for i := range p.a.arguments {
		o := &p.a.arguments[i]
		if !o.inC() {
			continue
		}
		if o.isVector() {
			v, err := c.vector(i, sizes[i], f.Double)
			if err != nil {
				return nil, fmt.Errorf("argument %s: %w", o.Name, err)
			}
			c.vectors[i] = pass(v)
			continue
		}
		v := newVector(p.element(i), 1)
		if err := v.assign(p, o); err != nil {
			return nil, err
		}
		c.scalars = append(c.scalars, pass(v))
	}
	for i := range p.a.common {
		g := &p.a.common[i]
		if g.from >= 0 {
			continue
		}
		v, err := p.content(g, i)
		if err != nil {
			return nil, fmt.Errorf("constant %s: %w", g.Name, err)
		}
		c.constants[i] = pass(v)
	}
	if c.library, err = compile(); err != nil {
		return nil, err
	}
	if err := c.library.Func(&c.f, callSymbol); err != nil {
		return nil, err
	}
	return c, nil
}

// vector returns an argument of n elements as it is before a run, with floats in double precision if wide.
// Only answers outlive the call. Inputs are on pages of their own: on a heap, later allocations reuse their
// space or not by chance, so that the memory a point takes would also depend on chance.
func (c *call) vector(i int, n int64, wide bool) (vector, error) {
	e := c.p.element(i)
	if wide && e.widens() {
		e = e.double()
	}
	v := vector{element: e, size: n}
	if c.p.a.arguments[i].isAnswer() {
		v = newVector(e, n)
	} else {
		data, free, err := pages.New[byte](n * e.bytes)
		if err != nil {
			return v, err
		}
		c.free, v.data = append(c.free, free), data
	}
	c.p.start(v, i)
	return v, nil
}

// assign sets a vector of one element to a scalar argument.
func (v vector) assign(p *problem, o *operand) error {
	x, err := p.a.scalar(o, v.element, settingsOf(p.params))
	if err != nil {
		return err
	}
	switch x := x.(type) {
	case float32:
		*(*float32)(v.pointer()) = x
	case float64:
		*(*float64)(v.pointer()) = x
	case int32:
		*(*int32)(v.pointer()) = x
	case uint32:
		*(*uint32)(v.pointer()) = x
	case int64:
		*(*int64)(v.pointer()) = x
	case uint64:
		*(*uint64)(v.pointer()) = x
	case gpu.Raw:
		copy(v.data, x)
	}
	return nil
}

// withMacros adds -D options.
func withMacros(options []string, macros map[string]string) []string {
	list := slices.Clone(options)
	for _, name := range slices.Sorted(maps.Keys(macros)) {
		list = append(list, "-D"+name+"="+macros[name])
	}
	return list
}

// compile makes a library from the function with the compiler's options.
func (p *problem) compile(f *function, options []string) (*library, error) {
	path, err := filepath.Abs(p.a.inFolder(f.Source))
	if err != nil {
		return nil, err
	}
	return compileC(p.a.callText(f, p.params), path, options)
}

// compileC compiles C text that follows the file at path, and loads the library.
func compileC(text, path string, options []string) (*library, error) {
	folder, err := safefile.TempFolder("bench-c-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file, err := makeLibrary(folder, text, path, options)
	if err != nil {
		return nil, err
	}
	return loadLibrary(file, path)
}

// makeLibrary makes a library in a folder.
func makeLibrary(folder, text, path string, options []string) (file string, err error) {
	compiler, err := findCompiler()
	if err != nil {
		return "", err
	}
	source, file := filepath.Join(folder, "call.c"), filepath.Join(folder, "call.so")
	if err := os.WriteFile(source, []byte(text), 0o600); err != nil {
		return "", err
	}
	// -z nodelete keeps the library when it is closed: threads that the function started, such as OpenMP's,
	// go on running its code.
	args := []string{"-O3", "-fPIC", "-shared", "-Wl,-z,nodelete,-z,relro,-z,now", "-fdiagnostics-color=never", "-fno-diagnostics-show-caret",
		"-Werror=incompatible-pointer-types", "-Werror=int-conversion", "-Werror=implicit-function-declaration"}
	args = append(args, options...)
	again := inThisProcess(compiler, text, path, args)
	if again.take(file) {
		return file, nil
	}
	kept := ""
	if lasting(options) {
		kept = keptLibrary(compiler, source, path, args)
	}
	if kept == "" || !takeLibrary(kept, file) {
		// A name in an #include cannot have quotes.
		cmd := exec.Command(compiler, append(args, "-include", "stdint.h", "-include", path, "-o", file, source, "-lm")...)
		cmd.Env = append(os.Environ(), "TMPDIR="+folder) // for object files, whose names the linker records
		var limited *hostcompiler.Limited
		if out, err := hostcompiler.Combined(cmd, path); errors.As(err, &limited) {
			return "", fmt.Errorf("compile %s: %w", path, err)
		} else if err != nil {
			return "", &gpu.CompileError{Name: path, Log: lastLines(withoutFolder(out, folder)), Err: err}
		}
		if kept != "" {
			keepLibrary(file, kept)
		}
	}
	again.keep(file)
	return file, nil
}

// loadLibrary loads the library of the file at path.
func loadLibrary(file, path string) (*library, error) {
	l, err := openLibrary(file)
	if errors.Is(err, dynlib.ErrNoExec) {
		return nil, fmt.Errorf("load %s, compiled in %s: %w; set TMPDIR to a folder of another one", path, os.TempDir(), dynlib.ErrNoExec)
	}
	if err != nil {
		return nil, fmt.Errorf("load %s: %s", path, withoutFolder([]byte(err.Error()), filepath.Dir(file)))
	}
	return l, nil
}

// withoutFolder removes random names from the messages of a compiler or loader, so that equal mistakes have
// equal messages. A run's summary groups its points by message.
func withoutFolder(log []byte, folder string) []byte {
	here := folder + string(filepath.Separator)
	log = regexp.MustCompile(regexp.QuoteMeta(here)+`[\w-]+\.o\b`).ReplaceAll(log, []byte("call.o"))
	return bytes.ReplaceAll(log, []byte(here), nil)
}

// run calls the function.
func (c *call) run() { c.f(&c.pointer[0]) }

// answers returns the outputs as the function left them.
func (c *call) answers() map[int]vector {
	list := map[int]vector{}
	for _, i := range c.p.a.answers() {
		list[i] = c.vectors[i]
	}
	return list
}

// reset restores what the function changes.
func (c *call) reset() {
	for i, v := range c.p.inputs {
		if c.p.a.arguments[i].Use == inPlace {
			copy(c.vectors[i].data, v.data)
		}
	}
}

// refill sets vectors and constants to what they hold before a run of p, a problem of the same point.
func (c *call) refill(p *problem) error {
	c.p = p
	for i, v := range c.vectors {
		if p.a.arguments[i].isFilled() {
			p.start(v, i)
		}
	}
	for i, v := range c.constants {
		content, err := p.content(&p.a.common[i], i)
		if err != nil {
			return err
		}
		if c.double {
			content = content.widened()
		}
		copy(v.data, content.data)
	}
	return nil
}

func (c *call) close() error {
	for _, free := range c.free {
		free()
	}
	if c.library == nil {
		return nil
	}
	return c.library.Close()
}
