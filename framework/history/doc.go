// Package history keeps the results of many runs in one text file, a line for each
// result, and says what changed in them, and whether the code did it.
//
// The lines are JSON and independent of each other: the union of two files, in any
// order and with lines twice, is the history of both. A series is the results of one
// point of one config on one machine. Of a series, results of equal surroundings
// (driver, compiler, clocks, kernel, …) are judged together (changepoint), and never
// against those of others.
package history
