// AVX-512, double precision: 8 lanes; see stockham_cpu_amd64.h.

#include "textflag.h"

#define VB 64
#define ROW 128
#define ES 8
#define LANES 8
#define V0 Z0
#define V1 Z1
#define V2 Z2
#define V3 Z3
#define V4 Z4
#define V5 Z5
#define V6 Z6
#define V7 Z7
#define V8 Z8
#define V9 Z9
#define V10 Z10
#define V11 Z11
#define V12 Z12
#define V13 Z13
#define V14 Z14
#define V15 Z15
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
#define E0R Z16
#define E0I Z17
#define E1R Z18
#define E1I Z19
#define E2R Z20
#define E2I Z21
#define E3R Z22
#define E3I Z23
#define F0R Z16
#define F0I Z17
#define F1R Z18
#define F1I Z19
#define F2R Z20
#define F2I Z21
#define F3R Z22
#define F3I Z23
#define PASS2 ·pass2AVX512F64
#define PASS4 ·pass4AVX512F64
#define PASS8 ·pass8AVX512F64
#define LOAD2 ·load2AVX512F64
#define LOAD4 ·load4AVX512F64
#define LOAD8 ·load8AVX512F64
#define LOAD_INVERSE2 ·loadInverse2AVX512F64
#define LOAD_INVERSE4 ·loadInverse4AVX512F64
#define LOAD_INVERSE8 ·loadInverse8AVX512F64
#define IN_PLACE8 ·last8AVX512F64
#define STORE8 ·store8AVX512F64
#define STORE_INVERSE8 ·storeInverse8AVX512F64
#define TILES ·tilesAVX512F64
#define GATHER ·gatherAVX512F64
#define SCATTER ·scatterAVX512F64

// TRANSPOSE transposes the vectors o bytes into the rows of the scratch tile
// at R13 and writes them o bytes into the rows at DI, in the lanes' order.
#define TRANSPOSE(o) \
	MOV (o+0*ROW)(R13), Z0 \
	MOV (o+1*ROW)(R13), Z1 \
	MOV (o+2*ROW)(R13), Z2 \
	MOV (o+3*ROW)(R13), Z3 \
	MOV (o+4*ROW)(R13), Z4 \
	MOV (o+5*ROW)(R13), Z5 \
	MOV (o+6*ROW)(R13), Z6 \
	MOV (o+7*ROW)(R13), Z7 \
	VUNPCKLPD Z1, Z0, Z16 \
	VUNPCKHPD Z1, Z0, Z17 \
	VUNPCKLPD Z3, Z2, Z18 \
	VUNPCKHPD Z3, Z2, Z19 \
	VUNPCKLPD Z5, Z4, Z20 \
	VUNPCKHPD Z5, Z4, Z21 \
	VUNPCKLPD Z7, Z6, Z22 \
	VUNPCKHPD Z7, Z6, Z23 \
	VSHUFF64X2 $0x44, Z18, Z16, Z24 \
	VSHUFF64X2 $0xEE, Z18, Z16, Z25 \
	VSHUFF64X2 $0x44, Z22, Z20, Z26 \
	VSHUFF64X2 $0xEE, Z22, Z20, Z27 \
	VSHUFF64X2 $0x88, Z26, Z24, Z0 \
	MOV Z0, (o+0*ROW)(DI) \
	VSHUFF64X2 $0xDD, Z26, Z24, Z1 \
	MOV Z1, (o+1*ROW)(DI) \
	VSHUFF64X2 $0x88, Z27, Z25, Z2 \
	MOV Z2, (o+2*ROW)(DI) \
	VSHUFF64X2 $0xDD, Z27, Z25, Z3 \
	MOV Z3, (o+3*ROW)(DI) \
	VSHUFF64X2 $0x44, Z19, Z17, Z28 \
	VSHUFF64X2 $0xEE, Z19, Z17, Z29 \
	VSHUFF64X2 $0x44, Z23, Z21, Z30 \
	VSHUFF64X2 $0xEE, Z23, Z21, Z31 \
	VSHUFF64X2 $0x88, Z30, Z28, Z4 \
	MOV Z4, (o+4*ROW)(DI) \
	VSHUFF64X2 $0xDD, Z30, Z28, Z5 \
	MOV Z5, (o+5*ROW)(DI) \
	VSHUFF64X2 $0x88, Z31, Z29, Z6 \
	MOV Z6, (o+6*ROW)(DI) \
	VSHUFF64X2 $0xDD, Z31, Z29, Z7 \
	MOV Z7, (o+7*ROW)(DI)

// GATHER_UNIT reads a vector of each transform, R10 bytes from the pointers at
// R9, and writes them as rows at DI, real parts R11 and imaginary parts R12
// bytes into them. SCATTER_UNIT does the reverse for the rows whose places
// relative to DI are at SI.
#define GATHER_UNIT \
	MOVQ 0(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z0 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 8(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z1 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 16(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z2 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 24(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z3 \
	PREFETCHT0 (AX)(R8*1) \
	VSHUFF64X2 $0x44, Z1, Z0, Z4 \
	VSHUFF64X2 $0xEE, Z1, Z0, Z5 \
	VSHUFF64X2 $0x44, Z3, Z2, Z6 \
	VSHUFF64X2 $0xEE, Z3, Z2, Z7 \
	VSHUFF64X2 $0x88, Z6, Z4, Z16 \
	VSHUFF64X2 $0xDD, Z6, Z4, Z17 \
	VSHUFF64X2 $0x88, Z7, Z5, Z18 \
	VSHUFF64X2 $0xDD, Z7, Z5, Z19 \
	MOVQ 32(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z0 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 40(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z1 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 48(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z2 \
	PREFETCHT0 (AX)(R8*1) \
	MOVQ 56(R9), AX \
	ADDQ R10, AX \
	MOV (AX), Z3 \
	PREFETCHT0 (AX)(R8*1) \
	VSHUFF64X2 $0x44, Z1, Z0, Z4 \
	VSHUFF64X2 $0xEE, Z1, Z0, Z5 \
	VSHUFF64X2 $0x44, Z3, Z2, Z6 \
	VSHUFF64X2 $0xEE, Z3, Z2, Z7 \
	VSHUFF64X2 $0x88, Z6, Z4, Z20 \
	VSHUFF64X2 $0xDD, Z6, Z4, Z21 \
	VSHUFF64X2 $0x88, Z7, Z5, Z22 \
	VSHUFF64X2 $0xDD, Z7, Z5, Z23 \
	EVEN(Z20, Z16, Z0) \
	ODD(Z20, Z16, Z1) \
	MOV Z0, (0*ROW)(DI)(R11*1) \
	MOV Z1, (0*ROW)(DI)(R12*1) \
	EVEN(Z21, Z17, Z0) \
	ODD(Z21, Z17, Z1) \
	MOV Z0, (1*ROW)(DI)(R11*1) \
	MOV Z1, (1*ROW)(DI)(R12*1) \
	EVEN(Z22, Z18, Z0) \
	ODD(Z22, Z18, Z1) \
	MOV Z0, (2*ROW)(DI)(R11*1) \
	MOV Z1, (2*ROW)(DI)(R12*1) \
	EVEN(Z23, Z19, Z0) \
	ODD(Z23, Z19, Z1) \
	MOV Z0, (3*ROW)(DI)(R11*1) \
	MOV Z1, (3*ROW)(DI)(R12*1)

#define SCATTER_UNIT \
	MOVL 0(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Z16 \
	MOV (AX)(R12*1), Z17 \
	LO(Z17, Z16, Z0) \
	HI(Z17, Z16, Z20) \
	MOVL 4(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Z16 \
	MOV (AX)(R12*1), Z17 \
	LO(Z17, Z16, Z1) \
	HI(Z17, Z16, Z21) \
	MOVL 8(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Z16 \
	MOV (AX)(R12*1), Z17 \
	LO(Z17, Z16, Z2) \
	HI(Z17, Z16, Z22) \
	MOVL 12(SI), AX \
	ADDQ DI, AX \
	MOV (AX)(R11*1), Z16 \
	MOV (AX)(R12*1), Z17 \
	LO(Z17, Z16, Z3) \
	HI(Z17, Z16, Z23) \
	VSHUFF64X2 $0x44, Z1, Z0, Z4 \
	VSHUFF64X2 $0xEE, Z1, Z0, Z5 \
	VSHUFF64X2 $0x44, Z3, Z2, Z6 \
	VSHUFF64X2 $0xEE, Z3, Z2, Z7 \
	VSHUFF64X2 $0x88, Z6, Z4, Z16 \
	VSHUFF64X2 $0xDD, Z6, Z4, Z17 \
	VSHUFF64X2 $0x88, Z7, Z5, Z18 \
	VSHUFF64X2 $0xDD, Z7, Z5, Z19 \
	MOVQ 0(R9), AX \
	MOV Z16, (AX)(R10*1) \
	MOVQ 8(R9), AX \
	MOV Z17, (AX)(R10*1) \
	MOVQ 16(R9), AX \
	MOV Z18, (AX)(R10*1) \
	MOVQ 24(R9), AX \
	MOV Z19, (AX)(R10*1) \
	MOV Z20, Z0 \
	MOV Z21, Z1 \
	MOV Z22, Z2 \
	MOV Z23, Z3 \
	VSHUFF64X2 $0x44, Z1, Z0, Z4 \
	VSHUFF64X2 $0xEE, Z1, Z0, Z5 \
	VSHUFF64X2 $0x44, Z3, Z2, Z6 \
	VSHUFF64X2 $0xEE, Z3, Z2, Z7 \
	VSHUFF64X2 $0x88, Z6, Z4, Z20 \
	VSHUFF64X2 $0xDD, Z6, Z4, Z21 \
	VSHUFF64X2 $0x88, Z7, Z5, Z22 \
	VSHUFF64X2 $0xDD, Z7, Z5, Z23 \
	MOVQ 32(R9), AX \
	MOV Z20, (AX)(R10*1) \
	MOVQ 40(R9), AX \
	MOV Z21, (AX)(R10*1) \
	MOVQ 48(R9), AX \
	MOV Z22, (AX)(R10*1) \
	MOVQ 56(R9), AX \
	MOV Z23, (AX)(R10*1)

#include "stockham_cpu_amd64.h"
