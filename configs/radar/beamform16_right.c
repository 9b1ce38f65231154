#include "beamform_right.h"

/* w and x have real and imaginary parts in turn, as complex numbers do. */
void beamform16_right(const double *w, const double *x, double _Complex *y, int beams, int channels, int samples) {
    product((const double _Complex *)w, (const double _Complex *)x, y, beams, channels, samples);
}
