void saxpy(const float *x, const float *y, float *z, int n, float a) {
    for (int i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
}
void saxpy_right(const double *x, const double *y, double *z, int n, double a) {
    for (int i = 0; i < n; i++)
        z[i] = a * x[i] + y[i];
}
