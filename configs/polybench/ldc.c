static double slope(const double *f, int at, int step, double h) { return (f[at + step] - f[at - step]) / (2 * h); }

static double laplacian(const double *f, int at, int n, double h) {
    return (f[at + 1] - 2 * f[at] + f[at - 1]) / (h * h) + (f[at + n] - 2 * f[at] + f[at - n]) / (h * h);
}

/* One step of ldc.cu, term by term. */
void ldc(const double *u, const double *v, const double *p, double *u1, double *v1, double *p1,
         double dt, double viscosity, double beta, int n) {
    double h = 1.0 / (n - 1);
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            int i = y * n + x;
            u1[i] = u[i] + dt * (viscosity * laplacian(u, i, n, h) - u[i] * slope(u, i, 1, h) - v[i] * slope(u, i, n, h) - slope(p, i, 1, h));
            v1[i] = v[i] + dt * (viscosity * laplacian(v, i, n, h) - u[i] * slope(v, i, 1, h) - v[i] * slope(v, i, n, h) - slope(p, i, n, h));
            p1[i] = p[i] - dt * beta * beta * (slope(u, i, 1, h) + slope(v, i, n, h));
        }
    for (int k = 0; k < n; k++) {
        int inner = k < 1 ? 1 : k > n - 2 ? n - 2 : k;
        int walls[4] = {k, (n - 1) * n + k, k * n, k * n + n - 1};
        int inside[4] = {n + inner, (n - 2) * n + inner, inner * n + 1, inner * n + n - 2};
        for (int side = 0; side < 4; side++) {
            u1[walls[side]] = walls[side] / n == n - 1;
            v1[walls[side]] = 0;
            p1[walls[side]] = p[inside[side]];
        }
    }
}
