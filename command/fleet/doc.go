// Package fleet runs configs on other machines: on boards that ssh reaches, and as job arrays on a cluster
// with Slurm (slurm.go).
//
//	bench fleet                              a board
//	  Run ── ssh: uname, tar, version ─────▶ DIR/bench, job.json, configs
//	      ── ssh: bench board start ───────▶ Start: a process of its own, Serve:
//	                                           lock, bench run … --resume
//	      ◀─ ssh: bench board follow ─────── Follow: the journals as they grow
//	      ◀─ ssh: tar ────────────────────── results
//	      ── ssh: rm
//
// What runs on the board is a copy of this program (board.go), and goes on without a
// connection; each of the commands can be given again. Fleet (fleet.go) keeps a fleet's
// run in its folder, so that a later command goes on with it.
package fleet
