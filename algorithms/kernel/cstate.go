package kernel

import (
	"bytes"
	"debug/elf"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"unsafe"

	"example.org/bench/framework"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/dynlib"
	"example.org/bench/internal/safefile"
)

// library is a loaded C library whose variables can be restored to their values at load time.
type library struct {
	*dynlib.Library
	image []byte
	// state is the memory of the variables, and first a copy of their first values.
	state, first []byte
	// code is the loaded machine code, and made the same code in the file.
	code, made []byte
}

// mostLibraryBytes is the largest compiled library that is read.
const mostLibraryBytes = 256 << 20

// callSymbol is the function that calls a version's function.
const callSymbol = "bench_call"

func openLibrary(file string) (*library, error) {
	l, err := dynlib.Open(file)
	if err != nil {
		return nil, err
	}
	image, err := bounded.ReadFile(file, mostLibraryBytes)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	x := &library{Library: l, image: image}
	if err := x.find(); err != nil {
		return nil, errors.Join(fmt.Errorf("find code and variables of a C library: %w", err), l.Close())
	}
	x.first = bytes.Clone(x.state)
	return x, nil
}

// find finds the code of the library and the memory that it may write while it runs: its writable segment
// without the part that the loader fills in and then protects (PT_GNU_RELRO).
func (x *library) find() error {
	file, err := elf.NewFile(bytes.NewReader(x.image))
	if err != nil {
		return err
	}
	symbols, err := file.DynamicSymbols()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(symbols, func(s elf.Symbol) bool {
		return elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Section != elf.SHN_UNDEF && elf.ST_BIND(s.Info) == elf.STB_GLOBAL
	})
	if i < 0 {
		return errors.New("it has no function")
	}
	at, err := x.Symbol(symbols[i].Name)
	if err != nil {
		return err
	}
	bias := at - uintptr(symbols[i].Value)
	memory := func(from, to uint64) []byte {
		return unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(nil), bias+uintptr(from))), to-from)
	}
	var from, to uint64
	for _, p := range file.Progs {
		switch {
		case p.Type != elf.PT_LOAD:
		case p.Flags&elf.PF_W != 0:
			from, to = p.Vaddr, p.Vaddr+p.Memsz
		case p.Flags&elf.PF_X != 0 && p.Off+p.Filesz <= uint64(len(x.image)):
			x.code, x.made = memory(p.Vaddr, p.Vaddr+p.Filesz), x.image[p.Off:p.Off+p.Filesz]
		}
	}
	page := uint64(os.Getpagesize())
	for _, p := range file.Progs {
		if closed := (p.Vaddr + p.Memsz) / page * page; p.Type == elf.PT_GNU_RELRO && closed > from {
			from = closed
		}
	}
	if from < to {
		x.state = memory(from, to)
	}
	return nil
}

// restore sets the variables to their first values.
func (x *library) restore() { copy(x.state, x.first) }

// anew loads another copy of the library.
func (x *library) anew() (*library, error) {
	folder, err := safefile.TempFolder("bench-c-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "call.so")
	if err := os.WriteFile(file, x.image, 0o700); err != nil {
		return nil, err
	}
	return openLibrary(file)
}

// Renew implements framework.Renewer. It loads the function's library anew.
func (r *cpuRun) Renew() error {
	fresh, err := r.c.library.anew()
	if err != nil {
		return err
	}
	err = r.c.library.Close()
	r.c.library = fresh
	return errors.Join(err, fresh.Func(&r.c.f, callSymbol))
}

// Overwrite implements framework.Overwriter. It erases what an earlier run left in outputs and in the
// library's variables.
func (r *cpuRun) Overwrite(value byte) error {
	placed := r.p
	if r.fresh != nil {
		placed = r.fresh
	}
	for _, i := range r.p.a.answers() {
		switch o := &r.p.a.arguments[i]; {
		case !o.isFilled():
			framework.OverwriteBytes(r.c.vectors[i].data, r.p.poison(value))
		case o.Use != inPlace: // a run may leave parts of it unwritten
			placed.start(r.c.vectors[i], i)
		}
	}
	r.c.library.restore()
	return nil
}

// spots is how many elements of each output OverwriteSpots sets.
const spots = 4

// OverwriteSpots implements framework.SpotOverwriter. It leaves the library's variables.
func (r *cpuRun) OverwriteSpots(value byte) {
	value = r.p.poison(value)
	for _, i := range r.p.a.answers() {
		v := r.c.vectors[i]
		if r.p.a.arguments[i].isFilled() || v.size == 0 {
			continue
		}
		for range spots {
			at := rand.Int64N(v.size) * v.bytes
			framework.OverwriteBytes(v.data[at:at+v.bytes], value)
		}
	}
}

// Intact implements framework.CodeKeeper.
func (r *cpuRun) Intact() error {
	if x := r.c.library; !bytes.Equal(x.code, x.made) {
		return framework.ErrCodeChanged
	}
	return nil
}
