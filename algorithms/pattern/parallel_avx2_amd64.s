#include "textflag.h"

#define VB 32
#define LANES 8
#define LANES_LOG 3
#define A0 Y0
#define A1 Y1
#define A2 Y2
#define A3 Y3
#define A4 Y4
#define A5 Y5
#define A6 Y6
#define A7 Y7
#define T Y8
#define X Y9
#define W Y10
#define B Y11

#include "parallel_amd64.h"

#define EQUAL \
	VCMPPS $0, (R10), A0, Y1; \
	VMOVMSKPS Y1, AX

// The least of A0's lanes, in all of them.
#define LEAST_LANE \
	VEXTRACTF128 $1, Y0, X1; \
	VMINPS X1, X0, X0; \
	VPERMILPS $0x4e, X0, X1; \
	VMINPS X1, X0, X0; \
	VPERMILPS $0xb1, X0, X1; \
	VMINPS X1, X0, X0; \
	VBROADCASTSS X0, A0

// The sum of A's lanes, in all of them.
#define SUM(A) \
	VPERM2F128 $1, A, A, A3; VADDPS A3, A, A; \
	VPERMILPS $0x4e, A, A3; VADDPS A3, A, A; \
	VPERMILPS $0xb1, A, A3; VADDPS A3, A, A

// func shiftAVX2(sums, template, pairs *float32, n, shifts int) int
TEXT ·shiftAVX2(SB), NOSPLIT, $0-48
	SHIFT_ARGUMENTS
	BLOCKS
	LEAST
	LEAST_LANE
	FIND(EQUAL)
	VZEROUPPER
	MOVQ AX, ret+40(FP)
	RET

// func gainAVX2(sums, template, signal, weights, gains *float32, n, count int) (gain int, squared float32)
TEXT ·gainAVX2(SB), NOSPLIT, $0-68
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
