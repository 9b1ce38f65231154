/* The transform of n numbers, a power of two, in double precision and in place: the sums
   over even and odd numbers, which become both halves (Cooley, Tukey, 1965). */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* n/2 twiddle factors, to be freed. */
static double _Complex *turns_right(int n) {
    double _Complex *turn = malloc(n * sizeof *turn);
    for (int i = 0; i < n / 2; i++)
        turn[i] = cexp(-2 * acos(-1) * I * i / n);
    return turn;
}

static void fft_right(double _Complex *x, const double _Complex *turn, int n) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n / 2;
        for (; j & bit; bit /= 2)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double _Complex swap = x[i];
            x[i] = x[j];
            x[j] = swap;
        }
    }
    for (int half = 1; half < n; half *= 2)
        for (int start = 0; start < n; start += 2 * half)
            for (int k = 0; k < half; k++) {
                double _Complex *even = x + start + k, odd = turn[n / 2 / half * k] * even[half];
                even[half] = *even - odd;
                *even += odd;
            }
}
