package measure

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
)

// globalLoads counts the loads from global memory in a kernel's machine code. The
// opcodes are those that NVIDIA's disassembler prints beside LDG: up to compute
// capability 6.2 the first 13 bits of a 64-bit word, of which every fourth is for
// scheduling; since 7.0 the last 12 bits of 128.
func globalLoads(t *testing.T, image []byte, kernel string, major int) (loads int) {
	t.Helper()
	image = bytes.Clone(image)
	binary.LittleEndian.PutUint32(image[20:], uint32(elf.EV_CURRENT)) // the toolkit writes its own version there
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		t.Fatal(err)
	}
	section := f.Section(".text." + kernel)
	if section == nil {
		t.Fatalf("no kernel %s", kernel)
	}
	code, err := section.Data()
	if err != nil || len(code) == 0 || len(code)%32 != 0 {
		t.Fatalf("%d bytes of code, %v", len(code), err)
	}
	for at := 0; at < len(code); at += 8 {
		word := binary.LittleEndian.Uint64(code[at:])
		switch {
		case major >= 7:
			if op := word & 0xfff; at%16 == 0 && (op == 0x381 || op == 0x981) {
				loads++
			}
		case at%32 != 0 && word>>51 == 0xeed0>>3:
			loads++
		}
	}
	return loads
}

// TestFlushLoads: the assembler leaves the flush's loads in the code, and leaves them
// out where nothing depends on what they load, asm volatile or not.
func TestFlushLoads(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	compiler, err := nvrtc.Open()
	if err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	const store = "    if (any != 0)\n        data[0].x = any;\n"
	dead := strings.Replace(clockSource, store, "", 1)
	if dead == clockSource {
		t.Fatal("read_lines has another store")
	}
	for arch, major := range map[string]int{"sm_53": 5, "sm_72": 7, "sm_90": 9} {
		count := func(text string) int {
			image, err := compiler.Compile(gpu.Source{Name: "gpu_clock.cu", Text: text, Kernels: []string{"read_lines"}}, arch)
			if err != nil {
				t.Fatal(err)
			}
			return globalLoads(t, image.Code, "read_lines", major)
		}
		if live, without := count(clockSource), count(dead); live < 1 || without != 0 {
			t.Errorf("%s: %d loads, and %d that nothing depends on", arch, live, without)
		}
	}
}
