/* Honest: what the cheats beside it are compared with. */
#include <math.h>

static float work(float x) {
    float s = x;
    for (int k = 0; k < 12; k++)
        s = 0.5f * cosf(s) + x;
    return s;
}

void map(float *y, int n) {
    for (int i = 0; i < n; i++)
        y[i] = work((i * 2654435761u >> 8) / 8388608.f - 1);
}
