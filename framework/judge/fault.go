package judge

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
	"example.org/bench/internal/lazy"
)

// fault is what a candidate did wrong.
type fault struct {
	verdict Verdict
	kind    record.Cause
	reason  string
	line    string
}

func (f *fault) Error() string { return f.reason }

func refuseAs(format string, args ...any) error {
	return &fault{verdict: Refused, reason: fmt.Sprintf(format, args...)}
}

// isHidden reports whether a point is one of the hidden problems.
func (r *referee) isHidden(p plan.Point, hidden []experiment.Further) bool {
	return slices.ContainsFunc(hidden, func(x experiment.Further) bool {
		for name, v := range x.Values {
			if p.Params[strings.TrimLeft(name, "-")] != v {
				return false
			}
		}
		return true
	})
}

// faultOf returns what a result that is not right says about the candidate. For a hidden problem the
// reason is only the cause or the status, unless the candidate does not compile.
func (r *referee) faultOf(status record.Status, reason string, cause record.Cause, hidden bool) error {
	reason = r.tidy(reason)
	if j := r.task.Config.Judge; len(j.Hidden)+len(j.HiddenAt) > 0 {
		reason = lastWords().ReplaceAllString(reason, "$1")
	}
	f := &fault{verdict: Wrong, reason: reason, line: r.lineIn(reason)}
	switch {
	case cause == record.NotCompiled:
		f.verdict = DoesNotCompile
		return f // the same at every problem
	case status == record.Timeout:
		f.verdict = TimedOut
	case status == record.Skipped:
		f.verdict = Refused
	case cause == record.SecondRun: // other inputs may be the reason
		f.reason = "right in the first run, and in the second one " + reason
	case slices.Contains([]record.Cause{record.LeftBehind, record.TimedRun, record.IdleRun, record.ChangedClock, record.ChangedCode, record.DisturbedBaseline}, cause):
		f.verdict, f.kind = Cheats, cause
	case status == record.Impossible:
		f.verdict = Impossible
	}
	if hidden {
		f.reason = "at a hidden problem: " + cmp.Or(string(cause), string(status))
	}
	return f
}

// lastWords matches how a worker ended, which is $1, and what it wrote last, which may reveal hidden sizes.
var lastWords = lazy.Regexp(`(?s)(the worker process (?:died of [^:]+|ended with status \d+|was killed[^:]*)): .*`)

var place = lazy.Regexp(`([\w.+-]+(?:/[\w.+-]+)*\.(?:cu|cuh|c|h|ptx)):(\d+)`)

// lineIn returns the first place in the candidate that a text names, or else the first place that
// it names.
func (k *Case) lineIn(text string) string {
	all := place().FindAllString(text, -1)
	if i := slices.IndexFunc(all, func(at string) bool {
		file, _, _ := strings.Cut(at, ":")
		return filepath.Base(file) == k.candidate.Name
	}); i >= 0 {
		return all[i]
	}
	return place().FindString(text)
}
