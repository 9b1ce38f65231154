/* What the kernels leave behind. */
void duty(double *out, double ms) {
    (void)ms;
    out[0] = 1;
    out[1] = 1;
}
