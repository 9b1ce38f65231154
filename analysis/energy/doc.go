// Package energy says what the energy of a run of a kernel goes to, and what changes would save.
//
// A run takes
//
//	E = idle·t + running·t + active·a·t·c·f + Σ cost·amount·(c, or 1 of memory)
//
// where t is its time, a the share of the multiprocessors that have work, f their clock divided by the
// highest, and c a power of f, as energy follows the square of the voltage. The amounts (bound.Work) are
// those of blocks executed on the CPU. The costs are fitted, none below 0, to the energies of loads of many
// kinds (loads.json) with which a GPU was measured: its calibration.
package energy
