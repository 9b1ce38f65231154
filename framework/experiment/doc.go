// Package experiment opens an experiment: it collects what is known before
// anything runs.
//
// A Subject is a config, or an algorithm by name, with its factory. Open makes
// the engine that runs its points, asks it for the facts of the GPU if a
// version may need one, and plans the points:
//
//	config ──┐
//	factory ─┴─ Subject ─┐
//	flags ───── Options ─┴─ Open ──▶ Experiment: Engine, Facts, Plan
//
// A Session runs the points, keeps the journal, and has the kernels of those to go
// compiled ahead (CompileAhead). A described GPU, which need not be present, is
// given by its facts. What is outside the framework, wisdom and power modes, is
// passed as arguments.
// Verification plans the problems on which an algorithm's answers are
// checked; Check runs them into a Tally. Planned, Progress, Tally and Explained put what
// they hold into words. RunError tells what went wrong while running from a mistake in
// what was asked for.
package experiment
