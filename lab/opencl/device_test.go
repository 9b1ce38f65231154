// Package opencl tries the OpenCL device on PoCL, a driver for CPUs.
package opencl

import (
	"errors"
	"math"
	"strings"
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/gpu/opencl"
)

// open opens the CPU as PoCL shows it.
func open(t *testing.T) *opencl.Device {
	t.Helper()
	d, err := opencl.Open("opencl:portable")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

const saxpy = `#include "scale.h"
__kernel void saxpy(float a, __global const float *x, __global float *y, int n, __local float *tile)
{
    int i = get_global_id(0);
    tile[get_local_id(0)] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n)
        y[i] += SCALE * a * tile[get_local_id(0)];
}
struct pair { int a; float b; };
__kernel void put(__global float *y, struct pair p) { y[p.a] = p.b; }
`

func source() gpu.Source {
	return gpu.Source{Name: "saxpy.cl", Text: saxpy, Defines: map[string]string{"FACTOR": "2.0f"},
		Headers: map[string]string{"scale.h": "#pragma once\n#include \"inner.h\"\n", "inner.h": "#define SCALE FACTOR\n"}}
}

func TestKernelRuns(t *testing.T) {
	d := open(t)
	m, err := d.Compile(source())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Unload()
	k, err := m.Kernel("saxpy")
	if err != nil {
		t.Fatal(err)
	}
	const n = 1000
	x, y := make([]float32, n), make([]float32, n)
	for i := range x {
		x[i], y[i] = float32(i), 1
	}
	at, err := d.Alloc(2 * 4096)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Free(at)
	second := at + 4096 // a place within the buffer: a kernel gets a part of it
	for _, err := range []error{gpu.Upload(d, at, x), gpu.Upload(d, second, y)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := k.Launch(0, gpu.Launch{Grid: gpu.Dim3{X: 16}, Block: gpu.Dim3{X: 64}}, float32(3), at, second, int32(n), gpu.Local(64*4)); err != nil {
			t.Fatal(err)
		}
	}
	if err := gpu.Download(d, y, second); err != nil {
		t.Fatal(err)
	}
	for i, got := range y {
		if want := 1 + 12*float32(i); got != want {
			t.Fatalf("y[%d] = %v, want %v", i, got, want)
		}
	}
	// Bytes of one value, also from odd places on.
	for _, c := range []struct{ at, n int }{{0, 4096}, {3, 5}, {8, 8}} {
		if err := d.SetAsync(at+gpu.Pointer(c.at), 0xff, int64(c.n), 0); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 4096)
		if err := gpu.Download(d, got, at); err != nil {
			t.Fatal(err)
		}
		for i, b := range got {
			if inside := i >= c.at && i < c.at+c.n; inside != (b == 0xff) {
				t.Fatalf("after setting %v: byte %d is %x", c, i, b)
			}
		}
		if err := d.SetAsync(at, 0, 4096, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.CopyAsync(at, second, 4000, 0); err != nil {
		t.Fatal(err)
	}
	if err := gpu.Download(d, x, at); err != nil || x[n-1] != y[n-1] {
		t.Fatalf("copied %v, want %v (%v)", x[n-1], y[n-1], err)
	}
	put, err := m.Kernel("put")
	if err != nil {
		t.Fatal(err)
	}
	pair := gpu.Raw{7, 0, 0, 0, 0, 0, 0, 0}
	bits := math.Float32bits(42)
	pair[4], pair[5], pair[6], pair[7] = byte(bits), byte(bits>>8), byte(bits>>16), byte(bits>>24)
	if err := put.Launch(0, gpu.Launch{}, at, pair); err != nil {
		t.Fatal(err)
	}
	if err := gpu.Download(d, x, at); err != nil || x[7] != 42 {
		t.Fatalf("a structure by value: got %v, want 42 (%v)", x[7], err)
	}
}

func TestTimesOfCommands(t *testing.T) {
	d := open(t)
	at, err := d.Alloc(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Free(at)
	s := d.Record()
	for range 3 {
		if err := d.SetAsync(at, 1, 1<<20, 0); err != nil {
			t.Fatal(err)
		}
	}
	s.End()
	if err := d.SetAsync(at, 2, 1<<20, 0); err != nil { // no part of it
		t.Fatal(err)
	}
	if err := d.Synchronize(0); err != nil {
		t.Fatal(err)
	}
	x, err := s.Stamps()
	if err != nil || s.Commands != 3 || x.Start == 0 || x.End <= x.Start || x.Submit < x.Queued {
		t.Errorf("%d commands, %+v, %v", s.Commands, x, err)
	}
	if err := s.Release(); err != nil {
		t.Error(err)
	}
	if _, err := d.Record().Stamps(); err == nil || !strings.Contains(err.Error(), "no command was recorded") {
		t.Errorf("no command: %v", err)
	}
}

// Commands of the second queue come after those before them and before those after them, on each driver here.
func TestCommandsAside(t *testing.T) {
	all, err := opencl.All()
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range all {
		d, err := opencl.Open(opencl.ID(i))
		if err != nil {
			t.Fatal(err)
		}
		m, err := d.Compile(gpu.Source{Name: "steps.cl", Text: `__kernel void add(__global uint *x, uint steps, uint a, uint b)
{
    uint sum = 0;
    for (uint i = 0; i < steps; i++)
        sum += i * a ^ b; // takes a while
    x[0] = sum == 123456789 ? 0 : x[0] * a + b;
}
`})
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Kernel("add")
		if err != nil {
			t.Fatal(err)
		}
		at, err := d.Alloc(4)
		if err != nil {
			t.Fatal(err)
		}
		const steps = 60_000 // llvmpipe ends a loop of 65536
		var want uint32
		add := func(steps, a, b uint32) {
			t.Helper()
			if err := k.Launch(0, gpu.Launch{}, at, steps, a, b); err != nil {
				t.Fatal(err)
			}
			want = want*a + b
		}
		for turn := range uint32(20) {
			want = 0
			if err := d.SetAsync(at, 0, 4, 0); err != nil {
				t.Fatal(err)
			}
			before := d.Record()
			add(steps, 3, 7)
			before.End()
			if err := d.Aside(before); err != nil {
				t.Fatal(err)
			}
			for i := range 1 + turn%3 {
				add(steps, 5+i, 11)
			}
			if err := d.Back(); err != nil {
				t.Fatal(err)
			}
			after := d.Record()
			add(1, 13, turn)
			after.End()
			if err := d.Synchronize(0); err != nil {
				t.Fatal(err)
			}
			got := make([]uint32, 1)
			if err := gpu.Download(d, got, at); err != nil || got[0] != want {
				t.Errorf("%s: got %d, want %d (%v)", f.Name, got[0], want, err)
			}
			x, err := before.Stamps()
			if err != nil {
				t.Fatal(err)
			}
			y, err := after.Stamps()
			if err != nil {
				t.Fatal(err)
			}
			if x.End > x.Start+1 && y.Start < x.End { // rusticl's stamps are 2 and 3
				t.Errorf("%s: a command after those of the second queue starts at %d, and the one before them ends at %d", f.Name, y.Start, x.End)
			}
			if err := errors.Join(before.Release(), after.Release()); err != nil {
				t.Error(err)
			}
		}
		if err := errors.Join(d.Free(at), m.Unload(), d.Close()); err != nil {
			t.Error(err)
		}
	}
}

// A mistake of a kernel is found with its line, and one of a launch with what would be right.
func TestMistakes(t *testing.T) {
	d := open(t)
	m, err := d.Compile(source())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Unload()
	k, err := m.Kernel("saxpy")
	if err != nil {
		t.Fatal(err)
	}
	at, err := d.Alloc(4096)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Free(at)
	launch := func(shape gpu.Launch, args ...any) error { return k.Launch(0, shape, args...) }
	compile := func(text string, headers map[string]string) error {
		_, err := d.Compile(gpu.Source{Name: "wrong.cl", Text: text, Headers: headers})
		return err
	}
	named := gpu.Launch{Arguments: []string{"a", "x", "y", "n", "tile"}}
	wide := gpu.Launch{Block: gpu.Dim3{X: 1 << 20}}
	_, noKernel := m.Kernel("axpy")
	_, _, noGlobal := m.Global("table")
	_, tooMuch := d.Alloc(1 << 60)
	for _, c := range []struct {
		err  error
		want string
	}{
		{compile("__kernel void f(__global int *x)\n{\n    x[0] = y;\n}\n", nil), "wrong.cl:3:12: "},
		{compile("#include \"a.h\"\n__kernel void f(__global int *x) { x[0] = y; }\n", map[string]string{"a.h": "\n\n"}), "wrong.cl:2:43: "},
		{compile("#include \"a.h\"\n", map[string]string{"a.h": "\nint x = y;\n"}), "a.h:2:9: "},
		{compile("#include \"a.h\"\n", map[string]string{"a.h": "#include \"a.h\"\n"}), "a.h includes itself"},
		{noKernel, "saxpy.cl has no kernel axpy"},
		{noGlobal, "pass a __constant argument"},
		{tooMuch, "max_alloc_bytes"},
		{launch(named), "kernel saxpy takes 5 arguments, got 0"},
		{launch(named, float32(1), at, at, int32(1), at), "argument tile is a vector, and the kernel's parameter is __local"},
		{launch(named, float32(1), gpu.Local(4), at, int32(1), gpu.Local(4)), "argument x is local memory, and the kernel's parameter is __global"},
		{launch(named, at, at, at, int32(1), gpu.Local(4)), "argument a is a vector, and the kernel's parameter is a value"},
		{launch(named, float64(1), at, at, int32(1), gpu.Local(4)), "argument a has 8 bytes, which is not the size"},
		{launch(named, float32(1), at+3, at, int32(1), gpu.Local(4)), "argument x a kernel cannot get a buffer from byte 3 on"},
		{launch(named, float32(1), gpu.Pointer(5), at, int32(1), gpu.Local(4)), "0x5 is no place in the memory of opencl:"},
		{launch(wide, float32(1), at, at, int32(1), gpu.Local(4)), "it runs at most "},
		{launch(gpu.Launch{SharedBytes: 4}, float32(1), at, at, int32(1), gpu.Local(4)), "got 5 and shared memory, which is local memory as the last argument"},
		{launch(gpu.Launch{SharedBytes: 1 << 30}, float32(1), at, at, int32(1)), "1073741824 bytes of local memory; the device allows "},
		{d.CopyAsync(at, at+4000, 97, 0), "it ends before"},
		{d.SetAsync(at, 0, 1, 1), "one queue"},
		{d.Free(at + 4), "within a buffer"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v; want %q", c.err, c.want)
		}
	}
	var refused *gpu.CompileError
	if err := compile("nonsense", nil); !errors.As(err, &refused) || !errors.Is(tooMuch, gpu.ErrOutOfMemory) {
		t.Errorf("%v, %v", err, tooMuch)
	}
	if err := launch(named, float32(1), at, at, int32(1), gpu.Local(4)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
