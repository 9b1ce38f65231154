#include <stddef.h>

void right(const float *in, float *out, int n) {
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            out[(size_t)x * n + y] = in[(size_t)y * n + x];
}
