// Sums of four rows by weights, 8 or 16 elements at a time.

#include "textflag.h"

#define ARGUMENTS \
	MOVQ to+0(FP), DI; \
	MOVQ a+8(FP), R8; \
	MOVQ b+16(FP), R9; \
	MOVQ c+24(FP), R10; \
	MOVQ d+32(FP), R11; \
	MOVQ n+40(FP), CX; \
	MOVQ weights+48(FP), AX; \
	XORQ BX, BX

#define SUM(STORE, V, W0, W1, W2, W3, LANES) \
	VBROADCASTSS (AX), W0; \
	VBROADCASTSS 4(AX), W1; \
	VBROADCASTSS 8(AX), W2; \
	VBROADCASTSS 12(AX), W3; \
loop: \
	VMULPS (R8)(BX*4), W0, V; \
	VFMADD231PS (R9)(BX*4), W1, V; \
	VFMADD231PS (R10)(BX*4), W2, V; \
	VFMADD231PS (R11)(BX*4), W3, V; \
	STORE V, (DI)(BX*4); \
	ADDQ $LANES, BX; \
	CMPQ BX, CX; \
	JLT loop

// func sumAVX512(to, a, b, c, d *float32, n int, weights *[4]float32)
TEXT ·sumAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS
	SUM(VMOVUPS, Z4, Z0, Z1, Z2, Z3, 16)
	VZEROUPPER
	RET

// func sumPastAVX512(to, a, b, c, d *float32, n int, weights *[4]float32)
TEXT ·sumPastAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS
	SUM(VMOVNTPS, Z4, Z0, Z1, Z2, Z3, 16)
	SFENCE
	VZEROUPPER
	RET

// func sumAVX2(to, a, b, c, d *float32, n int, weights *[4]float32)
TEXT ·sumAVX2(SB), NOSPLIT, $0-56
	ARGUMENTS
	SUM(VMOVUPS, Y4, Y0, Y1, Y2, Y3, 8)
	VZEROUPPER
	RET

// func sumPastAVX2(to, a, b, c, d *float32, n int, weights *[4]float32)
TEXT ·sumPastAVX2(SB), NOSPLIT, $0-56
	ARGUMENTS
	SUM(VMOVNTPS, Y4, Y0, Y1, Y2, Y3, 8)
	SFENCE
	VZEROUPPER
	RET
