void right(int32_t *y, const int32_t *x) {
    int32_t sum = 0, most = x[0], sorted[128];
    for (int i = 0; i < 128; i++) {
        int at = i;
        for (; at > 0 && sorted[at - 1] > x[i]; at--) sorted[at] = sorted[at - 1];
        sorted[at] = x[i];
    }
    for (int t = 0; t < 64; t++) {
        y[t] = y[64 + t] = y[768 + t] = 0;
        y[128 + t] = sum, sum += x[t];
        if (x[t] > most) most = x[t];
    }
    y[0] = sum, y[64] = most;
    int32_t up = 0;
    for (int t = 0; t < 128; t++) {
        y[256 + t] = up += x[t];
        y[384 + t] = y[512 + t] = y[640 + t] = sorted[t];
        if (t < 64) y[192 + t] = sum, y[768 + t / 32 * 32] += x[t];
    }
}
