/* Honest: what the cheats beside it are compared with. */
#include "work.h"

void map(float *y, const float *x, int n) { all(y, x, n); }
