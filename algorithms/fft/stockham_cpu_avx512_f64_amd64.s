// AVX-512, double precision: 8 lanes.

#include "textflag.h"
#include "stockham_cpu_avx512_amd64.h"
#include "stockham_cpu_f64_amd64.h"

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

#define TRANSPOSE(o) \
	TAKE(o, 0, Z0) \
	TAKE(o, 1, Z1) \
	TAKE(o, 2, Z2) \
	TAKE(o, 3, Z3) \
	TAKE(o, 4, Z4) \
	TAKE(o, 5, Z5) \
	TAKE(o, 6, Z6) \
	TAKE(o, 7, Z7) \
	EIGHTHS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16, Z20, Z17, Z21, Z18, Z22, Z19, Z23) \
	GIVE(o, 0, Z16) \
	GIVE(o, 1, Z17) \
	GIVE(o, 2, Z18) \
	GIVE(o, 3, Z19) \
	GIVE(o, 4, Z20) \
	GIVE(o, 5, Z21) \
	GIVE(o, 6, Z22) \
	GIVE(o, 7, Z23)

#define GATHER_UNIT \
	PICK(0, Z0) \
	PICK(1, Z1) \
	PICK(2, Z2) \
	PICK(3, Z3) \
	QUARTERS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16, Z17, Z18, Z19) \
	PICK(4, Z0) \
	PICK(5, Z1) \
	PICK(6, Z2) \
	PICK(7, Z3) \
	QUARTERS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z20, Z21, Z22, Z23) \
	BOTH(Z20, Z16, 0) \
	BOTH(Z21, Z17, 1) \
	BOTH(Z22, Z18, 2) \
	BOTH(Z23, Z19, 3)

#define SCATTER_UNIT \
	MERGE(0, Z16, Z17, Z0, Z20) \
	MERGE(1, Z16, Z17, Z1, Z21) \
	MERGE(2, Z16, Z17, Z2, Z22) \
	MERGE(3, Z16, Z17, Z3, Z23) \
	QUARTERS(Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z16, Z17, Z18, Z19) \
	DEAL(0, Z16) \
	DEAL(1, Z17) \
	DEAL(2, Z18) \
	DEAL(3, Z19) \
	QUARTERS(Z20, Z21, Z22, Z23, Z4, Z5, Z6, Z7, Z20, Z21, Z22, Z23) \
	DEAL(4, Z20) \
	DEAL(5, Z21) \
	DEAL(6, Z22) \
	DEAL(7, Z23)

#include "stockham_cpu_amd64.h"
#include "stockham_cpu_tiles_amd64.h"
