// Package tuning searches for the best tunables of a version. A Declaration
// (values and constraints) is enumerated to a Space; a Strategy proposes its
// points; a Loop has them evaluated and tells the strategy what came of each.
//
// Below it are strategy (the strategies), search (the loop on a device), replay
// (the loop on recorded spaces), recorded (those spaces' files), wisdom (what was
// found, for later runs), exchange (other tuners' files), knn (what finished runs
// teach), analytical (one model of the literature) and models (regression).
// Constraints are package framework/expression's.
package tuning
