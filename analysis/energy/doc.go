// Package energy says what the energy of a run of a kernel goes to, and what changes would save.
//
// A run takes
//
//	E = idle·t + running·t + active·a·t·c·f + Σ cost·amount·(c, or 1 of memory)
//
// where t is its time, a the share of the multiprocessors that have work, f their clock by the highest, and c a
// power of f, as energy follows the square of the voltage. The amounts (bound.Work) are of what blocks that are executed on the CPU
// do. The costs are fitted, none below 0, to the energies of loads of many kinds (loads.json) that a GPU was
// measured with: its calibration.
package energy
