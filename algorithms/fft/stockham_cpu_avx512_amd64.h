// Registers of AVX-512 and exchanges between them, as stockham_cpu_amd64.h and
// stockham_cpu_tiles_amd64.h want them.
#define VB 64
#define ROW 128
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

// QUARTERS transposes 4×4 quarters of 16 bytes: a, b, c, d to w, x, y, z, by way
// of s, t, u, v.
#define QUARTERS(a, b, c, d, s, t, u, v, w, x, y, z) \
	VSHUFF64X2 $0x44, b, a, s \
	VSHUFF64X2 $0xEE, b, a, t \
	VSHUFF64X2 $0x44, d, c, u \
	VSHUFF64X2 $0xEE, d, c, v \
	VSHUFF64X2 $0x88, u, s, w \
	VSHUFF64X2 $0xDD, u, s, x \
	VSHUFF64X2 $0x88, v, t, y \
	VSHUFF64X2 $0xDD, v, t, z

// EIGHTHS transposes 8×8 eighths of 8 bytes: a … h to s … z, by way of Z0 to Z15.
#define EIGHTHS(a, b, c, d, e, f, g, h, s, t, u, v, w, x, y, z) \
	PAIRS(b, a, Z8, Z9)   \
	PAIRS(d, c, Z10, Z11) \
	PAIRS(f, e, Z12, Z13) \
	PAIRS(h, g, Z14, Z15) \
	QUARTERS(Z8, Z10, Z12, Z14, Z0, Z1, Z2, Z3, s, u, w, y) \
	QUARTERS(Z9, Z11, Z13, Z15, Z4, Z5, Z6, Z7, t, v, x, z)
