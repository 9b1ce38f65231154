// Honest: what the cheats beside it are compared with.
extern "C" __global__ void power(float *s, const float *x, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    s[0] = sum / n;
}
