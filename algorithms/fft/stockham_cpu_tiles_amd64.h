// Transposing kernels, written once: tiles between the two steps of a long
// transform, and transforms that go one to a lane. The including file defines,
// besides what stockham_cpu_amd64.h wants,
//   TRANSPOSE(o)  transposes the vectors o bytes into the rows of the scratch
//                 tile at R13 and writes them o bytes into the rows at DI, in
//                 the lanes' order
//   GATHER_UNIT   reads a vector of each transform (PICK) and writes them as
//                 rows (BOTH)
//   SCATTER_UNIT  does the reverse: MERGE, DEAL

#define LANES (VB/ES)

// The lower and upper numbers of each 16 bytes of the pair a, b, where they are
// of 4 bytes and of 8.
#define SINGLES(b, a, l, h) \
	VUNPCKLPS b, a, l \
	VUNPCKHPS b, a, h

#define PAIRS(b, a, l, h) \
	VUNPCKLPD b, a, l \
	VUNPCKHPD b, a, h

// Row k of a tile, o bytes into it, from scratch and to its place.
#define TAKE(o, k, v) MOV (o+k*ROW)(R13), v
#define GIVE(o, k, v) MOV v, (o+k*ROW)(DI)

// A vector of the transform whose pointer lies at R9, R10 bytes from there.
#define PICK(transform, v) \
	MOVQ (8*(transform))(R9), AX \
	ADDQ R10, AX               \
	MOV  (AX), v               \
	PREFETCHT0 (AX)(R8*1)

#define DEAL(transform, v) \
	MOVQ (8*(transform))(R9), AX \
	MOV  v, (AX)(R10*1)

// Row k at DI, real parts R11 and imaginary parts R12 bytes into it, of the pair
// a, b of adjacent complex numbers.
#define BOTH(b, a, k) \
	EVEN(b, a, V0) \
	ODD(b, a, V1)  \
	MOV V0, (k*ROW)(DI)(R11*1) \
	MOV V1, (k*ROW)(DI)(R12*1)

// The two halves of the adjacent complex numbers of the row whose place
// relative to DI lies at SI; r and i are scratch.
#define MERGE(k, r, i, l, h) \
	MOVL (4*k)(SI), AX   \
	ADDQ DI, AX          \
	MOV  (AX)(R11*1), r  \
	MOV  (AX)(R12*1), i  \
	LO(i, r, l)          \
	HI(i, r, h)

// TWIST multiplies row o of a tile, at SI, by the factor of its row, o bytes
// into DX, and the tile's factor in V8, V9, and puts it into the scratch tile
// at R8: 8 vector operations, 12 FLOPs a lane.
#define TWIST(o) \
	MOV (SI), V0       \
	MOV VB(SI), V1     \
	MOV (o)(DX), V2    \
	MOV (o+VB)(DX), V3 \
	MUL V3, V1, V4     \
	MUL V2, V1, V5     \
	FMA V3, V0, V5     \
	FMS V2, V0, V4     \
	MUL V9, V5, V6     \
	MUL V8, V5, V7     \
	FMA V9, V4, V7     \
	FMS V8, V4, V6     \
	MOV V6, (o)(R8)    \
	MOV V7, (o+VB)(R8)

// Tiles between the two steps. A tile is as many rows of work as a row has
// lanes, rows[…] bytes from work; each is multiplied by its factors, then the
// tile is transposed and written to consecutive rows at dst. Tiles are step
// bytes apart at dst; the tile's factors, one row each, follow each other at
// u, and the factors of a tile's rows are at v.
//
// func tiles(dst unsafe.Pointer, step int, work unsafe.Pointer, rows *uint32, tiles int, u, v, scratch unsafe.Pointer)
TEXT TILES(SB), NOSPLIT, $0-64
	MOVQ dst+0(FP), DI
	MOVQ work+16(FP), R9
	MOVQ rows+24(FP), R10
	MOVQ tiles+32(FP), BX
	MOVQ u+40(FP), R11
	MOVQ scratch+56(FP), R13
tile:
	MOV  (R11), V8
	MOV  VB(R11), V9
	MOVQ v+48(FP), DX
	MOVQ R13, R8
	MOVQ $(LANES/4), CX
row:
	MOVL 0(R10), SI
	ADDQ R9, SI
	TWIST(0*ROW)
	MOVL 4(R10), SI
	ADDQ R9, SI
	TWIST(1*ROW)
	MOVL 8(R10), SI
	ADDQ R9, SI
	TWIST(2*ROW)
	MOVL 12(R10), SI
	ADDQ R9, SI
	TWIST(3*ROW)
	ADDQ $16, R10
	ADDQ $(4*ROW), DX
	ADDQ $(4*ROW), R8
	DECQ CX
	JNZ  row
	TRANSPOSE(0)
	TRANSPOSE(VB)
	ADDQ step+8(FP), DI
	ADDQ $ROW, R11
	DECQ BX
	JNZ  tile
	VZEROUPPER
	RET

// Transforms too short for two steps go one to a lane: gather reads units
// vectors of each into rows, scatter writes rows, in the order given, back.
// swapped is 0, or VB to exchange real and imaginary parts.
//
// func gather(work unsafe.Pointer, transforms *unsafe.Pointer, units, swapped int)
TEXT GATHER(SB), NOSPLIT, $0-32
	MOVQ work+0(FP), DI
	MOVQ transforms+8(FP), R9
	MOVQ units+16(FP), CX
	MOVQ CX, R8
	IMULQ $(VB*LANES), R8
	MOVQ swapped+24(FP), R11
	MOVQ R11, R12
	XORQ $VB, R12
	XORQ R10, R10
unit:
	GATHER_UNIT
	ADDQ $(LANES/2*ROW), DI
	ADDQ $VB, R10
	DECQ CX
	JNZ  unit
	VZEROUPPER
	RET

// func scatter(transforms *unsafe.Pointer, work unsafe.Pointer, rows *uint32, units, swapped int)
TEXT SCATTER(SB), NOSPLIT, $0-40
	MOVQ transforms+0(FP), R9
	MOVQ work+8(FP), DI
	MOVQ rows+16(FP), SI
	MOVQ units+24(FP), CX
	MOVQ swapped+32(FP), R11
	MOVQ R11, R12
	XORQ $VB, R12
	XORQ R10, R10
unit:
	SCATTER_UNIT
	ADDQ $(4*LANES/2), SI
	ADDQ $VB, R10
	DECQ CX
	JNZ  unit
	VZEROUPPER
	RET
