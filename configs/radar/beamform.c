#define ELEMENT float
#include "beamform.h"

/* The beamformer on all processors. */
void beamform(const float _Complex *w, const float _Complex *x, float _Complex *y, int beams, int channels, int samples) {
#pragma omp parallel for schedule(static)
    for (int first = 0; first < samples; first += SPAN)
        span((const float *)w, (const float *)x, (float *)y, first, beams, channels, samples);
}
