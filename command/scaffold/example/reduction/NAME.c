/* The right answer, in double precision. */
void sum_right(const double *x, double *sum, int n) {
    *sum = 0;
    for (int i = 0; i < n; i++)
        *sum += x[i];
}

/* The version "c", on the CPU: four sums, so that additions need not wait for
 * each other. */
void sum(const float *x, float *sum, int n) {
    float s[4] = {0};
    for (int i = 0; i < n; i++)
        s[i % 4] += x[i];
    *sum = (s[0] + s[1]) + (s[2] + s[3]);
}
