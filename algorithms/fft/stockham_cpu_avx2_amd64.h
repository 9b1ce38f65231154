// Registers of AVX2 and exchanges between them, as stockham_cpu_amd64.h and
// stockham_cpu_tiles_amd64.h want them.
#define VB 32
#define ROW 64
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

// HALVES transposes 2×2 halves of 16 bytes: a, b to y, z.
#define HALVES(a, b, y, z) \
	VPERM2F128 $0x20, b, a, y \
	VPERM2F128 $0x31, b, a, z

// FOURTHS transposes 4×4 fourths of 8 bytes: a … d to w … z, by way of Y4 to Y7.
#define FOURTHS(a, b, c, d, w, x, y, z) \
	PAIRS(b, a, Y4, Y5)  \
	PAIRS(d, c, Y6, Y7)  \
	HALVES(Y4, Y6, w, y) \
	HALVES(Y5, Y7, x, z)
