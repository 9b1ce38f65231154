// The best shift of a template, and then its best gain, for VB bytes of lanes
// a vector; see vectorKernel.
//
// At the shifts: A0 … A7 are sums of neighbouring vectors
// of shifts, T, X, W and B vector registers. Of each element of the signal, W
// and B are its pair in all lanes, T the elements of the template that the
// shifts compare with it: each sum gains T·(T·W + B).
//
// DI sums, SI the template at the block's first shift, BX pairs, CX N, DX
// shifts; R8 vectors left, R9 sums of the block, R10 pair, R11 elements left,
// R12 T's place.

#define SHIFT_ARGUMENTS \
	MOVQ sums+0(FP), DI; \
	MOVQ template+8(FP), SI; \
	MOVQ pairs+16(FP), BX; \
	MOVQ n+24(FP), CX; \
	MOVQ shifts+32(FP), DX; \
	MOVQ DI, R9; \
	LEAQ (LANES-1)(DX), R8; \
	SHRQ $LANES_LOG, R8

#define TERM(I, A) \
	VMOVUPS (I*VB)(R12), T; \
	VMOVAPS T, X; \
	VFMADD213PS B, W, X; \
	VFMADD231PS T, X, A

#define TERMS1 TERM(0, A0)
#define TERMS2 TERMS1; TERM(1, A1)
#define TERMS3 TERMS2; TERM(2, A2)
#define TERMS4 TERMS3; TERM(3, A3)
#define TERMS5 TERMS4; TERM(4, A4)
#define TERMS6 TERMS5; TERM(5, A5)
#define TERMS7 TERMS6; TERM(6, A6)
#define TERMS8 TERMS7; TERM(7, A7)

#define STORE1 VMOVUPS A0, (R9)
#define STORE2 STORE1; VMOVUPS A1, (1*VB)(R9)
#define STORE3 STORE2; VMOVUPS A2, (2*VB)(R9)
#define STORE4 STORE3; VMOVUPS A3, (3*VB)(R9)
#define STORE5 STORE4; VMOVUPS A4, (4*VB)(R9)
#define STORE6 STORE5; VMOVUPS A5, (5*VB)(R9)
#define STORE7 STORE6; VMOVUPS A6, (6*VB)(R9)
#define STORE8 STORE7; VMOVUPS A7, (7*VB)(R9)

#define ZERO(A) VXORPS A, A, A

// COUNT vectors of shifts.
#define BLOCK(COUNT, ENTRY, ELEMENT, TERMS, STORE) \
ENTRY: \
	ZERO(A0); ZERO(A1); ZERO(A2); ZERO(A3); ZERO(A4); ZERO(A5); ZERO(A6); ZERO(A7); \
	MOVQ BX, R10; \
	MOVQ CX, R11; \
	MOVQ SI, R12; \
ELEMENT: \
	VBROADCASTSS (R10), W; \
	VBROADCASTSS 4(R10), B; \
	TERMS; \
	ADDQ $8, R10; \
	ADDQ $4, R12; \
	DECQ R11; \
	JNZ ELEMENT; \
	STORE; \
	ADDQ $(COUNT*VB), SI; \
	ADDQ $(COUNT*VB), R9; \
	SUBQ $COUNT, R8; \
	JNZ block; \
	JMP least

#define BLOCKS \
block: \
	CMPQ R8, $8; JGE entry8; \
	CMPQ R8, $7; JEQ entry7; \
	CMPQ R8, $6; JEQ entry6; \
	CMPQ R8, $5; JEQ entry5; \
	CMPQ R8, $4; JEQ entry4; \
	CMPQ R8, $3; JEQ entry3; \
	CMPQ R8, $2; JEQ entry2; \
	BLOCK(1, entry1, element1, TERMS1, STORE1); \
	BLOCK(2, entry2, element2, TERMS2, STORE2); \
	BLOCK(3, entry3, element3, TERMS3, STORE3); \
	BLOCK(4, entry4, element4, TERMS4, STORE4); \
	BLOCK(5, entry5, element5, TERMS5, STORE5); \
	BLOCK(6, entry6, element6, TERMS6, STORE6); \
	BLOCK(7, entry7, element7, TERMS7, STORE7); \
	BLOCK(8, entry8, element8, TERMS8, STORE8)

// Sums beyond the last of DX shifts or gains become infinite; A0 becomes the least of each
// lane. R9 is the end of the sums.
#define LEAST \
least: \
	LEAQ (DI)(DX*4), R10; \
	JMP beyond; \
infinite: \
	MOVL $0x7f800000, (R10); \
	ADDQ $4, R10; \
beyond: \
	CMPQ R10, R9; \
	JLT infinite; \
	VMOVUPS (DI), A0; \
	LEAQ VB(DI), R10; \
	JMP lanes; \
lane: \
	VMINPS (R10), A0, A0; \
	ADDQ $VB, R10; \
lanes: \
	CMPQ R10, R9; \
	JLT lane

// AX becomes the index of the first sum that equals A0's lanes. MASK sets AX's
// bit i where lane i of the vector at R10 does.
#define FIND(MASK) \
	MOVQ DI, R10; \
find: \
	MASK; \
	TESTL AX, AX; \
	JNZ found; \
	ADDQ $VB, R10; \
	CMPQ R10, R9; \
	JLT find; \
found: \
	BSFL AX, AX; \
	SUBQ DI, R10; \
	SHRQ $2, R10; \
	ADDQ R10, AX

// With the gains: SI the template at its best shift, R13 signal, R14 weights,
// BX gains, CX bytes of whole vectors of elements, DX gains, DI what the
// parabola gives for each, R9 its end. A0, A1 and A2 are E, B and C of
// kernels/fused.cu.

#define GAIN_ARGUMENTS \
	MOVQ sums+0(FP), DI; \
	MOVQ template+8(FP), SI; \
	MOVQ signal+16(FP), R13; \
	MOVQ weights+24(FP), R14; \
	MOVQ gains+32(FP), BX; \
	MOVQ n+40(FP), CX; \
	MOVQ count+48(FP), DX; \
	ADDQ $(LANES-1), CX; \
	ANDQ $-LANES, CX; \
	SHLQ $2, CX; \
	LEAQ (LANES-1)(DX), R9; \
	ANDQ $-LANES, R9; \
	LEAQ (DI)(R9*4), R9

#define PARABOLA(SUM) \
	ZERO(A0); ZERO(A1); ZERO(A2); \
	XORQ R10, R10; \
element: \
	VMOVUPS (SI)(R10*1), T; \
	VMOVUPS (R13)(R10*1), X; \
	VMOVUPS (R14)(R10*1), W; \
	VSUBPS T, X, X; \
	VMULPS X, W, B; \
	VFMADD231PS B, X, A0; \
	VFMADD231PS B, T, A1; \
	VMULPS T, W, W; \
	VFMADD231PS W, T, A2; \
	ADDQ $VB, R10; \
	CMPQ R10, CX; \
	JLT element; \
	SUM(A0); SUM(A1); SUM(A2); \
	VADDPS A1, A1, A1; \
	ZERO(X); \
	VSUBPS A1, X, A1; \
	MOVL $0x3f800000, AX; \
	MOVL AX, X8; \
	VBROADCASTSS X8, T; \
	MOVQ BX, R12; \
	MOVQ DI, R10; \
gain: \
	VMOVUPS (R12), W; \
	VSUBPS T, W, W; \
	VMOVAPS W, X; \
	VFMADD213PS A1, A2, X; \
	VFMADD213PS A0, W, X; \
	VMOVUPS X, (R10); \
	ADDQ $VB, R12; \
	ADDQ $VB, R10; \
	CMPQ R10, R9; \
	JLT gain

// A0 becomes the error with gain AX.
#define DIRECT(SUM) \
	VBROADCASTSS (BX)(AX*4), B; \
	ZERO(A0); \
	XORQ R10, R10; \
term: \
	VMULPS (SI)(R10*1), B, T; \
	VMOVUPS (R13)(R10*1), X; \
	VSUBPS T, X, X; \
	VMULPS (R14)(R10*1), X, W; \
	VFMADD231PS W, X, A0; \
	ADDQ $VB, R10; \
	CMPQ R10, CX; \
	JLT term; \
	SUM(A0)
