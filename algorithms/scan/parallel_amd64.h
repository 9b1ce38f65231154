// The loops of the scan and sum kernels. VB is the bytes of a vector; V, T, S,
// BASE and CARRY are vector registers, the last three free of the macros that
// PREFIX (scan of the lanes of V, T for scratch), UP (V moved up one lane into
// T, zero below) and LAST (the last lane of V in all lanes of T) are.
// MOVE_BASE sets BASE to the element at AX in all lanes.

#define LOAD_ARGUMENTS \
	MOVQ dst+0(FP), DI; \
	MOVQ src+8(FP), SI; \
	MOVQ vectors+16(FP), DX; \
	MOVQ rows+24(FP), R8; \
	MOVQ base+32(FP), AX; \
	MOVQ total+40(FP), R9; \
	MOVQ ahead+48(FP), R10

// One vector: the sums before it are BASE + CARRY. Adding CARRY up needs the
// sums of the vector alone, so that vectors overlap.
#define INCLUSIVE(ADD, STORE, LAST) \
	ADD CARRY, BASE, S; \
	LAST; \
	ADD T, CARRY, CARRY; \
	ADD S, V, V; \
	STORE V, (DI)

#define EXCLUSIVE(ADD, STORE, UP, LAST) \
	ADD CARRY, BASE, S; \
	UP; \
	ADD S, T, S; \
	LAST; \
	ADD T, CARRY, CARRY; \
	STORE S, (DI)
