/* The filter, a constant, comes after the arguments of NAME.json. */
#define RADIUS 4

static int inside(int at, int width) { return at < 0 ? 0 : at >= width ? width - 1 : at; }

/* The right answer, in double precision. */
void right(double *out, const double *in, int width, int height, const double *filter) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int i = 0; i <= 2 * RADIUS; i++)
                sum += filter[i] * in[(long)y * width + inside(x + i - RADIUS, width)];
            out[(long)y * width + x] = sum;
        }
}

/* The version "c", on the CPU. */
void rows(float *out, const float *in, int width, int height, const float *filter) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int i = 0; i <= 2 * RADIUS; i++)
                sum += filter[i] * in[(long)y * width + inside(x + i - RADIUS, width)];
            out[(long)y * width + x] = sum;
        }
}
