package cubin

import (
	"slices"
	"testing"
)

// TestWritableOfPTX finds the variables that the module defines, and no other module's, function, parameter or other memory's.
func TestWritableOfPTX(t *testing.T) {
	const text = `//
// .global .u32 commented;
.version 7.8
.target sm_90, debug
.address_size 64
.file 1 "a; .global .u32 file;"
.extern .global .align 4 .b8 elsewhere[];
.const .align 4 .u32 constant = 3;
.visible .global .align 4 .u32 count;
.global .align 16 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
.weak .global .attribute(.managed) .v4 .f32 $shared_name[2][3], second = {0f00000000};
.global .u64 address = generic(table)+4; .global .u32 %last;
/* .global .u32 commented; */
.visible .entry k(.param .u64 .ptr .global .align 1 k_param_0)
.maxntid 128, 1, 1
{
	.reg .b32 %r<3>;
	.global .u32 inside;
	{ ld.global.u32 %r1, [count]; }
}
.func (.reg .u32 r) f(.reg .u32 a) { ret; }
.common .global .u32 common_one;
`
	want := []string{"count", "table", "$shared_name", "second", "address", "%last", "common_one"}
	got, err := Writable([]byte(text))
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	if got, err = Writable([]byte("\x7fELF")); err == nil {
		t.Errorf("of half a cubin: %q", got)
	}
}

// TestWritableOfBoth: PTX and machine code of the same text tell the same.
func TestWritableOfBoth(t *testing.T) {
	const text = `__device__ int counter; __device__ float table[4] = {1, 2, 3, 4}; __constant__ int fixed;
extern "C" __global__ void k(float *out) { __shared__ float s[2]; s[threadIdx.x & 1] = table[threadIdx.x & 3] + fixed; out[0] = s[0]; atomicAdd(&counter, 1); table[0] = 2; }`
	var names [2][]string
	for i, arch := range []string{"compute_60", "sm_60"} {
		image := compile(t, text, arch)
		var err error
		if names[i], err = Writable(image.Code); err != nil || image.PTX != (i == 0) {
			t.Fatalf("%s: %v", arch, err)
		}
		slices.Sort(names[i])
	}
	if want := []string{"counter", "table"}; !slices.Equal(names[0], want) || !slices.Equal(names[1], want) {
		t.Errorf("%q", names)
	}
}
