// AVX-512, single precision: 16 lanes.

#include "textflag.h"
#include "stockham_cpu_avx512_amd64.h"
#include "stockham_cpu_f32_amd64.h"

#define PASS2 ·pass2AVX512F32
#define PASS4 ·pass4AVX512F32
#define PASS8 ·pass8AVX512F32
#define LOAD2 ·load2AVX512F32
#define LOAD4 ·load4AVX512F32
#define LOAD8 ·load8AVX512F32
#define LOAD_INVERSE2 ·loadInverse2AVX512F32
#define LOAD_INVERSE4 ·loadInverse4AVX512F32
#define LOAD_INVERSE8 ·loadInverse8AVX512F32
#define IN_PLACE8 ·last8AVX512F32
#define STORE8 ·store8AVX512F32
#define STORE_INVERSE8 ·storeInverse8AVX512F32
#define TILES ·tilesAVX512F32
#define GATHER ·gatherAVX512F32
#define SCATTER ·scatterAVX512F32

#define TRANSPOSE(o) \
	TAKE(o, 0, Z0)   \
	TAKE(o, 1, Z1)   \
	TAKE(o, 2, Z2)   \
	TAKE(o, 3, Z3)   \
	TAKE(o, 4, Z4)   \
	TAKE(o, 5, Z5)   \
	TAKE(o, 6, Z6)   \
	TAKE(o, 7, Z7)   \
	TAKE(o, 8, Z8)   \
	TAKE(o, 9, Z9)   \
	TAKE(o, 10, Z10) \
	TAKE(o, 11, Z11) \
	TAKE(o, 12, Z12) \
	TAKE(o, 13, Z13) \
	TAKE(o, 14, Z14) \
	TAKE(o, 15, Z15) \
	SINGLES(Z1, Z0, Z16, Z17)   \
	SINGLES(Z3, Z2, Z18, Z19)   \
	SINGLES(Z5, Z4, Z20, Z21)   \
	SINGLES(Z7, Z6, Z22, Z23)   \
	SINGLES(Z9, Z8, Z24, Z25)   \
	SINGLES(Z11, Z10, Z26, Z27) \
	SINGLES(Z13, Z12, Z28, Z29) \
	SINGLES(Z15, Z14, Z30, Z31) \
	PAIRS(Z18, Z16, Z0, Z1)   \
	PAIRS(Z19, Z17, Z2, Z3)   \
	PAIRS(Z22, Z20, Z4, Z5)   \
	PAIRS(Z23, Z21, Z6, Z7)   \
	PAIRS(Z26, Z24, Z8, Z9)   \
	PAIRS(Z27, Z25, Z10, Z11) \
	PAIRS(Z30, Z28, Z12, Z13) \
	PAIRS(Z31, Z29, Z14, Z15) \
	QUARTERS(Z0, Z4, Z8, Z12, Z16, Z17, Z18, Z19, Z0, Z4, Z8, Z12)   \
	GIVE(o, 0, Z0)   \
	GIVE(o, 2, Z4)   \
	GIVE(o, 4, Z8)   \
	GIVE(o, 6, Z12)  \
	QUARTERS(Z1, Z5, Z9, Z13, Z20, Z21, Z22, Z23, Z1, Z5, Z9, Z13)   \
	GIVE(o, 1, Z1)   \
	GIVE(o, 3, Z5)   \
	GIVE(o, 5, Z9)   \
	GIVE(o, 7, Z13)  \
	QUARTERS(Z2, Z6, Z10, Z14, Z24, Z25, Z26, Z27, Z2, Z6, Z10, Z14) \
	GIVE(o, 8, Z2)   \
	GIVE(o, 10, Z6)  \
	GIVE(o, 12, Z10) \
	GIVE(o, 14, Z14) \
	QUARTERS(Z3, Z7, Z11, Z15, Z28, Z29, Z30, Z31, Z3, Z7, Z11, Z15) \
	GIVE(o, 9, Z3)   \
	GIVE(o, 11, Z7)  \
	GIVE(o, 13, Z11) \
	GIVE(o, 15, Z15)

#define PICK8(first) \
	PICK(first+0, Z0) \
	PICK(first+1, Z1) \
	PICK(first+2, Z2) \
	PICK(first+3, Z3) \
	PICK(first+4, Z4) \
	PICK(first+5, Z5) \
	PICK(first+6, Z6) \
	PICK(first+7, Z7)

#define GATHER_UNIT \
	PICK8(0) \
	EIGHTHS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23) \
	PICK8(8) \
	EIGHTHS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31) \
	BOTH(Z24, Z16, 0) \
	BOTH(Z25, Z17, 1) \
	BOTH(Z26, Z18, 2) \
	BOTH(Z27, Z19, 3) \
	BOTH(Z28, Z20, 4) \
	BOTH(Z29, Z21, 5) \
	BOTH(Z30, Z22, 6) \
	BOTH(Z31, Z23, 7)

#define SCATTER_UNIT \
	MERGE(0, Z16, Z17, Z0, Z24) \
	MERGE(1, Z16, Z17, Z1, Z25) \
	MERGE(2, Z16, Z17, Z2, Z26) \
	MERGE(3, Z16, Z17, Z3, Z27) \
	MERGE(4, Z16, Z17, Z4, Z28) \
	MERGE(5, Z16, Z17, Z5, Z29) \
	MERGE(6, Z16, Z17, Z6, Z30) \
	MERGE(7, Z16, Z17, Z7, Z31) \
	EIGHTHS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23) \
	DEAL(0, Z16)  \
	DEAL(1, Z17)  \
	DEAL(2, Z18)  \
	DEAL(3, Z19)  \
	DEAL(4, Z20)  \
	DEAL(5, Z21)  \
	DEAL(6, Z22)  \
	DEAL(7, Z23)  \
	EIGHTHS(Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31) \
	DEAL(8, Z24)  \
	DEAL(9, Z25)  \
	DEAL(10, Z26) \
	DEAL(11, Z27) \
	DEAL(12, Z28) \
	DEAL(13, Z29) \
	DEAL(14, Z30) \
	DEAL(15, Z31)

#include "stockham_cpu_amd64.h"
#include "stockham_cpu_tiles_amd64.h"
