// Package stats holds the statistics of this module, each once: what
// describes samples, how well their median is known, whether they resemble
// their neighbours, and whether two differ. It knows nothing of clocks,
// devices or files.
package stats
