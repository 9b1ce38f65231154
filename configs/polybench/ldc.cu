// One explicit step of the flow in a lid-driven cavity by artificial
// compressibility (Chorin, A numerical method for solving incompressible viscous
// flow problems, 1967), central differences on a collocated n·n grid of the unit
// square: a thread a point, in double precision. Row n-1 is the lid, which moves
// with velocity 1; velocities at walls stay, and the pressure there is that of the
// point inside.

extern "C" __global__ void ldc(const double *u, const double *v, const double *p, double *u1, double *v1, double *p1,
                               double dt, double viscosity, double beta, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= n || y >= n)
        return;
    int at = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) {
        int inside = min(max(y, 1), n - 2) * n + min(max(x, 1), n - 2);
        u1[at] = y == n - 1 ? 1 : 0;
        v1[at] = 0;
        p1[at] = p[inside];
        return;
    }
    double scale = 0.5 * (n - 1), square = (double)(n - 1) * (n - 1);
    int e = at + 1, w = at - 1, up = at + n, down = at - n;
    double ux = (u[e] - u[w]) * scale, uy = (u[up] - u[down]) * scale;
    double vx = (v[e] - v[w]) * scale, vy = (v[up] - v[down]) * scale;
    double px = (p[e] - p[w]) * scale, py = (p[up] - p[down]) * scale;
    double spread_u = (u[e] + u[w] + u[up] + u[down] - 4 * u[at]) * square;
    double spread_v = (v[e] + v[w] + v[up] + v[down] - 4 * v[at]) * square;
    u1[at] = u[at] + dt * (viscosity * spread_u - u[at] * ux - v[at] * uy - px);
    v1[at] = v[at] + dt * (viscosity * spread_v - u[at] * vx - v[at] * vy - py);
    p1[at] = p[at] - dt * beta * beta * (ux + vy);
}
