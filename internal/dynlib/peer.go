package dynlib

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// BindAll binds every field of functions, a pointer to a struct, that has the tag "symbol": a function,
// or a uintptr for the address alone. The tag holds the symbols to try, in order, separated by spaces; a
// field with the tag "optional" stays zero where the library has none of them. A field of type *Library
// is set to the library itself. replace holds pairs, as strings.NewReplacer takes them, that are replaced
// in the symbols.
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

// Peer is a third-party library that some versions need. F holds its functions in the form that BindAll
// takes. The library is loaded once, at its first use.
type Peer[F any] struct {
	Name  string   // as its makers write it
	Files []string // the first one that loads is used
	// Install says how to get the library, and Release says which release has all functions. In both, %s
	// is replaced by what Package returns, if Package is set.
	Install, Release string
	Package          func() string
	Replace          []string // in the names of symbols
	// Start prepares the library before its first use; it may be nil.
	Start func(*F) error

	mu        sync.Mutex
	functions *F
	err       error // of the library that was loaded
}

// Functions returns the library's functions; the error says how to get the library. A later call looks
// again for a library that could not be loaded, because there may have been too many open files.
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

// Available is for a Version's field of that name: it returns nil where the library can be used.
func (p *Peer[F]) Available() error {
	_, err := p.Functions()
	return err
}

// Open loads the first of files that exists, independently of Functions.
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

// OpenBLAS returns the library of that name, or another one installed as LAPACK, under the names of
// Debian, Fedora and your own build.
func OpenBLAS[F any]() *Peer[F] {
	return &Peer[F]{
		Name:    "OpenBLAS",
		Files:   []string{"libopenblas.so.0", "libopenblas.so", "libopenblasp.so.0", "liblapack.so.3"},
		Install: "install it with its LAPACK, for example with `apt-get install %s`",
		Release: "a build with LAPACK is needed, for example `apt-get install %s`",
		Package: func() string { return openBLASPackage(osRelease) },
	}
}
