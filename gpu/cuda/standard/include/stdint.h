#pragma once
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
#ifdef __CUDACC_RTC__
// As libcu++ has them for NVRTC, whose cooperative_groups.h may include them, too.
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
typedef long int64_t;
typedef unsigned long uint64_t;
#endif
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
#ifndef UINT8_MAX
#define UINT8_MAX 255
#endif
#ifndef INT16_MAX
#define INT16_MAX 32767
#endif
#ifndef UINT16_MAX
#define UINT16_MAX 65535
#endif
#ifndef INT32_MAX
#define INT32_MAX 2147483647
#endif
#ifndef INT32_MIN
#define INT32_MIN (-INT32_MAX - 1)
#endif
#ifndef UINT32_MAX
#define UINT32_MAX 4294967295u
#endif
#ifndef INT64_MAX
#define INT64_MAX 9223372036854775807l
#endif
#ifndef INT64_MIN
#define INT64_MIN (-INT64_MAX - 1)
#endif
#ifndef UINT64_MAX
#define UINT64_MAX 18446744073709551615ul
#endif
typedef signed char int_fast8_t, int_least8_t;
typedef unsigned char uint_fast8_t, uint_least8_t;
typedef int int_least32_t;
typedef unsigned uint_least32_t;
#ifndef INT8_MAX
#define INT8_MAX 127
#define INT8_MIN (-128)
#endif
#ifndef SIZE_MAX
#define SIZE_MAX 18446744073709551615ul
#endif
