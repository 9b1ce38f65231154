// AVX2, single precision: 8 lanes; see stockham_cpu_amd64.h.

#include "textflag.h"

#define VB 32
#define ROW 64
#define ES 4
#define LANES 8
#define V0 Y0
#define V1 Y1
#define V2 Y2
#define V3 Y3
#define V4 Y4
#define V5 Y5
#define V6 Y6
#define V7 Y7
#define V8 Y8
#define V9 Y9
#define V10 Y10
#define V11 Y11
#define V12 Y12
#define V13 Y13
#define V14 Y14
#define V15 Y15
#define MOV VMOVUPS
#define ADD VADDPS
#define SUB VSUBPS
#define MUL VMULPS
#define FMA VFMADD231PS
#define FNMA VFNMADD231PS
#define FMS VFMSUB231PS
#define BCAST VBROADCASTSS
#define EVEN(b, a, d) VSHUFPS $0x88, b, a, d
#define ODD(b, a, d) VSHUFPS $0xDD, b, a, d
#define LO(b, a, d) VUNPCKLPS b, a, d
#define HI(b, a, d) VUNPCKHPS b, a, d
#define HALF_ROOT ·halfRoot32(SB)
#define E0R D0(0)
#define E0I D0(VB)
#define E1R D4(0)
#define E1I D4(VB)
#define E2R D2(0)
#define E2I D2(VB)
#define E3R D6(0)
#define E3I D6(VB)
#define F0R S0(0)
#define F0I S0(VB)
#define F1R S4(0)
#define F1I S4(VB)
#define F2R S2(0)
#define F2I S2(VB)
#define F3R S6(0)
#define F3I S6(VB)
#define PASS2 ·pass2AVX2F32
#define PASS4 ·pass4AVX2F32
#define PASS8 ·pass8AVX2F32
#define LOAD2 ·load2AVX2F32
#define LOAD4 ·load4AVX2F32
#define LOAD8 ·load8AVX2F32
#define LOAD_INVERSE2 ·loadInverse2AVX2F32
#define LOAD_INVERSE4 ·loadInverse4AVX2F32
#define LOAD_INVERSE8 ·loadInverse8AVX2F32
#define IN_PLACE8 ·last8AVX2F32
#define STORE8 ·store8AVX2F32
#define STORE_INVERSE8 ·storeInverse8AVX2F32
#define TILES ·tilesAVX2F32
#define GATHER ·gatherAVX2F32
#define SCATTER ·scatterAVX2F32

// TRANSPOSE transposes the vectors o bytes into the rows of the scratch tile
// at R13 and writes them o bytes into the rows at DI, in the lanes' order.
#define TRANSPOSE(o) \
	MOV (o+0*ROW)(R13), Y0 \
	MOV (o+1*ROW)(R13), Y1 \
	MOV (o+2*ROW)(R13), Y2 \
	MOV (o+3*ROW)(R13), Y3 \
	MOV (o+4*ROW)(R13), Y4 \
	MOV (o+5*ROW)(R13), Y5 \
	MOV (o+6*ROW)(R13), Y6 \
	MOV (o+7*ROW)(R13), Y7 \
	VUNPCKLPS Y1, Y0, Y8 \
	VUNPCKHPS Y1, Y0, Y9 \
	VUNPCKLPS Y3, Y2, Y10 \
	VUNPCKHPS Y3, Y2, Y11 \
	VUNPCKLPS Y5, Y4, Y12 \
	VUNPCKHPS Y5, Y4, Y13 \
	VUNPCKLPS Y7, Y6, Y14 \
	VUNPCKHPS Y7, Y6, Y15 \
	VUNPCKLPD Y10, Y8, Y0 \
	VUNPCKHPD Y10, Y8, Y1 \
	VUNPCKLPD Y11, Y9, Y2 \
	VUNPCKHPD Y11, Y9, Y3 \
	VUNPCKLPD Y14, Y12, Y4 \
	VUNPCKHPD Y14, Y12, Y5 \
	VUNPCKLPD Y15, Y13, Y6 \
	VUNPCKHPD Y15, Y13, Y7 \
	VPERM2F128 $0x20, Y4, Y0, Y8 \
	MOV Y8, (o+0*ROW)(DI) \
	VPERM2F128 $0x31, Y4, Y0, Y12 \
	MOV Y12, (o+2*ROW)(DI) \
	VPERM2F128 $0x20, Y5, Y1, Y9 \
	MOV Y9, (o+1*ROW)(DI) \
	VPERM2F128 $0x31, Y5, Y1, Y13 \
	MOV Y13, (o+3*ROW)(DI) \
	VPERM2F128 $0x20, Y6, Y2, Y10 \
	MOV Y10, (o+4*ROW)(DI) \
	VPERM2F128 $0x31, Y6, Y2, Y14 \
	MOV Y14, (o+6*ROW)(DI) \
	VPERM2F128 $0x20, Y7, Y3, Y11 \
	MOV Y11, (o+5*ROW)(DI) \
	VPERM2F128 $0x31, Y7, Y3, Y15 \
	MOV Y15, (o+7*ROW)(DI)

// GATHER_UNIT reads a vector of each transform, R10 bytes from the pointers at
// R9, and writes them as rows at DI, real parts R11 and imaginary parts R12
// bytes into them. SCATTER_UNIT does the reverse for the rows whose places
// relative to DI are at SI.
#define GATHER_UNIT \
	MOVQ 0(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y0 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 8(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y1 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 16(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y2 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 24(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y3 \
	PREFETCHT0 (AX)(R8*1) \
	VUNPCKLPD Y1, Y0, Y4 \
	VUNPCKHPD Y1, Y0, Y5 \
	VUNPCKLPD Y3, Y2, Y6 \
	VUNPCKHPD Y3, Y2, Y7 \
	VPERM2F128 $0x20, Y6, Y4, Y8 \
	VPERM2F128 $0x31, Y6, Y4, Y10 \
	VPERM2F128 $0x20, Y7, Y5, Y9 \
	VPERM2F128 $0x31, Y7, Y5, Y11 \
	MOVQ 32(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y0 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 40(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y1 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 48(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y2 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 56(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y3 \
	PREFETCHT0 (AX)(R8*1) \
	VUNPCKLPD Y1, Y0, Y4 \
	VUNPCKHPD Y1, Y0, Y5 \
	VUNPCKLPD Y3, Y2, Y6 \
	VUNPCKHPD Y3, Y2, Y7 \
	VPERM2F128 $0x20, Y6, Y4, Y12 \
	VPERM2F128 $0x31, Y6, Y4, Y14 \
	VPERM2F128 $0x20, Y7, Y5, Y13 \
	VPERM2F128 $0x31, Y7, Y5, Y15 \
	EVEN(Y12, Y8, Y0) \
	ODD(Y12, Y8, Y1) \
	MOV Y0, (0*ROW)(DI)(R11*1) \
	MOV Y1, (0*ROW)(DI)(R12*1) \
	EVEN(Y13, Y9, Y0) \
	ODD(Y13, Y9, Y1) \
	MOV Y0, (1*ROW)(DI)(R11*1) \
	MOV Y1, (1*ROW)(DI)(R12*1) \
	EVEN(Y14, Y10, Y0) \
	ODD(Y14, Y10, Y1) \
	MOV Y0, (2*ROW)(DI)(R11*1) \
	MOV Y1, (2*ROW)(DI)(R12*1) \
	EVEN(Y15, Y11, Y0) \
	ODD(Y15, Y11, Y1) \
	MOV Y0, (3*ROW)(DI)(R11*1) \
	MOV Y1, (3*ROW)(DI)(R12*1)

#define SCATTER_UNIT \
	MOVL 0(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Y8 \
	MOV (AX)(R12*1), Y9 \
	LO(Y9, Y8, Y0) \
	HI(Y9, Y8, Y12) \
	MOVL 4(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Y8 \
	MOV (AX)(R12*1), Y9 \
	LO(Y9, Y8, Y1) \
	HI(Y9, Y8, Y13) \
	MOVL 8(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Y8 \
	MOV (AX)(R12*1), Y9 \
	LO(Y9, Y8, Y2) \
	HI(Y9, Y8, Y14) \
	MOVL 12(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Y8 \
	MOV (AX)(R12*1), Y9 \
	LO(Y9, Y8, Y3) \
	HI(Y9, Y8, Y15) \
	VUNPCKLPD Y1, Y0, Y4 \
	VUNPCKHPD Y1, Y0, Y5 \
	VUNPCKLPD Y3, Y2, Y6 \
	VUNPCKHPD Y3, Y2, Y7 \
	VPERM2F128 $0x20, Y6, Y4, Y8 \
	VPERM2F128 $0x31, Y6, Y4, Y10 \
	VPERM2F128 $0x20, Y7, Y5, Y9 \
	VPERM2F128 $0x31, Y7, Y5, Y11 \
	MOVQ 0(R9), AX \
	MOV Y8, (AX)(R10*1) \
	MOVQ 8(R9), AX \
	MOV Y9, (AX)(R10*1) \
	MOVQ 16(R9), AX \
	MOV Y10, (AX)(R10*1) \
	MOVQ 24(R9), AX \
	MOV Y11, (AX)(R10*1) \
	MOV Y12, Y0 \
	MOV Y13, Y1 \
	MOV Y14, Y2 \
	MOV Y15, Y3 \
	VUNPCKLPD Y1, Y0, Y4 \
	VUNPCKHPD Y1, Y0, Y5 \
	VUNPCKLPD Y3, Y2, Y6 \
	VUNPCKHPD Y3, Y2, Y7 \
	VPERM2F128 $0x20, Y6, Y4, Y12 \
	VPERM2F128 $0x31, Y6, Y4, Y14 \
	VPERM2F128 $0x20, Y7, Y5, Y13 \
	VPERM2F128 $0x31, Y7, Y5, Y15 \
	MOVQ 32(R9), AX \
	MOV Y12, (AX)(R10*1) \
	MOVQ 40(R9), AX \
	MOV Y13, (AX)(R10*1) \
	MOVQ 48(R9), AX \
	MOV Y14, (AX)(R10*1) \
	MOVQ 56(R9), AX \
	MOV Y15, (AX)(R10*1)

#include "stockham_cpu_amd64.h"
