package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"bench/algorithms/kernel"
	"bench/framework"
	"bench/framework/plan"
	"bench/framework/record"
)

// tally counts the verification results of an algorithm on a device by version,
// in JSON too.
type tally struct {
	Algorithm string          `json:"algorithm"`
	Device    string          `json:"device"`
	OK        int             `json:"ok"`
	Bad       int             `json:"bad"`
	Skipped   int             `json:"skipped"`
	Versions  []*versionTally `json:"versions"`

	out  io.Writer
	said sayings
}

type versionTally struct {
	Version string `json:"version"`
	OK      int    `json:"ok"`
	Bad     int    `json:"bad"`
	Skipped int    `json:"skipped"`
	Worst   *worst `json:"worst,omitempty"`
	// Reasons are those of points that were skipped; Failures what was bad.
	Reasons  []string  `json:"skipped_because,omitempty"`
	Failures []failure `json:"failures,omitempty"`
	// Unchecked counts those of OK that had nothing to compare with.
	Unchecked    int    `json:"unchecked,omitempty"`
	WhyUnchecked string `json:"unchecked_because,omitempty"`
}

// worst is the largest error by its bound; in JSON null where it is no number.
type worst framework.Check

// MarshalJSON implements json.Marshaler.
func (w worst) MarshalJSON() ([]byte, error) {
	out := struct {
		Metric string   `json:"metric"`
		Error  *float64 `json:"error"`
		Bound  float64  `json:"bound"`
	}{w.Metric, &w.Error, w.Bound}
	if math.IsNaN(w.Error) || math.IsInf(w.Error, 0) {
		out.Error = nil
	}
	return json.Marshal(out)
}

type failure struct {
	Point  string        `json:"point"`
	Status record.Status `json:"status"`
	Reason string        `json:"reason"`
}

// nothing says why no point ran; empty where one did.
func (t *tally) nothing() string {
	switch {
	case t.OK+t.Bad > 0:
		return ""
	case t.Skipped > 0:
		return "every point is skipped"
	}
	return "no version could run here; GPU versions need a GPU, or --device sim for kernels that are not a library's"
}

func (t *tally) Started(plan.Point)       {}
func (t *tally) Phase(plan.Point, string) {}

// Done prints what is not good at once.
func (t *tally) Done(r *record.Result) {
	if r.Status != record.OK && r.Status != record.Skipped {
		fmt.Fprintf(t.out, "%s: %s: %s\n", r.Point.Key(), paletteOf(t.out).status(r.Status), t.said.once(r.Point.Key(), r.Reason))
	}
}

func (t *tally) add(r record.Result) {
	i := slices.IndexFunc(t.Versions, func(v *versionTally) bool { return v.Version == r.Point.Version })
	if i < 0 {
		i = len(t.Versions)
		t.Versions = append(t.Versions, &versionTally{Version: r.Point.Version})
	}
	v := t.Versions[i]
	switch r.Status {
	case record.OK:
		t.OK++
		v.OK++
		if len(r.Checks) == 0 {
			v.Unchecked++
			v.WhyUnchecked = strings.Join(r.Notes, "; ")
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
		v.Failures = append(v.Failures, failure{r.Point.Key(), r.Status, r.Reason})
	}
	for _, c := range r.Checks {
		// A NaN is worse than any number.
		if v.Worst == nil || !(c.Error*v.Worst.Bound <= v.Worst.Error*c.Bound) && !math.IsNaN(v.Worst.Error) {
			w := worst(c)
			v.Worst = &w
		}
	}
}

// print writes a table, and below it why points were skipped.
func (t *tally) print(out io.Writer) {
	var why footnotes
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s on %s\tOK\tBAD\tSKIPPED\tLARGEST ERROR BY BOUND\n", t.Algorithm, t.Device)
	for _, v := range t.Versions {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t", v.Version, v.OK, v.Bad, v.Skipped)
		var words []string
		if v.Worst != nil {
			words = append(words, fmt.Sprintf("%.2g of %.2g (%s)", v.Worst.Error, v.Worst.Bound, v.Worst.Metric))
		}
		if v.Unchecked > 0 {
			words = append(words, v.remark())
		}
		if v.Skipped > 0 {
			words = append(words, paletteOf(out).status(record.Skipped)+why.mark(v.skipReason()))
		}
		fmt.Fprintln(w, strings.Join(words, "; "))
	}
	w.Flush()
	fmt.Fprint(out, why.text())
}

func (v *versionTally) skipReason() string {
	if n := len(v.Reasons); n > 1 {
		return fmt.Sprintf("%s (and %d more reasons)", v.Reasons[0], n-1)
	}
	return v.Reasons[0]
}

// remark says of how many points no answer was compared, and why.
func (v *versionTally) remark() string {
	points := "1 point has"
	if v.Unchecked > 1 {
		points = fmt.Sprintf("%d points have", v.Unchecked)
	}
	why := cmp.Or(strings.TrimPrefix(v.WhyUnchecked, kernel.NotVerified), "the version reports no error")
	return fmt.Sprintf("%s nothing to compare with: %s", points, why)
}
