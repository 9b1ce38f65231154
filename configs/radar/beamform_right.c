#include "beamform_right.h"

void beamform_right(const double _Complex *w, const double _Complex *x, double _Complex *y, int beams, int channels, int samples) {
    product(w, x, y, beams, channels, samples);
}
