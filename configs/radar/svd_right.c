#include <complex.h>
#include <math.h>
#include <stddef.h>

enum { MOST = 64, SWEEPS = 60 };

/* The roots of the eigenvalues of the product of the matrix with itself, which two-sided Jacobi rotations (Golub, Van Loan, Matrix Computations,
   8.5) make diagonal: another way than that of the versions. */
static void singular(const double _Complex *a, double *values, int rows, int columns) {
    static _Thread_local double _Complex g[MOST][MOST];
    double whole = 0;
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < columns; j++) {
            double _Complex sum = 0;
            for (int k = 0; k < rows; k++)
                sum += conj(a[i * rows + k]) * a[j * rows + k];
            g[i][j] = sum;
            whole += i == j ? creal(sum) : 0;
        }
    int again = 1;
    for (int sweep = 0; again && sweep < SWEEPS; sweep++) {
        again = 0;
        for (int i = 0; i < columns; i++)
            for (int j = i + 1; j < columns; j++) {
                double size = cabs(g[i][j]);
                if (size <= 1e-17 * whole)
                    continue;
                again = 1;
                double z = (creal(g[j][j]) - creal(g[i][i])) / (2 * size), t = (z < 0 ? -1 : 1) / (fabs(z) + sqrt(1 + z * z));
                double c = 1 / sqrt(1 + t * t);
                double _Complex s = c * t * g[i][j] / size;
                for (int k = 0; k < columns; k++) {
                    double _Complex p = g[k][i], q = g[k][j];
                    g[k][i] = c * p - conj(s) * q;
                    g[k][j] = c * q + s * p;
                }
                for (int k = 0; k < columns; k++) {
                    double _Complex p = g[i][k], q = g[j][k];
                    g[i][k] = c * p - s * q;
                    g[j][k] = c * q + conj(s) * p;
                }
            }
    }
    for (int i = 0; i < columns; i++) {
        double value = creal(g[i][i]) > 0 ? sqrt(creal(g[i][i])) : 0;
        int at = i;
        for (; at > 0 && values[at - 1] < value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

void svd_right(const double _Complex *a, double *values, int batch, int rows, int columns) {
#pragma omp parallel for schedule(dynamic, 16)
    for (int i = 0; i < batch; i++)
        singular(a + (size_t)i * rows * columns, values + (size_t)i * columns, rows, columns);
}
