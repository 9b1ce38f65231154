// Package dynlib loads shared libraries at run time, without cgo, and reports what is missing as errors
// instead of panics.
package dynlib

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"github.com/ebitengine/purego"
)

// ErrNoExec is wrapped by Open's error about a library on a file system from which no code can be loaded.
var ErrNoExec = errors.New("its file system is mounted noexec: no code can be loaded from there")

// notFound begins Open's text about names that do not exist.
const notFound = "not found: "

// Library is a loaded shared library.
type Library struct {
	Name   string // the name under which it was found
	handle uintptr
}

// Open loads the first of names that the dynamic loader finds; a name may be
// a path. The error lists the names that do not exist and, for one that
// exists but cannot be loaded, the loader's reason.
func Open(names ...string) (*Library, error) {
	if len(names) == 0 {
		return nil, errors.New("dynlib: no library name given")
	}
	// dlerror reports the last failure on its own thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var absent []string
	var reasons []error
	for _, n := range names {
		h, err := dlopen(n)
		if err == nil {
			return &Library{Name: n, handle: h}, nil
		}
		switch {
		case strings.HasPrefix(err.Error(), n+": cannot open shared object file"):
			absent = append(absent, n)
		case strings.Contains(n, "/") && mounted(n)&noExec != 0:
			reasons = append(reasons, fmt.Errorf("%s: %w", n, ErrNoExec))
		default:
			reasons = append(reasons, errors.New(err.Error()))
		}
	}
	if len(absent) > 0 {
		reasons = append(reasons, errors.New(notFound+strings.Join(absent, ", ")))
	}
	return nil, all(reasons)
}

// all joins several reasons on one line.
type all []error

func (a all) Error() string {
	var texts []string
	for _, err := range a {
		texts = append(texts, err.Error())
	}
	return strings.Join(texts, "; ")
}

// Unwrap lets errors.Is look at each reason.
func (a all) Unwrap() []error { return a }

// Symbol returns the address of symbol, for code that other libraries call and for calls too frequent for
// reflection. A missing symbol is an error that names library and symbol.
func (l *Library) Symbol(symbol string) (uintptr, error) {
	addr, err := dlsym(l.handle, symbol)
	if err != nil {
		return 0, fmt.Errorf("%s has no symbol %s", l.Name, symbol)
	}
	return addr, nil
}

// Func binds *fn, a pointer to a Go function variable, to symbol. A missing
// symbol is an error that names library and symbol. The caller must get
// fn's type right: nothing can check it.
func (l *Library) Func(fn any, symbol string) error {
	addr, err := l.Symbol(symbol)
	if err != nil {
		return err
	}
	purego.RegisterFunc(fn, addr)
	return nil
}

// Bind binds fn, a function variable or a *uintptr for the address alone, to
// the first of symbols that the library has. It reports whether it has one.
func (l *Library) Bind(fn any, symbols ...string) bool {
	for _, symbol := range symbols {
		if addr, raw := fn.(*uintptr); raw {
			if a, err := l.Symbol(symbol); err == nil {
				*addr = a
				return true
			}
			continue
		}
		if l.Func(fn, symbol) == nil {
			return true
		}
	}
	return false
}

// Has reports whether the library exports symbol.
func (l *Library) Has(symbol string) bool {
	_, err := dlsym(l.handle, symbol)
	return err == nil
}

// Close unloads the library. Functions bound from it must not be called
// afterwards.
func (l *Library) Close() error { return dlclose(l.handle) }
