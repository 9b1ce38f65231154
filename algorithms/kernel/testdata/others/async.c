void right(int32_t *y, const int32_t *x) {
    for (int t = 0; t < 128; t++) {
        y[t] = x[4 * (127 - t) + 1] + x[0];
        y[128 + t] = t / 64;
        for (int i = 0; i < 64; i++) y[128 + t] += x[4 * (t / 64 * 64 + i) + 2];
    }
}
