// AVX2, double precision: 4 lanes.

#include "textflag.h"
#include "stockham_cpu_avx2_amd64.h"
#include "stockham_cpu_f64_amd64.h"

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

#define TRANSPOSE(o) \
	TAKE(o, 0, Y0) \
	TAKE(o, 1, Y1) \
	TAKE(o, 2, Y2) \
	TAKE(o, 3, Y3) \
	FOURTHS(Y0, Y1, Y2, Y3, Y8, Y10, Y9, Y11) \
	GIVE(o, 0, Y8)  \
	GIVE(o, 1, Y9)  \
	GIVE(o, 2, Y10) \
	GIVE(o, 3, Y11)

#define GATHER_UNIT \
	PICK(0, Y0) \
	PICK(1, Y1) \
	HALVES(Y0, Y1, Y8, Y9)   \
	PICK(2, Y0) \
	PICK(3, Y1) \
	HALVES(Y0, Y1, Y12, Y13) \
	BOTH(Y12, Y8, 0) \
	BOTH(Y13, Y9, 1)

#define SCATTER_UNIT \
	MERGE(0, Y8, Y9, Y0, Y12) \
	MERGE(1, Y8, Y9, Y1, Y13) \
	HALVES(Y0, Y1, Y8, Y9) \
	DEAL(0, Y8) \
	DEAL(1, Y9) \
	HALVES(Y12, Y13, Y8, Y9) \
	DEAL(2, Y8) \
	DEAL(3, Y9)

#include "stockham_cpu_amd64.h"
#include "stockham_cpu_tiles_amd64.h"
