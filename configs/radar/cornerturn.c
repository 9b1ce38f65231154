#include <stddef.h>

enum { TILE = 16 };

/* Tiles of which both sides fit in the first-level cache, on all processors. */
void cornerturn(const float _Complex *from, float _Complex *to, int rows, int columns) {
#pragma omp parallel for collapse(2) schedule(static)
    for (int left = 0; left < columns; left += TILE)
        for (int top = 0; top < rows; top += TILE)
            for (int column = left; column < columns && column < left + TILE; column++)
                for (int row = top; row < rows && row < top + TILE; row++)
                    to[(size_t)column * rows + row] = from[(size_t)row * columns + column];
}
