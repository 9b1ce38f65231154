package ptx

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"example.org/bench/analysis/trace"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/nvrtc"
	"example.org/bench/gpu/cuda/sim"
)

//go:embed testdata/ordinary.cu
var ordinary string

var header = regexp.MustCompile(`(?m)^extern "C" __global__ void (\w+)\(`)

// kernels are the names in testdata/ordinary.cu, and alone the text with only one of them, by name.
func kernels() (names []string, alone map[string]string) {
	alone = map[string]string{}
	parts := header.FindAllStringSubmatchIndex(ordinary, -1)
	type extent struct{ from, to int }
	of := map[string]extent{}
	for _, p := range parts {
		name, end := ordinary[p[2]:p[3]], strings.Index(ordinary[p[0]:], "}\n")
		if line := ordinary[p[0] : p[0]+strings.Index(ordinary[p[0]:], "\n")]; !strings.HasSuffix(line, "}") {
			end = strings.Index(ordinary[p[0]:], "\n}\n") + 1
		}
		names, of[name] = append(names, name), extent{p[0], p[0] + end + 2}
	}
	for _, name := range names {
		text := []byte(ordinary)
		for other, e := range of {
			for i := e.from; other != name && i < e.to; i++ {
				if text[i] != '\n' {
					text[i] = ' '
				}
			}
		}
		alone[name] = string(text)
	}
	return names, alone
}

const ordinaryWords = 12 * 128

// words is what a kernel of testdata/ordinary.cu writes.
func words(t *testing.T, d gpu.Device, source, name string) ([]uint32, error) {
	t.Helper()
	defines := map[string]string{}
	if strings.HasPrefix(name, "half") {
		defines["HALVES"] = ""
	}
	m, err := d.Compile(gpu.Source{Name: name + ".cu", Text: source, Defines: defines, Kernels: []string{name}})
	if err != nil {
		return nil, err
	}
	defer m.Unload()
	k, err := m.Kernel(name)
	if err != nil {
		return nil, err
	}
	x, y := make([]uint32, ordinaryWords), make([]uint32, ordinaryWords)
	state := uint32(2463534242)
	for i := range x {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		x[i] = state
	}
	const bytes = 4 * ordinaryWords
	var at [2]gpu.Pointer
	for i, p := range []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])} {
		if at[i], err = d.Alloc(bytes); err != nil {
			return nil, err
		}
		defer d.Free(at[i])
		if err = d.CopyToDevice(at[i], p, bytes); err != nil {
			return nil, err
		}
	}
	err = k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 3, Y: 2, Z: 2}, Block: gpu.Dim3{X: 16, Y: 4, Z: 2}, SharedBytes: 512}, at[0], at[1], int32(ordinaryWords))
	if err == nil {
		err = d.Synchronize(0)
	}
	if err == nil {
		err = d.CopyToHost(unsafe.Pointer(&y[0]), at[1], bytes)
	}
	return y, err
}

// refused are those that are not executed, with what is said.
var refused = map[string]string{
	"recursion":         "it calls functions recursively or by pointer",
	"function_pointers": "a call by a pointer (line",
	"virtual_functions": "a call by a pointer (line",
}

// Kernels of ordinary work are executed from their PTX, with what the simulator computes from their C++.
func TestOrdinaryKernels(t *testing.T) {
	if _, err := nvrtc.Open(); err != nil {
		t.Skipf("needs NVRTC: %v", err)
	}
	simulated, err := sim.Open(1)
	if err != nil {
		t.Fatal(err)
	}
	names, alone := kernels()
	simulatedWords := map[string][]uint32{}
	for id := range devices {
		dev, _ := device(t, id, trace.AllBlocks())
		for _, name := range names {
			got, err := words(t, dev, alone[name], name)
			if err != nil && strings.Contains(err.Error(), `identifier "`+name+`" is undefined`) {
				continue // of a later architecture
			}
			if err != nil && strings.Contains(err.Error(), `could not open source file "cuda_fp16.h"`) {
				continue // which NVRTC has from a toolkit
			}
			if why := refused[name]; why != "" {
				if err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("%s %s: %v, want %s", id, name, err, why)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s %s: %v", id, name, err)
				continue
			}
			want, ok := simulatedWords[name]
			if !ok {
				if want, err = words(t, simulated, alone[name], name); err != nil {
					t.Logf("%s: not simulated: %.200v", name, err)
					want = got
				}
				simulatedWords[name] = want
			}
			if !slices.Equal(got, want) {
				n := 0
				for n < len(got)-1 && got[n] == want[n] {
					n++
				}
				t.Errorf("%s %s: word %d is %#x, by the simulator %#x", id, name, n, got[n], want[n])
			}
		}
	}
}
