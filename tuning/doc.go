// Package tuning searches for the best tunables of a version. A Declaration (values and constraints) is
// enumerated to a Space. A Strategy proposes points of the space, and a Loop has them evaluated and tells the
// strategy the result of each.
//
// Below it are strategy (the strategies), search (the loop on a device), replay (the loop on recorded
// spaces), recorded (the files of these spaces), wisdom (what was found, for later runs), exchange (the files
// of other tuners), knn (what finished runs teach), analytical (one model of the literature) and models
// (regression). Constraints are in the language of package framework/expression.
package tuning
