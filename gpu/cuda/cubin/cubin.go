// Package cubin reads the resources of each kernel from compiled CUDA code,
// without a GPU.
package cubin

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// A cubin is an ELF file of machine EM_CUDA. The layout is not published. What
// is used here, and its names, come from the output of cuobjdump -elf, and
// agree with all that ptxas reports (see the tests). The fields of e_flags are
// in LLVM's BinaryFormat/ELF.h.
const (
	attrMaxThreads   = 0x05 // EIATTR_MAX_THREADS: x, y, z of __launch_bounds__
	attrRequired     = 0x10 // EIATTR_REQNTID: x, y, z of .reqntid
	attrFrameSize    = 0x11 // EIATTR_FRAME_SIZE: symbol, bytes
	attrMinStackSize = 0x12 // EIATTR_MIN_STACK_SIZE: symbol, bytes with callees
	attrRegisters    = 0x2f // EIATTR_REGCOUNT: symbol, count

	formatSized = 4 // EIFMT_SVAL: the value's bytes follow the attribute

	entryPoint = 0x10 // STO_CUDA_ENTRY in a symbol's st_other

	// From compute capability 9.0 on, .nv.shared.KERNEL begins with the bytes that the system takes from
	// each block (Facts.SharedReserved).
	reservedFrom, reservedBytes = 90, 1024
)

// header offsets of ELF64.
const (
	offsetABIVersion = 0x08
	offsetVersion    = 0x14
	offsetFlags      = 0x30
	headerBytes      = 0x40
)

// Kernels returns the resources of every __global__ function in a cubin, by
// name. LocalBytes is the stack that the kernel and its callees need, spilled
// registers included; a kernel whose stack the compiler cannot bound
// (recursion) is an error. ConstBytes are the module's __constant__ variables.
// MaxThreadsPerBlock is the product of the kernel's launch bounds, zero if it
// states none.
func Kernels(code []byte) (map[string]gpu.Attributes, error) {
	file, arch, err := open(code)
	if err != nil {
		return nil, fmt.Errorf("cubin: %w", err)
	}
	kernels, err := read(file, arch)
	if err != nil {
		return nil, fmt.Errorf("cubin: %w", err)
	}
	return kernels, nil
}

// Variables returns the sizes in bytes of the __constant__ and __device__ variables
// in a cubin, by name.
func Variables(code []byte) (map[string]int64, error) {
	list := map[string]int64{}
	err := eachVariable(code, func(_ *elf.File, s elf.Symbol) { list[s.Name] = int64(s.Size) })
	return list, err
}

// Writable returns the names of the variables that kernels can write, of a cubin or of PTX.
func Writable(code []byte) (names []string, err error) {
	if !bytes.HasPrefix(code, []byte(elf.ELFMAG)) {
		return writableOfPTX(string(code)), nil
	}
	err = eachVariable(code, func(file *elf.File, s elf.Symbol) {
		if int(s.Section) < len(file.Sections) && strings.HasPrefix(file.Sections[s.Section].Name, ".nv.global") {
			names = append(names, s.Name)
		}
	})
	return names, err
}

// eachVariable calls f for each __constant__ and __device__ variable of a cubin.
func eachVariable(code []byte, f func(file *elf.File, s elf.Symbol)) error {
	file, _, err := open(code)
	if err != nil {
		return fmt.Errorf("cubin: %w", err)
	}
	symbols, err := file.Symbols()
	if err != nil {
		return fmt.Errorf("cubin: %w", err)
	}
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_OBJECT {
			f(file, s)
		}
	}
	return nil
}

// CodeBytes returns the size of every kernel's machine code, padding included, by name.
func CodeBytes(code []byte) (map[string]int, error) {
	file, _, err := open(code)
	if err != nil {
		return nil, fmt.Errorf("cubin: %w", err)
	}
	list := map[string]int{}
	for _, s := range file.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".text."); ok && s.Size <= math.MaxInt32 {
			list[name] = int(s.Size)
		}
	}
	return list, nil
}

// open returns the ELF file and its compute capability.
func open(code []byte) (*elf.File, int, error) {
	if len(code) < headerBytes || !bytes.HasPrefix(code, []byte(elf.ELFMAG)) ||
		elf.Class(code[elf.EI_CLASS]) != elf.ELFCLASS64 || elf.Data(code[elf.EI_DATA]) != elf.ELFDATA2LSB {
		return nil, 0, errors.New("not a 64-bit little-endian ELF file")
	}
	flags := binary.LittleEndian.Uint32(code[offsetFlags:])
	arch := int(flags & 0xff)
	if code[offsetABIVersion] >= 8 {
		arch = int(flags >> 8 & 0xff)
	}
	// e_version holds CUDA's version, but debug/elf insists on ELF's.
	code = bytes.Clone(code)
	binary.LittleEndian.PutUint32(code[offsetVersion:], uint32(elf.EV_CURRENT))
	file, err := elf.NewFile(bytes.NewReader(code))
	if err != nil {
		return nil, 0, err
	}
	if file.Machine != elf.EM_CUDA {
		return nil, 0, fmt.Errorf("machine %v, want EM_CUDA", file.Machine)
	}
	return file, arch, nil
}

// symbolInfo holds the attributes that .nv.info gives to a function's symbol.
type symbolInfo struct {
	registers    int
	hasRegisters bool
	frame, stack int64
}

// depthUnknown stands for the stack of a function whose calls may recur.
const depthUnknown = math.MaxUint32

func read(file *elf.File, arch int) (map[string]gpu.Attributes, error) {
	symbols, err := file.Symbols()
	if err != nil {
		return nil, err
	}
	infos, err := readModuleInfo(file)
	if err != nil {
		return nil, err
	}
	constBytes, err := sectionBytes(file, ".nv.constant3")
	if err != nil {
		return nil, err
	}
	kernels := map[string]gpu.Attributes{}
	for i, s := range symbols {
		if elf.ST_TYPE(s.Info) != elf.STT_FUNC || s.Other&entryPoint == 0 {
			continue
		}
		info := infos[uint32(i+1)] // Symbols leaves out symbol 0
		if !info.hasRegisters {
			return nil, fmt.Errorf("kernel %s: .nv.info has no register count", s.Name)
		}
		a := gpu.Attributes{Registers: info.registers, ConstBytes: constBytes}
		if a.StaticSharedBytes, err = sectionBytes(file, ".nv.shared."+s.Name); err != nil {
			return nil, err
		}
		if arch >= reservedFrom {
			a.StaticSharedBytes = max(0, a.StaticSharedBytes-reservedBytes)
		}
		local := max(info.stack, info.frame)
		if info.stack == depthUnknown {
			return nil, fmt.Errorf("kernel %s: the compiler could not bound its stack: it calls functions recursively or by pointer", s.Name)
		}
		if local > math.MaxInt32 {
			return nil, fmt.Errorf("kernel %s: stack of %s", s.Name, terminal.Count(local, "byte"))
		}
		a.LocalBytes = int(local)
		if a.MaxThreadsPerBlock, err = launchBounds(file, s.Name); err != nil {
			return nil, err
		}
		kernels[s.Name] = a
	}
	return kernels, nil
}

// sectionBytes returns the size of a section; zero where there is none.
func sectionBytes(file *elf.File, name string) (int, error) {
	s := file.Section(name)
	if s == nil {
		return 0, nil
	}
	if s.Size > math.MaxInt32 {
		return 0, fmt.Errorf("section %s of %s", name, terminal.Count(s.Size, "byte"))
	}
	return int(s.Size), nil
}

// readModuleInfo reads section .nv.info, which describes all functions by
// the index of their symbol.
func readModuleInfo(file *elf.File) (map[uint32]symbolInfo, error) {
	infos := map[uint32]symbolInfo{}
	err := eachAttribute(file, ".nv.info", func(attr byte, value []byte) error {
		if attr != attrRegisters && attr != attrFrameSize && attr != attrMinStackSize {
			return nil
		}
		if len(value) < 8 {
			return fmt.Errorf(".nv.info: attribute %#x of %s, want 8", attr, terminal.Count(len(value), "byte"))
		}
		symbol, n := binary.LittleEndian.Uint32(value), binary.LittleEndian.Uint32(value[4:])
		info := infos[symbol]
		switch attr {
		case attrRegisters:
			if n > 1<<16 {
				return fmt.Errorf(".nv.info: %d registers", n)
			}
			info.registers, info.hasRegisters = int(n), true
		case attrFrameSize:
			info.frame = int64(n)
		case attrMinStackSize:
			info.stack = int64(n)
		}
		infos[symbol] = info
		return nil
	})
	return infos, err
}

// launchBounds returns the largest block that a kernel was compiled for; zero if the section does not
// say.
func launchBounds(file *elf.File, kernel string) (int, error) {
	threads := 0
	name := ".nv.info." + kernel
	err := eachAttribute(file, name, func(attr byte, value []byte) error {
		if attr != attrMaxThreads && attr != attrRequired {
			return nil
		}
		if len(value) < 12 {
			return fmt.Errorf("%s: attribute %#x of %s, want 12", name, attr, terminal.Count(len(value), "byte"))
		}
		threads = 1
		for axis := range 3 {
			n := binary.LittleEndian.Uint32(value[4*axis:])
			if n > 1<<16 || threads > 1<<16 {
				return fmt.Errorf("%s: launch bounds beyond any block", name)
			}
			threads *= int(n)
		}
		return nil
	})
	return threads, err
}

// eachAttribute calls f with the attributes of a section that carry bytes.
// Each begins with its format, its attribute and two bytes: the number of
// bytes that follow, or a short value.
func eachAttribute(file *elf.File, section string, f func(attr byte, value []byte) error) error {
	s := file.Section(section)
	if s == nil {
		return nil
	}
	data, err := s.Data()
	if err != nil {
		return fmt.Errorf("section %s: %w", section, err)
	}
	for len(data) > 0 {
		if len(data) < 4 {
			return fmt.Errorf("section %s: %s left over", section, terminal.Count(len(data), "byte"))
		}
		format, attr, n := data[0], data[1], int(binary.LittleEndian.Uint16(data[2:]))
		data = data[4:]
		if format != formatSized {
			continue
		}
		if n > len(data) {
			return fmt.Errorf("section %s: attribute %#x of %s, %d are left", section, attr, terminal.Count(n, "byte"), len(data))
		}
		if err := f(attr, data[:n]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}
