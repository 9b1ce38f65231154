void add(float *a, float *b, float *result) {
    for (int i = 0; i < 128; i++) result[i] = a[i] + b[i];
}
