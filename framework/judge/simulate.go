package judge

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// simulate verifies a kernel in the simulator. A kernel that cannot run there is refused if the
// simulator is the device asked for. Otherwise Simulator.Skipped says why.
func (r *referee) simulate(ctx context.Context) error {
	said := &Simulator{}
	r.out.Simulator = said
	asked := r.opt.Device == "sim"
	at := r.subject.Factory.Verification("sim")
	own := r.candidate.forSimulator()
	switch compiled := filepath.Ext(r.candidate.Name) != ".cu"; {
	case compiled && asked:
		return refuseAs("the simulator runs CUDA C++, and %s is compiled code: it needs a GPU", r.candidate.Name)
	case compiled:
		said.Skipped = "it runs CUDA C++, and the candidate is compiled code"
		return nil
	case own != "" && asked:
		return refuseAs("%s: BENCH_SIM: what the simulator sees of it is not what a GPU runs, and it is judged there alone", own)
	case own != "":
		said.Skipped = own + ": BENCH_SIM: it sees other code than a GPU runs"
		return nil
	case !asked && len(at) == 1 && len(at[0]) == 0:
		said.Skipped = "the task has no verify.at, and its sizes are a GPU's"
		return nil
	}
	r.step("simulate", "simulating")
	ok, timed, warnings, err := r.verify(ctx, "sim")
	said.OK, said.Timed, said.Warnings = ok+timed, timed, warnings
	var none *experiment.NoDevice
	if errors.As(err, &none) && !asked {
		said.Skipped = none.Error()
		return nil
	}
	return err
}

const (
	// simulateLarge is how long timed problems are simulated if the simulator is the device asked
	// for, simulateSome how long at least before a judgement on a GPU. mostSimulated is the largest
	// memory of such a problem in bytes.
	simulateLarge = 20 * time.Second
	simulateSome  = time.Second
	mostSimulated = 64 << 20
)

// runLarge simulates timed problems, the smallest first, and returns how many are right. It stops
// after as long as the others took, but at least simulateSome; on sim, after simulateLarge.
func (r *referee) runLarge(ctx context.Context, x *experiment.Experiment, points []plan.Point, took time.Duration) (ok int, err error) {
	limit := max(took, simulateSome)
	if r.opt.Device == "sim" {
		limit = simulateLarge
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	bytes := func(p plan.Point) int64 {
		m := x.Factory.Memory(x.Factory.VersionOn(p.Version, p.Processor), p.Own(), p.Tunables, true)
		return m.Total()
	}
	slices.SortStableFunc(points, func(a, b plan.Point) int { return cmp.Compare(bytes(a), bytes(b)) })
	for _, p := range points {
		if bytes(p) > mostSimulated {
			break
		}
		err := r.run(limited, x, []plan.Point{p}, r.subject.Hidden(), func(record.Result) { ok++ })
		if limited.Err() != nil && ctx.Err() == nil {
			break // an unfinished problem says nothing
		}
		if err != nil {
			return ok, err
		}
	}
	return ok, nil
}
