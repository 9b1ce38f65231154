#include <complex.h>
#include <stddef.h>

void cornerturn_right(const double _Complex *from, double _Complex *to, int rows, int columns) {
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++)
            to[(size_t)column * rows + row] = from[(size_t)row * columns + column];
}
