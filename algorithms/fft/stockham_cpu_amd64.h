// The lane-parallel kernels, written once for every vector width and
// precision. The including file names the functions and defines
//   VB, ROW, ES   bytes of a vector, of a row (a real and an imaginary
//                 vector) and of one real number
//   V0 … V15      the vector registers
//   MOV ADD SUB MUL FMA FNMA FMS BCAST   the instructions
//   EVEN ODD LO HI   (b, a, d): even and odd numbers of the pair a, b, and
//                 the two halves of its interleaving
//   HALF_ROOT     √½ in memory
//   E0R … E3I     where radix 8 keeps the transform of its even inputs:
//                 registers, or else the destination rows 0, 4, 2, 6
//   F0R … F3I     the same where the destination is elsewhere: source rows
//
// Rows p + m·j, j = 0 … r-1, form one butterfly of radix r; output k goes to
// row p + m·k, multiplied by exp(-2πi·pk/(rm)) (decimation in frequency).

// Rows j of a butterfly, o bytes into the row: S of the source (SI, distance
// R8 and its multiples R9 = 3, R10 = 5, R11 = 7), D of the destination (DI,
// R12, R13 = 3, R14 = 5, R15 = 7).
#define S0(o) o(SI)
#define S1(o) o(SI)(R8*1)
#define S2(o) o(SI)(R8*2)
#define S3(o) o(SI)(R9*1)
#define S4(o) o(SI)(R8*4)
#define S5(o) o(SI)(R10*1)
#define S6(o) o(SI)(R9*2)
#define S7(o) o(SI)(R11*1)
#define D0(o) o(DI)
#define D1(o) o(DI)(R12*1)
#define D2(o) o(DI)(R12*2)
#define D3(o) o(DI)(R13*1)
#define D4(o) o(DI)(R12*4)
#define D5(o) o(DI)(R14*1)
#define D6(o) o(DI)(R13*2)
#define D7(o) o(DI)(R15*1)

#define SOURCE_STRIDES \
	LEAQ (R8)(R8*2), R9  \
	LEAQ (R8)(R8*4), R10 \
	LEAQ (R9)(R8*4), R11

#define DESTINATION_STRIDES \
	LEAQ (R12)(R12*2), R13 \
	LEAQ (R12)(R12*4), R14 \
	LEAQ (R13)(R12*4), R15

// A row as it lies in work buffers.
#define SPLIT(row, re, im) \
	MOV row(0), re  \
	MOV row(VB), im

// A row of adjacent complex numbers; for the inverse transform real and
// imaginary parts change places on the way in and out.
#define FORWARD(row, re, im) \
	PREFETCHT0 row(ROW)    \
	PREFETCHT0 row(ROW+64) \
	MOV row(0), V14        \
	MOV row(VB), V15       \
	EVEN(V15, V14, re)     \
	ODD(V15, V14, im)

#define INVERSE(row, re, im) \
	PREFETCHT0 row(ROW)    \
	PREFETCHT0 row(ROW+64) \
	MOV row(0), V14        \
	MOV row(VB), V15       \
	EVEN(V15, V14, im)     \
	ODD(V15, V14, re)

// PUT writes a row to a work buffer.
#define PUT(re, im, row) \
	MOV re, row(0)  \
	MOV im, row(VB)

// PUT_FORWARD writes a row as adjacent complex numbers.
#define PUT_FORWARD(re, im, row) \
	LO(im, re, V12)   \
	HI(im, re, V13)   \
	MOV V12, row(0)   \
	MOV V13, row(VB)

#define PUT_INVERSE(re, im, row) \
	LO(re, im, V12)   \
	HI(re, im, V13)   \
	MOV V12, row(0)   \
	MOV V13, row(VB)

// TURN_PUT multiplies by the twiddle factor at o(DX) and writes a row:
// 4 vector operations, 6 FLOPs a lane.
#define TURN_PUT(o, re, im, row) \
	BCAST (o)(DX), V12    \
	BCAST (o+ES)(DX), V13 \
	MUL   V13, im, V14    \
	MUL   V12, im, im     \
	FMA   V13, re, im     \
	FMS   V12, re, V14    \
	MOV   V14, row(0)     \
	MOV   im, row(VB)

// RADIX2: rows a, b in V0, V1 and V2, V3; sum to V4, V5, difference to V6, V7.
// 4 FLOPs a lane.
#define RADIX2 \
	ADD V2, V0, V4  \
	ADD V3, V1, V5  \
	SUB V2, V0, V6  \
	SUB V3, V1, V7

// RADIX4: rows 0 … 3 in V0 … V7, real and imaginary in turn, replaced by
// their transform. 16 FLOPs a lane.
#define RADIX4 \
	ADD V4, V0, V8   \
	ADD V5, V1, V9   \
	SUB V4, V0, V10  \
	SUB V5, V1, V11  \
	ADD V6, V2, V12  \
	ADD V7, V3, V13  \
	SUB V6, V2, V14  \
	SUB V7, V3, V15  \
	ADD V12, V8, V0  \
	ADD V13, V9, V1  \
	SUB V12, V8, V4  \
	SUB V13, V9, V5  \
	ADD V15, V10, V2 \
	SUB V14, V11, V3 \
	SUB V15, V10, V6 \
	ADD V14, V11, V7

// EVENS and ODDS are the two halves of radix 8: the transform of the even
// rows, to be kept aside, and that of the odd rows; both come to V0 … V7.
#define EVENS(GET) \
	GET(S0, V0, V1) \
	GET(S2, V2, V3) \
	GET(S4, V4, V5) \
	GET(S6, V6, V7) \
	RADIX4

#define ODDS(GET) \
	GET(S1, V0, V1) \
	GET(S3, V2, V3) \
	GET(S5, V4, V5) \
	GET(S7, V6, V7) \
	RADIX4

#define KEEP(R0, I0, R1, I1, R2, I2, R3, I3) \
	MOV V0, R0 \
	MOV V1, I0 \
	MOV V2, R1 \
	MOV V3, I1 \
	MOV V4, R2 \
	MOV V5, I2 \
	MOV V6, R3 \
	MOV V7, I3

// JOINk gives the outputs k in V8, V9 and k+4 in V10, V11 from the kept
// output k of the even rows and output k of the odd rows, which is first
// turned by k eighths. √½ is in V15. In the order 1, 3, 0, 2 no kept row is
// overwritten before its turn. All four: 28 FLOPs a lane.
#define JOIN1(R, I) \
	MOV  R, V8         \
	MOV  I, V9         \
	ADD  V3, V2, V12   \
	SUB  V2, V3, V13   \
	MOV  V8, V10       \
	MOV  V9, V11       \
	FMA  V15, V12, V8  \
	FMA  V15, V13, V9  \
	FNMA V15, V12, V10 \
	FNMA V15, V13, V11

#define JOIN3(R, I) \
	MOV  R, V8         \
	MOV  I, V9         \
	SUB  V6, V7, V12   \
	ADD  V7, V6, V13   \
	MOV  V8, V10       \
	MOV  V9, V11       \
	FMA  V15, V12, V8  \
	FNMA V15, V13, V9  \
	FNMA V15, V12, V10 \
	FMA  V15, V13, V11

#define JOIN0(R, I) \
	MOV R, V12       \
	MOV I, V13       \
	ADD V0, V12, V8  \
	ADD V1, V13, V9  \
	SUB V0, V12, V10 \
	SUB V1, V13, V11

#define JOIN2(R, I) \
	MOV R, V12       \
	MOV I, V13       \
	ADD V5, V12, V8  \
	SUB V4, V13, V9  \
	SUB V5, V12, V10 \
	ADD V4, V13, V11

// TURNED8, 4 and 2 are the butterflies with twiddle factors: 60+42, 16+18
// and 4+6 FLOPs a lane.
#define TURNED8(GET) \
	EVENS(GET)                                       \
	KEEP(E0R, E0I, E1R, E1I, E2R, E2I, E3R, E3I)     \
	ODDS(GET)                                        \
	BCAST HALF_ROOT, V15                             \
	JOIN1(E1R, E1I)                                  \
	TURN_PUT(0*ES, V8, V9, D1)                       \
	TURN_PUT(8*ES, V10, V11, D5)                     \
	JOIN3(E3R, E3I)                                  \
	TURN_PUT(4*ES, V8, V9, D3)                       \
	TURN_PUT(12*ES, V10, V11, D7)                    \
	JOIN0(E0R, E0I)                                  \
	PUT(V8, V9, D0)                                  \
	TURN_PUT(6*ES, V10, V11, D4)                     \
	JOIN2(E2R, E2I)                                  \
	TURN_PUT(2*ES, V8, V9, D2)                       \
	TURN_PUT(10*ES, V10, V11, D6)

#define TURNED4(GET) \
	GET(S0, V0, V1)            \
	GET(S1, V2, V3)            \
	GET(S2, V4, V5)            \
	GET(S3, V6, V7)            \
	RADIX4                     \
	PUT(V0, V1, D0)            \
	TURN_PUT(0*ES, V2, V3, D1) \
	TURN_PUT(2*ES, V4, V5, D2) \
	TURN_PUT(4*ES, V6, V7, D3)

#define TURNED2(GET) \
	GET(S0, V0, V1)            \
	GET(S1, V2, V3)            \
	RADIX2                     \
	PUT(V4, V5, D0)            \
	TURN_PUT(0*ES, V6, V7, D1)

// A pass over blocks of RADIX·m rows. Source rows are distance bytes apart
// and source blocks step bytes; destination rows are packed.
//
// func(dst, src unsafe.Pointer, distance, step, m, blocks int, twiddles unsafe.Pointer)
#define PASS(NAME, BUTTERFLY, GET, RADIX) \
TEXT NAME(SB), NOSPLIT, $8-56       \
	MOVQ  dst+0(FP), DI             \
	MOVQ  src+8(FP), SI             \
	MOVQ  distance+16(FP), R8       \
	MOVQ  m+32(FP), AX              \
	MOVQ  blocks+40(FP), BX         \
	MOVQ  AX, R12                   \
	IMULQ $ROW, R12                 \
	IMULQ AX, R8                    \
	SOURCE_STRIDES                  \
	DESTINATION_STRIDES             \
block:                              \
	MOVQ  SI, first-8(SP)           \
	MOVQ  twiddles+48(FP), DX       \
	MOVQ  m+32(FP), CX              \
butterfly:                          \
	BUTTERFLY(GET)                  \
	ADDQ  $ROW, DI                  \
	ADDQ  distance+16(FP), SI       \
	ADDQ  $(2*(RADIX-1)*ES), DX     \
	DECQ  CX                        \
	JNZ   butterfly                 \
	MOVQ  first-8(SP), SI           \
	ADDQ  step+24(FP), SI           \
	MOVQ  m+32(FP), AX              \
	IMULQ $((RADIX-1)*ROW), AX      \
	ADDQ  AX, DI                    \
	DECQ  BX                        \
	JNZ   block                     \
	VZEROUPPER                      \
	RET

PASS(PASS2, TURNED2, SPLIT, 2)
PASS(PASS4, TURNED4, SPLIT, 4)
PASS(PASS8, TURNED8, SPLIT, 8)
PASS(LOAD2, TURNED2, FORWARD, 2)
PASS(LOAD4, TURNED4, FORWARD, 4)
PASS(LOAD8, TURNED8, FORWARD, 8)
PASS(LOAD_INVERSE2, TURNED2, INVERSE, 2)
PASS(LOAD_INVERSE4, TURNED4, INVERSE, 4)
PASS(LOAD_INVERSE8, TURNED8, INVERSE, 8)

// LAST8 is the last butterfly, of eight adjacent rows, without twiddle
// factors: 60 FLOPs a lane. OUT writes a row to P0 … P7.
#define LAST8(OUT, P0, P1, P2, P3, P4, P5, P6, P7) \
	EVENS(SPLIT)                                 \
	KEEP(F0R, F0I, F1R, F1I, F2R, F2I, F3R, F3I) \
	ODDS(SPLIT)                                  \
	BCAST HALF_ROOT, V15                         \
	JOIN1(F1R, F1I)                              \
	OUT(V8, V9, P1)                              \
	OUT(V10, V11, P5)                            \
	JOIN3(F3R, F3I)                              \
	OUT(V8, V9, P3)                              \
	OUT(V10, V11, P7)                            \
	JOIN0(F0R, F0I)                              \
	OUT(V8, V9, P0)                              \
	OUT(V10, V11, P4)                            \
	JOIN2(F2R, F2I)                              \
	OUT(V8, V9, P2)                              \
	OUT(V10, V11, P6)

// func last8(work unsafe.Pointer, blocks int)
TEXT IN_PLACE8(SB), NOSPLIT, $0-16
	MOVQ work+0(FP), SI
	MOVQ blocks+8(FP), CX
	MOVQ $ROW, R8
	SOURCE_STRIDES
block:
	LAST8(PUT, S0, S1, S2, S3, S4, S5, S6, S7)
	ADDQ $(8*ROW), SI
	DECQ CX
	JNZ  block
	VZEROUPPER
	RET

// The last butterflies with their output as adjacent complex numbers: block q
// of a group puts output k at dst + offsets[q] + k·stride; the next group
// starts ROW bytes on.
//
// func(dst, work unsafe.Pointer, offsets *uint32, stride, blocks, groups int)
#define STORE(NAME, OUT) \
TEXT NAME(SB), NOSPLIT, $0-48                     \
	MOVQ dst+0(FP), AX                            \
	MOVQ work+8(FP), SI                           \
	MOVQ stride+24(FP), R12                       \
	MOVQ groups+40(FP), BX                        \
	MOVQ $ROW, R8                                 \
	SOURCE_STRIDES                                \
	DESTINATION_STRIDES                           \
group:                                            \
	MOVQ offsets+16(FP), DX                       \
	MOVQ blocks+32(FP), CX                        \
block:                                            \
	MOVL (DX), DI                                 \
	ADDQ AX, DI                                   \
	LAST8(OUT, D0, D1, D2, D3, D4, D5, D6, D7)    \
	ADDQ $(8*ROW), SI                             \
	ADDQ $4, DX                                   \
	DECQ CX                                       \
	JNZ  block                                    \
	ADDQ $ROW, AX                                 \
	DECQ BX                                       \
	JNZ  group                                    \
	VZEROUPPER                                    \
	RET

STORE(STORE8, PUT_FORWARD)
STORE(STORE_INVERSE8, PUT_INVERSE)
