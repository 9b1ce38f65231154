package dynlib

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// BindAll binds every field of functions, a pointer to a struct, that has the
// tag "symbol": a function, or a uintptr for the address alone. The tag holds
// the symbols to try, in order, separated by spaces; a field with the tag
// "optional" stays zero where the library has none of them. A field of type
// *Library becomes the library itself. In the symbols replace's strings, which
// are pairs as strings.NewReplacer takes them, are replaced.
func (l *Library) BindAll(functions any, replace ...string) error {
	replacer := strings.NewReplacer(replace...)
	s := reflect.ValueOf(functions).Elem()
	for i := range s.NumField() {
		field := s.Type().Field(i)
		fn := reflect.NewAt(field.Type, unsafe.Pointer(s.Field(i).UnsafeAddr())).Interface()
		if whole, ok := fn.(**Library); ok {
			*whole = l
			continue
		}
		symbols := strings.Fields(replacer.Replace(field.Tag.Get("symbol")))
		if len(symbols) == 0 {
			continue
		}
		_, optional := field.Tag.Lookup("optional")
		if !l.Bind(fn, symbols...) && !optional {
			return fmt.Errorf("%s has no symbol %s", l.Name, strings.Join(symbols, " or "))
		}
	}
	return nil
}

// Peer is a library of others that some versions need, and F its functions as
// BindAll takes them. It is loaded when it is first asked for, once.
type Peer[F any] struct {
	Name  string   // as its makers write it
	Files []string // the first that loads is taken
	// Install says how to get the library, and Release which has all functions; in both
	// %s is what Package returns, if there is one.
	Install, Release string
	Package          func() string
	Replace          []string // in the names of symbols
	// Start does what comes before the first use; nil: nothing.
	Start func(*F) error

	mu        sync.Mutex
	functions *F
	err       error // of the library that was loaded
}

// Functions are the library's; the error says how to get it. What cannot be loaded is
// looked for again when asked again: there may have been too many open files.
func (p *Peer[F]) Functions() (*F, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.functions == nil && p.err == nil {
		lib, err := p.load(p.Files)
		if err != nil {
			return nil, err
		}
		p.functions, p.err = p.start(lib)
	}
	return p.functions, p.err
}

// Available is a Version's: nil where the library can be used.
func (p *Peer[F]) Available() error {
	_, err := p.Functions()
	return err
}

// Open loads the first of files that is there, apart from what Functions
// loaded.
func (p *Peer[F]) Open(files ...string) (*F, error) {
	lib, err := p.load(files)
	if err != nil {
		return nil, err
	}
	return p.start(lib)
}

func (p *Peer[F]) load(files []string) (*Library, error) {
	lib, err := Open(files...)
	if err != nil {
		return nil, fmt.Errorf("%s not found; %s: %w", p.Name, p.advice(p.Install), err)
	}
	return lib, nil
}

func (p *Peer[F]) start(lib *Library) (*F, error) {
	f := new(F)
	if err := lib.BindAll(f, p.Replace...); err != nil {
		return nil, fmt.Errorf("%s: %w; %s", p.Name, err, p.advice(p.Release))
	}
	if p.Start != nil {
		if err := p.Start(f); err != nil {
			return nil, fmt.Errorf("%s: %w", p.Name, errors.Join(err, lib.Close()))
		}
	}
	return f, nil
}

func (p *Peer[F]) advice(text string) string {
	if p.Package == nil {
		return text
	}
	return strings.ReplaceAll(text, "%s", p.Package())
}

// OpenBLAS is the library of that name, or what else is installed as LAPACK:
// under the names of Debian, Fedora and your own build.
func OpenBLAS[F any]() *Peer[F] {
	return &Peer[F]{
		Name:    "OpenBLAS",
		Files:   []string{"libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0", "liblapack.so.3"},
		Install: "install it with its LAPACK, for example with `apt-get install %s`",
		Release: "a build with LAPACK is needed, for example `apt-get install %s`",
		Package: func() string { return openBLASPackage(osRelease) },
	}
}
