package search

import (
	"context"

	"example.org/bench/framework/plan"
	"example.org/bench/tuning"
)

// searching is the search of a version under way.
type searching struct {
	*Search
	version *Version
	team    func() (*team, error)
	first   int // trials in the journal before the version's
}

// evaluate is Loop.Evaluate: it measures a point, or takes its result from the journal, and tells its cost.
func (m *searching) evaluate(ctx context.Context, worker, number int, proposal tuning.Proposal) (trial tuning.Trial, order int, err error) {
	task := m.version.Tasks[proposal.Task]
	p := task.Point(proposal.Point)
	p.ID = m.first + number
	t, known, err := m.known(worker, p)
	if !known {
		var fit *team
		if fit, err = m.team(); err != nil {
			return tuning.Trial{}, 0, err
		}
		if worker == tuning.NoWorker {
			t, err = m.measure(ctx, nil, p) // the journal has it
		} else {
			e := fit.take()
			defer fit.give(e)
			p.Bar = m.bar(m.version, task, e.On(p).Device)
			t, err = m.measure(ctx, e, p)
		}
	}
	if err != nil {
		return tuning.Trial{}, 0, err
	}
	if wasCut(t.Result) {
		return tuning.Trial{Task: proposal.Task, Point: proposal.Point, Cut: true}, t.order - m.first, nil
	}
	trial, err = m.Objective.trial(proposal.Task, proposal.Point, t.Result)
	err = m.forgive(&t.Result, err)
	if trial.OK {
		trial.Cost /= m.version.correction(t.Result.Point.Device)
	}
	trial.Of = t
	return trial, t.order - m.first, err
}

// known returns the trial of a point that needs no worker because it cannot run or was taken back.
func (m *searching) known(worker int, p plan.Point) (t Trial, known bool, err error) {
	if worker != tuning.NoWorker {
		return t, false, nil
	}
	m.mutex.Lock()
	why, cannot := cannotRun(m.compiled[codeOf(p).Key()].err)
	cut := m.cut[p.Key()]
	m.mutex.Unlock()
	on := m.experiment.Crew[0].On(p)
	switch {
	case cannot:
		t, err = m.refused(on, why)
	case cut:
		t, err = m.takenBack(on)
	}
	return t, cannot || cut, err
}

// done is Loop.Done.
func (m *searching) done(p tuning.Progress) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	trial := p.Trial.Of.(Trial)
	p.Trial.Of = nil // it is this one
	if at := trial.Result; at.NotEntered && m.modes.bar(at.Point.PowerMode, at.Reason) {
		m.Note("the search goes on without power mode %s: %s", at.Point.PowerMode, at.Reason)
	}
	trial.Version, trial.Task, trial.Trial, trial.Best = m.version, m.version.Tasks[p.Trial.Task], p.Trial, p.Improved
	m.Trials = append(m.Trials, trial)
	for _, d := range m.version.Devices {
		if d.ID == trial.Result.Point.Device && trial.Result.Elapsed > 0 {
			d.Trials++
		}
	}
	if best := trial.Task.best; p.Trial.OK && (!best.OK || p.Trial.Cost < best.Cost) {
		trial.Task.best = p.Trial
	}
	m.show.Tried(m.version, trial, p.Evaluations)
}
