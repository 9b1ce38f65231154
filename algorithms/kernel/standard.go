package kernel

import (
	"slices"
)

// Headers that kernels written for nvcc include, and that NVRTC and the simulator do not
// have: what they declare for a device is there without them, or is declared here. Those
// beside the source come first.
const (
	nothing = "#pragma once\n"

	standardInt = `#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
#define UINT8_MAX 255
#define INT16_MAX 32767
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-INT32_MAX - 1)
#define UINT32_MAX 4294967295u
#define INT64_MAX 9223372036854775807l
#define INT64_MIN (-INT64_MAX - 1)
#define UINT64_MAX 18446744073709551615ul
`
	standardLimits = `#pragma once
#define CHAR_BIT 8
#define SHRT_MAX 32767
#define SHRT_MIN (-SHRT_MAX - 1)
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-LONG_MAX - 1)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX 9223372036854775807ll
#define LLONG_MIN (-LLONG_MAX - 1)
#define ULLONG_MAX 18446744073709551615ull
`
	standardFloat = `#pragma once
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623158e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-016
`
	standardMath = `#pragma once
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LN2 0.69314718055994530942
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#ifndef HUGE_VALF
#define HUGE_VALF INFINITY
#endif
`
	standardAssert = `#pragma once
#ifndef assert
#define assert(condition) ((condition) ? (void)0 : __trap())
#endif
`
)

var standardHeaders = map[string]string{
	"stdint.h": standardInt, "cstdint": standardInt, "inttypes.h": standardInt, "limits.h": standardLimits, "climits": standardLimits,
	"float.h": standardFloat, "cfloat": standardFloat, "math.h": standardMath, "cmath": standardMath, "assert.h": standardAssert, "cassert": standardAssert,
	"stdio.h": nothing, "cstdio": nothing, "stdlib.h": nothing, "cstdlib": nothing, "string.h": nothing, "cstring": nothing, "stddef.h": nothing, "cstddef": nothing,
	"stdbool.h": nothing, "cuda.h": nothing, "cuda_runtime.h": nothing, "cuda_runtime_api.h": nothing, "device_launch_parameters.h": nothing, "device_functions.h": nothing,
	"math_functions.h": nothing, "vector_types.h": nothing, "vector_functions.h": nothing, "sm_20_intrinsics.h": nothing, "sm_30_intrinsics.h": nothing,
}

// standard adds those of the standard headers that the unit includes and has not.
func (u *unit) standard() {
	for _, text := range slices.Clone(u.texts()) {
		for _, m := range includes().FindAllStringSubmatch(text, -1) {
			if text, ok := standardHeaders[m[2]]; ok {
				if _, had := u.headers[m[2]]; !had {
					u.headers[m[2]] = text
				}
			}
		}
	}
}
