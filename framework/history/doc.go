// Package history keeps the results of many runs in one text file, and says what changed in them, and
// whether the code changed it.
//
// Each line is the JSON of one result and stands alone: the union of two files, in any order and with lines
// twice, is the history of both. A series is the results of one point of one config on one machine. Results
// of a series are judged together (package changepoint) only if their surroundings are equal: driver,
// compiler, clocks, kernel, and so on.
package history
