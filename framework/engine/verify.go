package engine

import (
	"errors"
	"fmt"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/record"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

func (w *worker) verify(alg framework.BaseAlgorithm, res *record.Result) error {
	if err := w.overwrite(alg); err != nil {
		return err
	}
	if err := w.once(alg); err != nil {
		return err
	}
	checks, how, err := w.check(alg)
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	res.Checks, res.Verification = checks, how
	for _, warning := range w.warnings() {
		res.Notes = append(res.Notes, Warned+warning)
	}
	if err := w.again(alg, res, wrong(checks) != ""); err != nil {
		return err
	}
	res.Status = record.OK
	if wrong(res.Checks) != "" {
		w.explain(alg, res, true)
		res.Status, res.Reason = record.Wrong, strings.Join(append([]string{wrong(res.Checks)}, w.suspicions()...), "; ")
	}
	return nil
}

// once runs a version on its inputs and waits for the end.
func (w *worker) once(alg framework.BaseAlgorithm) error {
	if r, ok := alg.(framework.Resetter); ok {
		if err := r.Reset(); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
	}
	if err := w.run(alg); err != nil {
		return err
	}
	return w.synchronize(alg)
}

// overwrite fills the answer of a version that will be timed on a GPU as it is filled before each
// timed run (measure.Proof).
func (w *worker) overwrite(alg framework.BaseAlgorithm) error {
	o, ok := alg.(framework.Overwriter)
	if !ok || !timed(w.device) || w.setup.Sanitizer != nil {
		return nil
	}
	if err := o.Overwrite(framework.Poison); err != nil {
		return fmt.Errorf("overwrite the answer: %w", err)
	}
	return nil
}

// again runs foreign code once more, on other inputs if it has them. The simulator then names what this run
// reads of the first run: in outputs, in scratch memory or in variables. Versions that were wrong do not run
// again, nor do trials of a search, whose winner is measured again, and points of which a profiler counts one
// run.
func (w *worker) again(alg framework.BaseAlgorithm, res *record.Result, was bool) error {
	_, foreign := alg.(framework.Renewer)
	over, ok := alg.(framework.Overwriter)
	if !foreign || !ok || was || w.setup.Trial || w.setup.Sanitizer != nil || w.marks != nil {
		return nil
	}
	d, simulated := w.device.(*sim.Device)
	others, err := w.otherInputs(alg, res)
	if err != nil || !simulated && !others {
		return err
	}
	if err := over.Overwrite(framework.Poison); err != nil {
		return err
	}
	if others {
		if err := alg.(framework.Alternator).Use(1); err != nil {
			return fmt.Errorf("exchange the inputs: %w", err)
		}
	}
	if simulated {
		d.NextRun()
	}
	if err := w.once(alg); err != nil {
		return fmt.Errorf("the second run: %w", err)
	}
	checks, _, err := w.check(alg)
	if err != nil {
		return fmt.Errorf("verify the second run: %w", err)
	}
	if wrong(checks) != "" {
		res.Checks, res.Cause = checks, record.SecondRun
	}
	return nil
}

// oneSet is the note of a point whose timed runs all have the same inputs.
const oneSet = "timed runs have one set of inputs: a second one does not fit in memory"

// otherInputs prepares other inputs of the point, if there are any and memory for them.
func (w *worker) otherInputs(alg framework.BaseAlgorithm, res *record.Result) (bool, error) {
	a, ok := alg.(framework.Alternator)
	if !ok {
		return false, nil
	}
	p := res.Point
	need := w.factory.Memory(w.factory.VersionOn(p.Version, p.Processor), p.Own(), p.Tunables, w.setup.FullVerification)
	m := machineMemory()
	if w.device != nil && w.device.Facts().Integrated {
		need.Host = need.Total()
	}
	if m.total > 0 && need.Host > m.free-int64(reserveShare*float64(m.total)) {
		res.Notes = append(res.Notes, oneSet)
		return false, nil
	}
	others, err := a.Alternate()
	if errors.Is(err, gpu.ErrOutOfMemory) {
		res.Notes = append(res.Notes, oneSet)
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("other inputs: %w", err)
	}
	return others, nil
}

// renew removes all traces of the verified runs of foreign code. It does nothing for a trial of a
// search, whose winner is measured again.
func (w *worker) renew(alg framework.BaseAlgorithm) error {
	r, ok := alg.(framework.Renewer)
	if !ok || w.setup.Trial {
		return nil
	}
	if err := r.Renew(); err != nil {
		return fmt.Errorf("load the version anew: %w", err)
	}
	return nil
}

// Warned begins the note of a point whose kernels do what CUDA leaves undefined.
const Warned = "warning: "

// suspicions returns what the simulator's compiler found in kernels compiled since the last call
// that may be why an answer is wrong.
func (w *worker) suspicions() []string {
	if d, ok := w.device.(*sim.Device); ok {
		return d.Suspicions()
	}
	return nil
}

// warnings returns the simulator's warnings since the last call.
func (w *worker) warnings() []string {
	if d, ok := w.device.(*sim.Device); ok {
		return d.Warnings()
	}
	return nil
}

// wrong returns which checks an answer fails; empty if none.
func wrong(checks []framework.Check) string {
	var list []string
	for _, c := range checks {
		if c.OK() {
			continue
		}
		text := fmt.Sprintf("%s %.3g is above %.3g", c.Metric, c.Error, c.Bound)
		if c.Where != "" {
			text += ": " + c.Where
		}
		list = append(list, text)
	}
	return strings.Join(list, "; ")
}

// recheck verifies the answer of the last timed run. If it is wrong, the times are dropped.
func (w *worker) recheck(alg framework.BaseAlgorithm, res *record.Result) error {
	r, ok := alg.(framework.Rechecker)
	if !ok {
		return nil
	}
	if err := w.synchronize(alg); err != nil {
		return err
	}
	checks, err := r.Recheck()
	if err != nil {
		return fmt.Errorf("verify after timing: %w", err)
	}
	if wrong(checks) != "" {
		res.Checks = checks
		w.explain(alg, res, false)
		res.Status, res.Reason, res.Cause = record.Wrong, "right at first, and after timing "+wrong(res.Checks), record.TimedRun
		res.Cold, res.Hot, res.Rate, res.Energy = nil, nil, nil, nil
	}
	return nil
}

// othersOf returns the version if it has a second set of inputs ready, else nil.
func othersOf(alg framework.BaseAlgorithm) framework.Alternator {
	if a, ok := alg.(framework.Alternator); ok && a.Sets() > 1 {
		return a
	}
	return nil
}

// proveGPU has the timer prove a verified version until end is called, and renews it.
func (w *worker) proveGPU(timer *measure.GPUTimer, alg framework.GPUAlgorithm) (end func(), err error) {
	end, err = timer.Prove(alg, othersOf(alg), func() ([]framework.Check, error) {
		checks, _, err := w.check(alg)
		return checks, err
	})
	if err != nil {
		return nil, err
	}
	if err := w.renew(alg); err != nil {
		end()
		return nil, err
	}
	return end, nil
}

// proveCPU has the timer prove a verified version that verifies its answer again, and renews it.
func (w *worker) proveCPU(timer *measure.CPUTimer, alg framework.CPUAlgorithm) error {
	if r, ok := alg.(framework.Rechecker); ok {
		timer.Prove(alg, othersOf(alg), r.Recheck)
	}
	return w.renew(alg)
}

// differs marks a point as wrong if timed runs leave wrong answers or do not compute. It returns
// other errors.
func (w *worker) differs(alg framework.BaseAlgorithm, err error, res *record.Result) error {
	var differs *measure.Differs
	var idle *measure.Idle
	var clock *measure.Clock
	switch {
	case errors.As(err, &clock):
		notPossible(res, clock)
		return nil
	case errors.As(err, &differs):
		res.Checks = differs.Checks
		w.explain(alg, res, false)
		res.Reason = fmt.Sprintf("right at first, but %v: %s", differs, wrong(res.Checks))
	case errors.As(err, &idle):
		res.Reason = oneLine(idle)
		if _, cpu := alg.(framework.CPUAlgorithm); cpu {
			if said := measure.Lingering(); said != "" { // their processor time counts in every run
				res.Reason += "; " + said
			}
		}
	default:
		return err
	}
	res.Status, res.Cause = record.Wrong, cause(err)
	res.Cold, res.Hot, res.Rate, res.Energy = nil, nil, nil, nil
	return nil
}

// check verifies the answer of the last run, with a fast check if possible and not ruled out.
func (w *worker) check(alg framework.BaseAlgorithm) (checks []framework.Check, how framework.Verification, err error) {
	err = framework.ErrNoFastCheck
	if fast, ok := alg.(framework.FastVerifier); ok && !w.setup.FullVerification {
		how = framework.FastVerification
		checks, err = fast.VerifyFast()
	}
	if errors.Is(err, framework.ErrNoFastCheck) {
		how = framework.FullVerification
		checks, err = alg.Verify()
	}
	if len(checks) == 0 {
		how = framework.NoVerification
	}
	return checks, how, err
}
