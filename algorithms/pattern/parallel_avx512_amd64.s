#include "textflag.h"

#define VB 64
#define LANES 16
#define LANES_LOG 4
#define A0 Z0
#define A1 Z1
#define A2 Z2
#define A3 Z3
#define A4 Z4
#define A5 Z5
#define A6 Z6
#define A7 Z7
#define T Z8
#define X Z9
#define W Z10
#define B Z11

#include "parallel_amd64.h"

#define EQUAL \
	VCMPPS $0, (R10), A0, K1; \
	KMOVW K1, AX

// The least of A0's lanes, in all of them.
#define LEAST_LANE \
	VEXTRACTF64X4 $1, Z0, Y1; \
	VMINPS Y1, Y0, Y0; \
	VEXTRACTF128 $1, Y0, X1; \
	VMINPS X1, X0, X0; \
	VPERMILPS $0x4e, X0, X1; \
	VMINPS X1, X0, X0; \
	VPERMILPS $0xb1, X0, X1; \
	VMINPS X1, X0, X0; \
	VBROADCASTSS X0, A0

// The sum of A's lanes, in all of them.
#define SUM(A) \
	VSHUFF32X4 $0x4e, A, A, A3; VADDPS A3, A, A; \
	VSHUFF32X4 $0xb1, A, A, A3; VADDPS A3, A, A; \
	VPERMILPS $0x4e, A, A3; VADDPS A3, A, A; \
	VPERMILPS $0xb1, A, A3; VADDPS A3, A, A

// func shiftAVX512(sums, template, pairs *float32, n, shifts int) int
TEXT ·shiftAVX512(SB), NOSPLIT, $0-48
	SHIFT_ARGUMENTS
	BLOCKS
	LEAST
	LEAST_LANE
	FIND(EQUAL)
	VZEROUPPER
	MOVQ AX, ret+40(FP)
	RET

// func gainAVX512(sums, template, signal, weights, gains *float32, n, count int) (gain int, squared float32)
TEXT ·gainAVX512(SB), NOSPLIT, $0-68
	GAIN_ARGUMENTS
	PARABOLA(SUM)
	LEAST
	LEAST_LANE
	FIND(EQUAL)
	DIRECT(SUM)
	MOVQ AX, gain+56(FP)
	MOVSS X0, squared+64(FP)
	VZEROUPPER
	RET
