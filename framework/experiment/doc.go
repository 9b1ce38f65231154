// Package experiment opens an experiment: what is known before anything runs.
//
// A Subject is a config, or an algorithm by name, with its factory. Open makes
// the engine that its points run in, asks it for the facts of the GPU where a
// version may need one, and plans the points:
//
//	config ──┐
//	factory ─┴─ Subject ─┐
//	flags ───── Options ─┴─ Open ──▶ Experiment: Engine, Facts, Plan
//
// A described GPU, which need not be there, is given by its facts. What lies
// outside of the framework, wisdom and power modes, comes in as arguments.
// Verification plans what the answers of an algorithm are checked on.
package experiment
