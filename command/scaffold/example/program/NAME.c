/* z = a·x + y for --length elements, --runs times; prints what docs/executable.md
 * of bench asks for. */
#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void saxpy(float a, const float *x, const float *y, float *z, long n) {
    for (long i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
}

int main(int count, char **words) {
    long n = 1000, runs = 1;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(words[i], "--length") == 0)
            n = atol(words[i + 1]);
        else if (strcmp(words[i], "--runs") == 0)
            runs = atol(words[i + 1]);
        else {
            fprintf(stderr, "unknown argument %s\n", words[i]);
            return 2;
        }
    }
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), *z = malloc(n * sizeof *z);
    double *times = malloc(runs * sizeof *times), error = 0;
    if (n < 1 || runs < 1 || !x || !y || !z || !times) {
        fprintf(stderr, "want --length and --runs of at least 1, and memory for them\n");
        return 1;
    }
    for (long i = 0; i < n; i++) {
        x[i] = (float)i / n;
        y[i] = 1 - x[i];
    }
    for (long r = 0; r < runs; r++) {
        double start = seconds();
        saxpy(2.5f, x, y, z, n);
        __asm__ volatile("" : : "r"(z) : "memory"); /* no run is left out */
        times[r] = seconds() - start;
    }
    for (long i = 0; i < n; i++)
        error = fmax(error, fabs(z[i] - (2.5 * x[i] + y[i])));
    printf("{\"flops\": %ld, \"load_bytes\": %ld, \"store_bytes\": %ld, \"error\": %.3e, \"error_bound\": 1e-6, \"times_s\": [",
           2 * n, 8 * n, 4 * n, error);
    for (long r = 0; r < runs; r++)
        printf("%s%.9e", r ? ", " : "", times[r]);
    printf("]}\n");
    return 0;
}
