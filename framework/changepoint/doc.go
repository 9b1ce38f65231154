// Package changepoint finds changes of level in a series of measurements that grows by
// one value at a time, as a gate that runs after every build does. It is made of pure
// functions: it knows nothing of runs, files or revisions.
//
// Each time the values so far are parted at every place: those before it are the
// baseline, those behind may be of a new level. The evidence for each place is the
// Bayes factor of a two-sample t test (Gönen, Johnson, Lu and Westfall, "The Bayesian
// two-sample t test"), and their sum over the places is the statistic of Shiryaev and
// Roberts, which finds a change of unknown size soonest on average at a given rate of
// false alarms (Pollak, "Optimal detection of a change in distribution"). Beyond a
// threshold there is a change, at the place with the most evidence, and the search
// starts again from there.
//
// Values further from the baseline's median than three standard deviations count as at
// three; a new level has three values at least, and two only where they lie very far
// off: one or two are outliers otherwise. Each value's own standard error gives its
// weight. Noise may resemble that of the run before: a change is weighed against none
// for each of some autocorrelations, each as likely as the values make it. Where the
// values behind a place scatter more than the baseline, that scatter counts. All this is
// why the threshold is calibrated by simulation (lab/history) and not taken from theory.
package changepoint
