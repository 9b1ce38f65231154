/* The right answer, in double precision. */
void saxpy_right(double a, const double *x, const double *y, double *z, int n) {
    for (int i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
}

/* The version "c", on the CPU. */
void saxpy(float a, const float *x, const float *y, float *z, int n) {
    for (int i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
}
