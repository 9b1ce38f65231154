package experiment

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/record"
)

// Tally counts by version how the answers of an algorithm were on a device. It has a form in JSON.
type Tally struct {
	Algorithm string          `json:"algorithm"` // its name
	Device    string          `json:"device"`    // "cpu", "cuda:0", "sim"
	OK        int             `json:"ok"`        // points
	Bad       int             `json:"bad"`       // points that failed, were wrong or timed out
	Skipped   int             `json:"skipped"`   // points
	Versions  []*VersionTally `json:"versions"`  // the same by version
}

// VersionTally is the tally of one version.
type VersionTally struct {
	Version      string    `json:"version"`                     // its name
	OK           int       `json:"ok"`                          // points
	Bad          int       `json:"bad"`                         // points
	Skipped      int       `json:"skipped"`                     // points
	Worst        *Worst    `json:"worst,omitempty"`             // largest error relative to its bound
	Reasons      []string  `json:"skipped_because,omitempty"`   // why points were skipped
	Failures     []Failure `json:"failures,omitempty"`          // the bad points
	Unchecked    int       `json:"unchecked,omitempty"`         // points of "ok" that had nothing to compare with
	WhyUnchecked string    `json:"unchecked_because,omitempty"` // why
}

// Worst is the largest error relative to its bound; in JSON the error is null if
// it is not finite.
type Worst framework.Check

// MarshalJSON implements json.Marshaler.
func (w Worst) MarshalJSON() ([]byte, error) {
	type check framework.Check // without this method
	out := struct {
		check
		Error *float64 `json:"error"`
	}{check(w), &w.Error}
	if math.IsNaN(w.Error) || math.IsInf(w.Error, 0) {
		out.Error = nil
	}
	return json.Marshal(out)
}

// Failure is a point that is neither ok nor skipped.
type Failure struct {
	Point  string        `json:"point"`  // its key
	Status record.Status `json:"status"` // "wrong", "impossible", "failed" or "timeout"
	Reason string        `json:"reason"` // what was wrong
}

// Nothing says why no point ran; empty if one did.
func (t *Tally) Nothing() string {
	switch {
	case t.OK+t.Bad > 0:
		return ""
	case t.Skipped > 0:
		return "every point is skipped"
	}
	return "no version could run here; GPU versions need a GPU, or --device sim for kernels that are not a library's"
}

// Add counts a result.
func (t *Tally) Add(r record.Result) {
	i := slices.IndexFunc(t.Versions, func(v *VersionTally) bool { return v.Version == r.Point.Version })
	if i < 0 {
		i = len(t.Versions)
		t.Versions = append(t.Versions, &VersionTally{Version: r.Point.Version})
	}
	v := t.Versions[i]
	switch r.Status {
	case record.OK:
		t.OK++
		v.OK++
		if len(r.Checks) == 0 {
			v.Unchecked++
			v.WhyUnchecked = strings.Join(slices.DeleteFunc(slices.Clone(r.Notes), func(n string) bool { return strings.HasPrefix(n, engine.Warned) }), "; ")
		}
	case record.Skipped:
		t.Skipped++
		v.Skipped++
		if !slices.Contains(v.Reasons, r.Reason) {
			v.Reasons = append(v.Reasons, r.Reason)
		}
	default:
		t.Bad++
		v.Bad++
		v.Failures = append(v.Failures, Failure{r.Point.Key(), r.Status, r.Reason})
	}
	for _, c := range r.Checks {
		// A NaN is worse than any number.
		if v.Worst == nil || !(c.Error*v.Worst.Bound <= v.Worst.Error*c.Bound) && !math.IsNaN(v.Worst.Error) {
			w := Worst(c)
			v.Worst = &w
		}
	}
}

// Sum counts the points of several tallies; it has no versions.
func Sum(tallies []*Tally) (sum Tally) {
	for _, t := range tallies {
		sum.OK, sum.Skipped, sum.Bad = sum.OK+t.OK, sum.Skipped+t.Skipped, sum.Bad+t.Bad
	}
	return sum
}
