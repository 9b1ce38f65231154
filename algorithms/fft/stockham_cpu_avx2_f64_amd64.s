// AVX2, double precision: 4 lanes; see stockham_cpu_amd64.h.

#include "textflag.h"

#define VB 32
#define ROW 64
#define ES 8
#define LANES 4
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
#define MOV VMOVUPD
#define ADD VADDPD
#define SUB VSUBPD
#define MUL VMULPD
#define FMA VFMADD231PD
#define FNMA VFNMADD231PD
#define FMS VFMSUB231PD
#define BCAST VBROADCASTSD
#define EVEN(b, a, d) VUNPCKLPD b, a, d
#define ODD(b, a, d) VUNPCKHPD b, a, d
#define LO(b, a, d) VUNPCKLPD b, a, d
#define HI(b, a, d) VUNPCKHPD b, a, d
#define HALF_ROOT ·halfRoot64(SB)
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
#define PASS2 ·pass2AVX2F64
#define PASS4 ·pass4AVX2F64
#define PASS8 ·pass8AVX2F64
#define LOAD2 ·load2AVX2F64
#define LOAD4 ·load4AVX2F64
#define LOAD8 ·load8AVX2F64
#define LOAD_INVERSE2 ·loadInverse2AVX2F64
#define LOAD_INVERSE4 ·loadInverse4AVX2F64
#define LOAD_INVERSE8 ·loadInverse8AVX2F64
#define IN_PLACE8 ·last8AVX2F64
#define STORE8 ·store8AVX2F64
#define STORE_INVERSE8 ·storeInverse8AVX2F64
#define TILES ·tilesAVX2F64
#define GATHER ·gatherAVX2F64
#define SCATTER ·scatterAVX2F64

// TRANSPOSE transposes the vectors o bytes into the rows of the scratch tile
// at R13 and writes them o bytes into the rows at DI, in the lanes' order.
#define TRANSPOSE(o) \
	MOV (o+0*ROW)(R13), Y0 \
	MOV (o+1*ROW)(R13), Y1 \
	MOV (o+2*ROW)(R13), Y2 \
	MOV (o+3*ROW)(R13), Y3 \
	VUNPCKLPD Y1, Y0, Y4 \
	VUNPCKHPD Y1, Y0, Y5 \
	VUNPCKLPD Y3, Y2, Y6 \
	VUNPCKHPD Y3, Y2, Y7 \
	VPERM2F128 $0x20, Y6, Y4, Y8 \
	MOV Y8, (o+0*ROW)(DI) \
	VPERM2F128 $0x31, Y6, Y4, Y10 \
	MOV Y10, (o+1*ROW)(DI) \
	VPERM2F128 $0x20, Y7, Y5, Y9 \
	MOV Y9, (o+2*ROW)(DI) \
	VPERM2F128 $0x31, Y7, Y5, Y11 \
	MOV Y11, (o+3*ROW)(DI)

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
	VPERM2F128 $0x20, Y1, Y0, Y8 \
	VPERM2F128 $0x31, Y1, Y0, Y9 \
	MOVQ 16(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y0 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 24(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Y1 \
	PREFETCHT0 (AX)(R8*1) \
	VPERM2F128 $0x20, Y1, Y0, Y12 \
	VPERM2F128 $0x31, Y1, Y0, Y13 \
	EVEN(Y12, Y8, Y0) \
	ODD(Y12, Y8, Y1) \
	MOV Y0, (0*ROW)(DI)(R11*1) \
	MOV Y1, (0*ROW)(DI)(R12*1) \
	EVEN(Y13, Y9, Y0) \
	ODD(Y13, Y9, Y1) \
	MOV Y0, (1*ROW)(DI)(R11*1) \
	MOV Y1, (1*ROW)(DI)(R12*1)

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
	VPERM2F128 $0x20, Y1, Y0, Y8 \
	VPERM2F128 $0x31, Y1, Y0, Y9 \
	MOVQ 0(R9), AX \
	MOV Y8, (AX)(R10*1) \
	MOVQ 8(R9), AX \
	MOV Y9, (AX)(R10*1) \
	MOV Y12, Y0 \
	MOV Y13, Y1 \
	VPERM2F128 $0x20, Y1, Y0, Y12 \
	VPERM2F128 $0x31, Y1, Y0, Y13 \
	MOVQ 16(R9), AX \
	MOV Y12, (AX)(R10*1) \
	MOVQ 24(R9), AX \
	MOV Y13, (AX)(R10*1)

#include "stockham_cpu_amd64.h"
