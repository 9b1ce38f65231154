package why

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"example.org/bench/analysis/bound"
	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
)

// ExplainTime is the time after which no further point is explained. Most take a second, the
// slowest about twenty.
const ExplainTime = time.Minute

// Explainers explain points of several runs, each point once, until ExplainTime is over.
type Explainers struct {
	code  experiment.CodeOf
	began time.Time
	runs  map[*record.Run]*explainer
	bad   map[*record.Run]error // why a run's code is not available
	had   map[pointOfRun]bound.Why
	ptx   func() error // readsPTX, once
}

// pointOfRun is a point, the same however often its run is read.
type pointOfRun struct {
	started int64
	config  string
	point   int
}

func pointOf(run *record.Run, row *record.Row) pointOfRun {
	return pointOfRun{run.Info.Started.UnixNano(), run.Info.Config.Hash, row.Point}
}

// NewExplainers returns Explainers, which the caller must close.
func NewExplainers(code experiment.CodeOf) *Explainers {
	return &Explainers{code: code, began: time.Now(), runs: map[*record.Run]*explainer{}, bad: map[*record.Run]error{}, had: map[pointOfRun]bound.Why{}, ptx: sync.OnceValue(readsPTX)}
}

// Close ends the processes that execute kernels.
func (x *Explainers) Close() {
	for _, r := range x.runs {
		r.engine.Close()
	}
}

// ErrTimeOver is the error of a point that is not explained because ExplainTime is over.
var ErrTimeOver = fmt.Errorf("left out: %.0f s were over", ExplainTime.Seconds())

// Why explains a point of a run that is ok and ran on a GPU. The class of a point that cannot be explained is
// unknown, with the reason. The error is ErrTimeOver, engine.ErrInterrupted, one that wraps ErrNoPTX, or nil.
func (x *Explainers) Why(ctx context.Context, run *record.Run, row *record.Row) (bound.Why, error) {
	if w, ok := x.had[pointOf(run, row)]; ok {
		return w, nil
	}
	w := bound.Why{Class: bound.Unknown}
	if peer(run, row) {
		w.Missing = "a library's code is not known"
		return w, nil
	}
	if engine.OpenCL(row.Device) {
		return bound.ExplainOpenCL(inputOf(run, row), row.Floor.Float()), nil
	}
	if err := x.ptx(); err != nil {
		return w, err
	}
	if time.Since(x.began) > ExplainTime {
		return w, ErrTimeOver
	}
	if x.runs[run] == nil && x.bad[run] == nil {
		if s, err := x.code(run); err != nil {
			x.bad[run] = err
		} else {
			x.runs[run] = newExplainer(s, run)
		}
	}
	if err := x.bad[run]; err != nil {
		w.Missing = err.Error()
	} else if w, err = x.runs[run].of(ctx, row); errors.Is(err, engine.ErrInterrupted) {
		return w, err
	} else if err != nil {
		w = bound.Why{Class: bound.Unknown, Missing: err.Error()}
	}
	x.had[pointOf(run, row)] = w
	return w, nil
}

// Reasons adds to the times of a GPU that a comparison calls better or worse why they are, the largest
// changes first. A note says if none can be explained, or not all. The error is engine.ErrInterrupted or nil.
func (x *Explainers) Reasons(ctx context.Context, c *compare.Comparison) error {
	of, left := 0, 0
	var unread error
	for _, d := range c.Different() {
		if d.Base.Row.Processor != framework.GPU || d.Level.Row.Processor != framework.GPU {
			continue
		}
		of++
		level, base := bound.Why{}, bound.Why{}
		var err error
		switch { // of a pair with a library neither is executed
		case peer(d.Base.Run, d.Base.Row):
			base, err = x.Why(ctx, d.Base.Run, d.Base.Row)
			level = base
		default:
			if level, err = x.Why(ctx, d.Level.Run, d.Level.Row); err == nil && !peer(d.Level.Run, d.Level.Row) {
				base, err = x.Why(ctx, d.Base.Run, d.Base.Row)
			}
		}
		switch {
		case errors.Is(err, ErrTimeOver):
			left++
			continue
		case errors.Is(err, ErrNoPTX):
			unread = err
			continue
		case err != nil:
			return err
		}
		level.Time, base.Time = d.Level.Row.Time.Median.Float(), d.Base.Row.Time.Median.Float()
		b := bound.ReasonsOf(level, base)
		d.Ratio.Because = &b
	}
	switch {
	case of == 0:
		c.Notes = append(c.Notes, "no reasons: no two times of a GPU are called different")
	case unread != nil:
		c.Notes = append(c.Notes, "no reasons: "+unread.Error())
	case left > 0:
		c.Notes = append(c.Notes, fmt.Sprintf("reasons of %d of %s are %v", left, terminal.Count(of, "difference"), ErrTimeOver))
	}
	if note := x.builds(); note != "" {
		c.Notes = append(c.Notes, note)
	}
	return nil
}

// Reasons adds the reasons of one comparison, as Explainers.Reasons does.
func Reasons(ctx context.Context, c *compare.Comparison, code experiment.CodeOf) error {
	x := NewExplainers(code)
	defer x.Close()
	return x.Reasons(ctx, c)
}

// peer reports whether a point is a library's.
func peer(run *record.Run, row *record.Row) bool { return slices.Contains(run.Info.Peers, row.Version) }

// builds says if another build than this one measured, whose kernels may differ.
func (x *Explainers) builds() string {
	this := record.ThisTool().String()
	for run := range x.runs {
		if tool := run.Info.Tool.String(); tool != this {
			return "reasons are of the kernels as this build has them; runs of other builds may have had others"
		}
	}
	return ""
}

// Explaining is an Explainers until a context ends.
type Explaining struct {
	explainers *Explainers
	ctx        context.Context
}

// Within returns x for callers that have no context.
func (x *Explainers) Within(ctx context.Context) Explaining { return Explaining{x, ctx} }

// Why explains a point, as Explainers.Why does.
func (e Explaining) Why(run *record.Run, row *record.Row) (bound.Why, error) {
	return e.explainers.Why(e.ctx, run, row)
}

// Reasons adds reasons to a comparison, as Explainers.Reasons does.
func (e Explaining) Reasons(c *compare.Comparison) error { return e.explainers.Reasons(e.ctx, c) }
