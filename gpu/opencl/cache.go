package opencl

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"example.org/bench/internal/diskcache"
)

// kept is a built program as the disk cache has it.
type kept struct {
	Log  string
	Code []byte // in the driver's own form
	// Takes are the address spaces of each kernel's parameters. A driver tells them only of a program built from source.
	Takes map[string][]uint32
}

// cached returns the disk cache's file for a program. Its name is the SHA-256 of all that the code depends on, the
// driver's version included. It is empty if there is no cache, or if the driver must find a file that the text includes.
func (d *Device) cached(name, text, options string) string {
	folder, err := diskcache.Folder("opencl")
	if err != nil || include().MatchString(text) {
		return ""
	}
	f, o := d.facts, d.facts.OpenCL
	key := sha256.Sum256(fmt.Appendf(nil, "1 %q %q %q %q %q %q %q %q %q", name, text, options, o.Platform, o.Vendor, o.Version, f.Name, f.DriverVersion, f.CompilerVersion))
	return filepath.Join(folder, hex.EncodeToString(key[:]))
}

// load makes the program that a file keeps. It returns nil if there is none, or if the driver refuses it.
func (d *Device) load(file, name, options string) *Module {
	text := diskcache.Sealed(file)
	var k kept
	if text == nil || json.Unmarshal(text, &k) != nil || len(k.Code) == 0 {
		return nil
	}
	m := &Module{d: d, name: name, log: k.Log, takes: k.Takes}
	at, length := &k.Code[0], uintptr(len(k.Code))
	var status, r Result
	m.program = d.api.createFromBinary(d.context, 1, &d.id, &length, &at, &status, &r)
	runtime.KeepAlive(k)
	if r != success {
		return nil
	}
	if status != success || d.api.buildProgram(m.program, 1, &d.id, options, 0, 0) != success {
		_ = m.Unload() // it is built anew
		return nil
	}
	return m
}

// store keeps a program that was built from source, if the driver gives its code.
func (m *Module) store(file string) {
	if file == "" {
		return
	}
	k := kept{Log: m.log, Takes: map[string][]uint32{}}
	var err error
	if k.Code, err = m.code(); err != nil {
		return
	}
	names, err := text("clGetProgramInfo", func(bytes uintptr, value unsafe.Pointer, size *uintptr) Result {
		return m.d.api.getProgramInfo(m.program, programKernelNames, bytes, value, size)
	})
	if err != nil {
		return
	}
	for name := range strings.SplitSeq(names, ";") {
		one, err := m.Kernel(name)
		if err != nil {
			return
		}
		k.Takes[name] = one.(*Kernel).takes
	}
	if whole, err := json.Marshal(k); err == nil {
		_ = diskcache.PutLibrary(whole, file) // a disk fault costs a compilation
	}
}

// code returns the driver's code of a program.
func (m *Module) code() ([]byte, error) {
	var bytes uintptr
	if err := check("clGetProgramInfo", m.d.api.getProgramInfo(m.program, programBinarySizes, unsafe.Sizeof(bytes), unsafe.Pointer(&bytes), nil)); err != nil {
		return nil, err
	}
	const most = 256 << 20 // larger ones are nonsense
	if bytes == 0 || bytes > most {
		return nil, errors.New("the driver gives no code")
	}
	code := make([]byte, bytes)
	at := &code[0]
	err := check("clGetProgramInfo", m.d.api.getProgramInfo(m.program, programBinaries, unsafe.Sizeof(at), unsafe.Pointer(&at), nil))
	runtime.KeepAlive(code)
	return code, err
}
