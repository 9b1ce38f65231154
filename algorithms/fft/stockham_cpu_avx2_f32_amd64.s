// AVX2, single precision: 8 lanes.

#include "textflag.h"
#include "stockham_cpu_avx2_amd64.h"
#include "stockham_cpu_f32_amd64.h"

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

#define TRANSPOSE(o) \
	TAKE(o, 0, Y0) \
	TAKE(o, 1, Y1) \
	TAKE(o, 2, Y2) \
	TAKE(o, 3, Y3) \
	TAKE(o, 4, Y4) \
	TAKE(o, 5, Y5) \
	TAKE(o, 6, Y6) \
	TAKE(o, 7, Y7) \
	SINGLES(Y1, Y0, Y8, Y9)   \
	SINGLES(Y3, Y2, Y10, Y11) \
	SINGLES(Y5, Y4, Y12, Y13) \
	SINGLES(Y7, Y6, Y14, Y15) \
	PAIRS(Y10, Y8, Y0, Y1)    \
	PAIRS(Y11, Y9, Y2, Y3)    \
	PAIRS(Y14, Y12, Y4, Y5)   \
	PAIRS(Y15, Y13, Y6, Y7)   \
	HALVES(Y0, Y4, Y8, Y12)   \
	GIVE(o, 0, Y8)  \
	GIVE(o, 2, Y12) \
	HALVES(Y1, Y5, Y9, Y13)   \
	GIVE(o, 1, Y9)  \
	GIVE(o, 3, Y13) \
	HALVES(Y2, Y6, Y10, Y14)  \
	GIVE(o, 4, Y10) \
	GIVE(o, 6, Y14) \
	HALVES(Y3, Y7, Y11, Y15)  \
	GIVE(o, 5, Y11) \
	GIVE(o, 7, Y15)

#define GATHER_UNIT \
	PICK(0, Y0) \
	PICK(1, Y1) \
	PICK(2, Y2) \
	PICK(3, Y3) \
	FOURTHS(Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11) \
	PICK(4, Y0) \
	PICK(5, Y1) \
	PICK(6, Y2) \
	PICK(7, Y3) \
	FOURTHS(Y0, Y1, Y2, Y3, Y12, Y13, Y14, Y15) \
	BOTH(Y12, Y8, 0)  \
	BOTH(Y13, Y9, 1)  \
	BOTH(Y14, Y10, 2) \
	BOTH(Y15, Y11, 3)

#define SCATTER_UNIT \
	MERGE(0, Y8, Y9, Y0, Y12) \
	MERGE(1, Y8, Y9, Y1, Y13) \
	MERGE(2, Y8, Y9, Y2, Y14) \
	MERGE(3, Y8, Y9, Y3, Y15) \
	FOURTHS(Y0, Y1, Y2, Y3, Y8, Y9, Y10, Y11) \
	DEAL(0, Y8)  \
	DEAL(1, Y9)  \
	DEAL(2, Y10) \
	DEAL(3, Y11) \
	FOURTHS(Y12, Y13, Y14, Y15, Y12, Y13, Y14, Y15) \
	DEAL(4, Y12) \
	DEAL(5, Y13) \
	DEAL(6, Y14) \
	DEAL(7, Y15)

#include "stockham_cpu_amd64.h"
#include "stockham_cpu_tiles_amd64.h"
