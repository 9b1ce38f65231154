/* What honest functions of C keep and start: threads that they join, memory to work in, tables without inputs. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct part {
    float *y;
    const float *x;
    int n;
};

static void *of_part(void *p) {
    struct part *a = p;
    for (int i = 0; i < a->n; i++)
        a->y[i] = 2 * a->x[i];
    return NULL;
}

void threads(float *y, const float *x, int n) {
    struct part parts[2] = {{y, x, n / 2}, {y + n / 2, x + n / 2, n - n / 2}};
    pthread_t t;
    if (pthread_create(&t, NULL, of_part, parts) != 0) {
        of_part(parts);
        of_part(parts + 1);
        return;
    }
    of_part(parts + 1);
    pthread_join(t, NULL);
}

void openmp(float *y, const float *x, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
}

void workspace(float *y, const float *x, int n) {
    static float *space;
    static int room;
    if (room < n) {
        free(space);
        space = malloc(4 * (size_t)n);
        room = n;
    }
    memcpy(space, x, 4 * (size_t)n);
    for (int i = 0; i < n; i++)
        y[i] = space[i] + space[i];
}

void table(float *y, const float *x, int n) {
    static float factor[64];
    static int made;
    for (; made < 64; made++)
        factor[made] = 1 + cosf(0.f * made);
    for (int i = 0; i < n; i++)
        y[i] = factor[i % 64] * x[i];
}

void allocated(float *y, const float *x, int n) {
    float *space = malloc(4 * (size_t)n + 4);
    memcpy(space, x, 4 * (size_t)n);
    for (int i = 0; i < n; i++)
        y[i] = 2 * space[i];
    free(space);
}

void counting(float *y, const float *x, int n) {
    static unsigned calls;
    calls++;
    for (int i = 0; i < n; i++)
        y[i] = 2 * x[i];
    if (calls == 0)
        y[0] = 2 * x[0];
}
