package judge

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// Options are choices beside the task.
type Options struct {
	// Choices are those of the engines, except Apart, which the judge chooses. With a Seed of 0 a
	// seed is drawn, which the candidate cannot know. Spare is for callers that judge one candidate
	// after another.
	engine.Choices
	// Device is cuda:0, cuda:1, …, sim, or cpu. If it is empty, C functions run on cpu and kernels
	// on cuda:0.
	Device string
	// PowerMode is as in experiment.Options.
	PowerMode string
	// Explain, if not nil, says what bounds the candidate's kernels.
	Explain Explain
	// Step, if not nil, is called with what is done next.
	Step func(string)
}

// BaselineError is the error of a judgement in which the baseline failed. It says nothing about the
// candidate.
type BaselineError struct{ text string }

func (e *BaselineError) Error() string { return "the baseline: " + e.text }

// Judge judges the candidate. The error says why the task cannot be judged here: there is no GPU,
// the baseline fails (BaselineError), or engine.ErrInterrupted.
func (k *Case) Judge(ctx context.Context, opt Options) (*Judgement, error) {
	began := time.Now()
	j := k.task.Config.Judge
	sum := sha256.Sum256(k.candidate.Text)
	if opt.Device == "" {
		opt.Device = "cuda:0"
		if k.task.c {
			opt.Device = "cpu"
		}
	}
	if opt.Seed == 0 {
		opt.Seed = drawn()
	}
	if opt.Step == nil {
		opt.Step = func(string) {}
	}
	out := &Judgement{Task: k.task.Config.Path, Candidate: k.candidate.Name, SHA256: hex.EncodeToString(sum[:]), Version: j.Version, Baseline: j.Baseline,
		Device: opt.Device, Seed: opt.Seed, Tool: record.ThisTool()}
	if k.refusal != nil {
		out.Verdict, out.Reason = Refused, k.refusal.text
		out.Line = k.lineIn(out.Reason)
		return out, nil
	}
	out.Sandbox = k.sandbox(opt.Device)
	limited, cancel := context.WithTimeout(ctx, time.Duration(j.Timeout*float64(time.Second)))
	defer cancel()
	out.Phases = map[string]float64{}
	r := &referee{Case: k, opt: opt, out: out}
	err := r.judge(limited)
	r.step("", "")
	k.task.warm(opt)
	var failed *fault
	switch {
	case errors.As(err, &failed):
		out.Verdict, out.Reason, out.Kind, out.Line = failed.verdict, failed.reason, failed.kind, failed.line
	case err != nil && ctx.Err() == nil && limited.Err() != nil:
		out.Verdict, out.Reason = TimedOut, fmt.Sprintf("no verdict after %g s (judge.timeout_s)", j.Timeout)
	case err != nil:
		if bad := (*BaselineError)(nil); errors.As(err, &bad) {
			err = &experiment.RunError{Err: err}
		}
		return nil, err
	}
	out.Elapsed = time.Since(began).Seconds()
	return out, nil
}

// drawn returns an unpredictable seed.
func drawn() uint64 {
	var b [8]byte
	_, _ = rand.Read(b[:])                              // never fails
	return max(1, binary.LittleEndian.Uint64(b[:])>>11) // exact in a JSON number
}

// referee is a judgement in progress.
type referee struct {
	*Case
	opt Options
	out *Judgement

	phase string // the current phase, since began
	began time.Time
}

// step reports what is done next, and notes how long the phase before took.
func (r *referee) step(phase, text string) {
	now := time.Now()
	if r.phase != "" {
		r.out.Phases[r.phase] += now.Sub(r.began).Seconds()
	}
	r.phase, r.began = phase, now
	if text != "" {
		r.opt.Step(text)
	}
}

func (r *referee) judge(ctx context.Context) error {
	r.task.warm(r.opt)
	if !r.task.c {
		if err := r.simulate(ctx); err != nil {
			return err
		}
		if r.opt.Device == "sim" {
			r.out.Verdict = Verified
			return nil
		}
	}
	r.step("verify", "verifying")
	ok, _, _, err := r.verify(ctx, r.opt.Device)
	if err != nil {
		return err
	}
	r.out.Verified = ok
	return r.time(ctx)
}

// options returns the options for what runs on a device. Code of the candidate that runs on a CPU
// is confined.
func (r *referee) options(device string) experiment.Options {
	c := r.opt.Choices
	c.Series = r.series(device)
	if device == "cpu" || device == "sim" {
		c.Apart = r.folder
	}
	return experiment.Options{Choices: c, Device: device, PowerMode: r.opt.PowerMode, Verify: framework.FullVerification}
}

// series reports whether the GPU's worker may be kept for the next candidate. A kernel can leave
// something behind only in its context's heap, so one that may allocate there has a worker of its
// own.
func (r *referee) series(device string) bool {
	return r.opt.Spare != nil && strings.HasPrefix(device, "cuda:") && !r.candidate.hasHeap()
}

// verify checks the answers at the task's problems; ok of them are right. In the simulator it also
// checks the problems that are timed, as far as time allows; timed of those are right.
func (r *referee) verify(ctx context.Context, device string) (ok, timed int, warnings []string, err error) {
	opt := r.options(device)
	opt.Checks = true
	j := r.task.Config.Judge
	hidden, began := r.subject.HiddenAt(device), time.Now()
	var atTimed []experiment.Further
	if device == "sim" {
		atTimed, err = r.subject.Timed(ctx, device)
	} else {
		var kinds []experiment.Further
		kinds, err = r.subject.KindsWhereTimed(ctx, device, r.opt.Seed)
		hidden = append(hidden, kinds...)
	}
	if err != nil {
		return 0, 0, nil, err
	}
	opt.At = slices.Concat(hidden, atTimed)
	x, err := experiment.OpenCheck(ctx, r.subject.Choose(j.Version, j.Baseline), opt, true)
	if err != nil {
		return 0, 0, nil, err
	}
	defer x.Close()
	var points, large []plan.Point
	for _, p := range x.Plan.Points {
		if x.Optional[p.Problem()] {
			large = append(large, p)
		} else {
			points = append(points, p)
		}
	}
	err = r.run(ctx, x, points, hidden, func(res record.Result) {
		ok++
		if !r.series(r.opt.Device) {
			r.opt.Spare.Ready(r.opt.Device) // for the timing that follows
		}
		for _, n := range res.Notes {
			if w, is := strings.CutPrefix(n, engine.Warned); is && !r.isHidden(res.Point, hidden) && !slices.Contains(warnings, r.tidy(w)) {
				warnings = append(warnings, r.tidy(w))
			}
		}
	})
	if err == nil && ok == 0 {
		err = refuseAs("no problem of the task can be checked on %s: %s", device, strings.Join(x.Plan.LeftOut, "; "))
	}
	if err == nil {
		timed, err = r.runLarge(ctx, x, large, time.Since(began))
	}
	return ok, timed, warnings, err
}

// run runs the candidate's points in order and calls done with each right result. At the first that
// is not right it returns the candidate's fault, or a BaselineError if the baseline fails there too.
func (r *referee) run(ctx context.Context, x *experiment.Experiment, points []plan.Point, hidden []experiment.Further, done func(record.Result)) error {
	one := func(p plan.Point) (*record.Result, error) {
		return x.Engine.Measure(ctx, p, x.Facts, engine.Unseen{}, nil)
	}
	for _, p := range points {
		if p.Version != r.task.Config.Judge.Version {
			continue
		}
		res, err := one(p)
		if err != nil {
			return err
		}
		switch {
		case res.Status == record.OK:
			done(*res)
			continue
		case res.Status == record.Failed && res.Cause == "":
			// The machine or the task may be at fault, and not the candidate: then the baseline fails too.
			for _, q := range points {
				if q.Version == r.task.Config.Judge.Baseline && q.Problem() == p.Problem() {
					if had, err := one(q); err != nil {
						return err
					} else if had.Status != record.OK {
						return &BaselineError{fmt.Sprintf("%s: %s", had.Status, r.tidy(had.Reason))}
					}
				}
			}
		}
		return r.faultOf(res.Status, res.Reason, res.Cause, r.isHidden(p, hidden))
	}
	return nil
}

// time times the candidate alone, which proves that its timed runs compute, and then in turns with
// the baseline.
func (r *referee) time(ctx context.Context) error {
	j := r.task.Config.Judge
	opt := r.options(r.opt.Device)
	opt.Must = true
	opt.Processor = string(framework.GPU)
	if r.task.c {
		opt.Processor = string(framework.CPU)
	}
	opt.At = r.subject.Hidden()
	names := [2]string{j.Baseline, j.Version}
	x, pairs, err := experiment.OpenPairs(ctx, []experiment.Subject{r.withoutSensors()}, names, opt)
	if err != nil {
		return err
	}
	defer x.Close()
	r.task.know(r.opt.Device, x.Facts)
	var points []plan.Point
	for _, p := range pairs {
		switch {
		case p.A.Skip != "":
			return &BaselineError{p.Failure}
		case p.B.Skip != "":
			return refuseAs("%s", r.tidy(p.Failure))
		}
		points = append(points, p.B, p.A)
	}
	r.step("alone", "timing")
	var alone []record.Result
	if err := r.run(ctx, x, points, opt.At, func(res record.Result) { alone = append(alone, res) }); err != nil {
		return err
	}
	turns := &experiment.Turns{Pairs: pairs}
	err = turns.Run(ctx, x, j.Repeats, func(i int, _ *experiment.Pair, _ time.Duration) {
		r.step("turns", fmt.Sprintf("in turns, problem %d of %d", i+1, len(pairs)))
	})
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if failed := p.Failed(); failed != nil {
			return r.inTurns(ctx, x, p, names, opt)
		}
	}
	turns.Judge(j.Same)
	if err := r.weigh(pairs); err != nil {
		return err
	}
	if r.task.c && r.out.Verdict == Faster {
		x.Close()
		if err := r.beyond(ctx, pairs, names, opt); err != nil {
			return err
		}
	}
	r.out.Why = r.why(ctx, x, alone)
	if !r.energyCounts() {
		return nil
	}
	x.Close()
	return r.energy(ctx, names, opt)
}

// inTurns returns the error for a pair that failed in turns: the candidate's fault or a BaselineError.
func (r *referee) inTurns(ctx context.Context, x *experiment.Experiment, p *experiment.Pair, names [2]string, opt experiment.Options) error {
	failed, hidden := p.Failed(), r.isHidden(p.B, opt.At)
	if failed.Cause == record.ChangedCode || strings.HasPrefix(failed.Reason, names[1]+": ") {
		return r.faultOf(failed.Status, failed.Reason, failed.Cause, hidden)
	}
	if !r.rightAlone(ctx, x, p.A, names, opt) {
		return &BaselineError{p.Failure}
	}
	if failed.Cause == "" && !strings.HasPrefix(failed.Reason, names[0]+": ") {
		return r.faultOf(failed.Status, "in turns with the baseline, which does not fail alone: "+failed.Reason, "", hidden) // their process
	}
	return r.faultOf(failed.Status, "the baseline fails beside it, and not alone: "+failed.Reason, record.DisturbedBaseline, hidden)
}

// rightAlone closes x and reports whether the baseline is right in a new process, without a candidate.
func (r *referee) rightAlone(ctx context.Context, x *experiment.Experiment, baseline plan.Point, names [2]string, opt experiment.Options) bool {
	x.Close()
	alone, _, err := experiment.OpenPairs(ctx, []experiment.Subject{r.withoutSensors()}, names, opt)
	if err != nil {
		return false
	}
	defer alone.Close()
	res, err := alone.Engine.Measure(ctx, baseline, alone.Facts, engine.Unseen{}, nil)
	return err == nil && res.Status == record.OK
}

// energyCounts reports whether energies are to be compared, if there is a sensor.
func (r *referee) energyCounts() bool {
	v, sensors := r.out.Verdict, r.subject.Config.Sensors
	return (v == Faster || v == Equal) && r.task.Config.Judge.EnergyRepeats > 0 && (sensors == nil || len(sensors) > 0)
}

// withoutSensors returns the subject without sensors. It measures times alone, and spends no seconds
// on energy.
func (r *referee) withoutSensors() experiment.Subject {
	s, c := r.subject, *r.subject.Config
	c.Sensors = []string{}
	s.Config = &c
	return s
}

// energy compares the energies at each problem and over all. It does nothing without a power sensor.
func (r *referee) energy(ctx context.Context, names [2]string, opt experiment.Options) error {
	x, pairs, err := experiment.OpenPairs(ctx, []experiment.Subject{r.subject}, names, opt)
	if err != nil {
		return err
	}
	defer x.Close()
	if list, err := x.Engine.Sensors(ctx, r.opt.Device); err != nil || engine.NoPower(list) != "" {
		return err
	}
	var all [][]float64
	for i, p := range pairs {
		r.step("energy", fmt.Sprintf("energy, problem %d of %d", i+1, len(pairs)))
		ratios, err := p.Energies(ctx, x.Engine, r.task.Config.Judge.EnergyRepeats)
		if err != nil {
			return err
		}
		if failed := p.Failed(); failed != nil {
			return r.faultOf(failed.Status, failed.Reason, failed.Cause, r.isHidden(p.B, r.subject.Hidden()))
		}
		r.note(p)
		if ratios == nil {
			return nil
		}
		effect, err := compare.EffectOf(ratios)
		if err != nil {
			return &experiment.RunError{Err: err}
		}
		r.out.Problems[i].Energy = ratioOf(effect)
		all = append(all, ratios)
	}
	effect, err := compare.EffectOf(together(all))
	if err != nil {
		return &experiment.RunError{Err: err}
	}
	r.out.Energy = ratioOf(effect)
	return nil
}
