#define ELEMENT _Float16
#include "beamform.h"

/* The beamformer on all processors. */
void beamform16(const _Float16 *w, const _Float16 *x, float _Complex *y, int beams, int channels, int samples) {
#pragma omp parallel for schedule(static)
    for (int first = 0; first < samples; first += SPAN)
        span(w, x, (float *)y, first, beams, channels, samples);
}
