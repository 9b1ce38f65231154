/* The right answer (real is double), and the version "c" on the CPU. */
#define STENCIL(name, real)                                                                              \
    void name(const real *u, real *v, int m, int n) {                                                    \
        for (int row = 0; row < m; row++)                                                                \
            for (int column = 0; column < n; column++) {                                                 \
                long at = (long)row * n + column;                                                        \
                if (row > 0 && row < m - 1 && column > 0 && column < n - 1)                              \
                    v[at] = (real)0.5 * u[at] + (real)0.125 * ((u[at - 1] + u[at + 1]) + (u[at - n] + u[at + n])); \
                else                                                                                     \
                    v[at] = u[at];                                                                       \
            }                                                                                            \
    }

STENCIL(stencil_right, double)
STENCIL(stencil, float)
