// The right answers of the kernels of others that have none in their own file.
#ifdef max_tfactor
// Each thread takes the steps of all that its element depends on.
extern "C" __global__ void right_hotspot(const float *power, const float *temp, float *out, float rx, float ry, float rz, float step) {
    const int T = temporal_tiling_factor, W = grid_width + 2 * max_tfactor;
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float at[2 * T + 1][2 * T + 1], next[2 * T + 1][2 * T + 1];
    int corner = (y + max_tfactor - T) * W + x + max_tfactor - T;
    for (int j = 0; j <= 2 * T; j++)
        for (int i = 0; i <= 2 * T; i++)
            at[j][i] = temp[corner + j * W + i];
    for (int t = 1; t <= T; t++) {
        for (int j = t; j <= 2 * T - t; j++)
            for (int i = t; i <= 2 * T - t; i++)
                next[j][i] = at[j][i] + step * (power[corner + j * W + i] + (at[j + 1][i] + at[j - 1][i] - 2 * at[j][i]) * ry +
                                                (at[j][i + 1] + at[j][i - 1] - 2 * at[j][i]) * rx + (80 - at[j][i]) * rz);
        for (int j = t; j <= 2 * T - t; j++)
            for (int i = t; i <= 2 * T - t; i++)
                at[j][i] = next[j][i];
    }
    out[y * grid_width + x] = at[T][T];
}
#endif

extern "C" __global__ void right_coulomb(const float4 *atoms, int n, float spacing, int size, float *energy) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        float dx = spacing * x - atoms[i].x, dy = spacing * y - atoms[i].y, dz = spacing * z - atoms[i].z;
        sum += atoms[i].w * rsqrtf(dx * dx + dy * dy + dz * dz);
    }
    energy[(z * size + y) * size + x] += sum;
}

extern "C" __global__ void right_nbody(float dt, const float *px, const float *py, const float *pz, const float *mass, float4 *body,
                                       const float *vx, const float *vy, const float *vz, float4 *velocity, float damping, float soft, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < n; j++) {
        float dx = px[j] - px[i], dy = py[j] - py[i], dz = pz[j] - pz[i];
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + soft), f = mass[j] * inverse * inverse * inverse;
        ax += dx * f;
        ay += dy * f;
        az += dz * f;
    }
    float by = damping * dt * dt;
    body[i] = make_float4(px[i] + dt * vx[i] + by * ax, py[i] + dt * vy[i] + by * ay, pz[i] + dt * vz[i] + by * az, mass[i]);
    velocity[i] = make_float4(vx[i] + dt * ax, vy[i] + dt * ay, vz[i] + dt * az, 0);
}

extern "C" __global__ void right_gemm(int m, int n, int k, const float *a, const float *b, float *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    float sum = 0;
    for (int l = 0; l < k; l++)
        sum += a[l * m + i] * b[l * n + j];
    c[j * m + i] = sum;
}

extern "C" __global__ void right_transpose(float *out, const float *in, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    out[x * height + y] = in[y * width + x];
}

extern "C" __global__ void right_cltune(int size, const float *in, const float *coeff, float *out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    float sum = 0;
    for (int j = 0; j < 7; j++)
        for (int i = 0; i < 7; i++)
            sum += coeff[j * 7 + i] * in[(y + j) * (size + 6) + x + i];
    out[y * size + x] = sum;
}

extern "C" __global__ void right_reduce(const float *in, float *out, unsigned int n) {
    __shared__ double part[1024];
    double sum = 0;
    for (unsigned int i = threadIdx.x; i < n; i += 1024)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[0] = part[0];
}
