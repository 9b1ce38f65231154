/* The transform of n numbers, a power of two, in double precision and in place: the sums
   over even and odd numbers, which become both halves (Cooley, Tukey, 1965). */
#include <complex.h>
#include <math.h>

static void fft_right(double _Complex *x, int n) {
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
        for (int k = 0; k < half; k++) {
            double _Complex turn = cexp(-acos(-1) * I * k / half);
            for (int i = k; i < n; i += 2 * half) {
                double _Complex odd = turn * x[i + half];
                x[i + half] = x[i] - odd;
                x[i] += odd;
            }
        }
}
