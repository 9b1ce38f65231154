package kernel

import (
	"debug/elf"
	"errors"

	"example.org/bench/gpu"
)

// mostStartCode is a bound for the section .init of the compiler's own start files.
const mostStartCode = 64

// startsAlone returns why a library contains more than a function: it runs code when it is loaded, before
// anything is timed or verified, or has parts that outlive it. The error is a *gpu.CompileError. path is the
// library's source.
func startsAlone(file, path string) error {
	made, err := elf.Open(file)
	if err != nil {
		return err
	}
	defer made.Close()
	refuse := func(what string) error {
		return &gpu.CompileError{Name: path, Log: what + "; a function that is judged does all of its work when it is called", Err: errors.New("refused:")}
	}
	// The compiler's start files have one function to be called, frame_dummy.
	pointer := uint64(8)
	if made.Class == elf.ELFCLASS32 {
		pointer = 4
	}
	for _, tag := range []elf.DynTag{elf.DT_INIT_ARRAYSZ, elf.DT_PREINIT_ARRAYSZ} {
		if sizes, err := made.DynValue(tag); err == nil && len(sizes) > 0 && sizes[0] > pointer {
			return refuse("it has a constructor, which runs when the library is loaded")
		}
	}
	if s := made.Section(".init"); s != nil && s.Size > mostStartCode {
		return refuse("it has code in .init, which runs when the library is loaded")
	}
	symbols, err := made.DynamicSymbols()
	if err != nil {
		return err
	}
	if all, err := made.Symbols(); err == nil {
		symbols = append(symbols, all...)
	}
	for _, s := range symbols {
		switch {
		case s.Section == elf.SHN_UNDEF:
		case elf.ST_TYPE(s.Info) == elf.STT_GNU_IFUNC:
			return refuse(s.Name + " is chosen by a function that runs when the library is loaded (ifunc)")
		case elf.ST_BIND(s.Info) == stbUnique:
			return refuse(s.Name + " is unique in the process (STB_GNU_UNIQUE), and outlives the library")
		}
	}
	return nil
}

// stbUnique is STB_GNU_UNIQUE (the GNU C library's elf.h), which debug/elf does not name.
const stbUnique elf.SymBind = 10
