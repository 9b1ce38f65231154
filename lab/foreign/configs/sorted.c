#include <stdlib.h>

static int order(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

void sorted(uint32_t *a, uint32_t *b, int n) { qsort(a, n, sizeof *a, order); }
