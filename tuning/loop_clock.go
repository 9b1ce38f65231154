package tuning

import (
	"context"
	"slices"
	"time"
)

// recordedJobs are carried out at once. Their ends follow from the seconds that their trials have.
type recordedJobs struct {
	loop    *looping
	ctx     context.Context
	now     time.Duration
	idle    int   // compilers
	waiting []job // for a compiler
	events  []timed
	ended   int  // trials
	late    bool // said already
	made    Made // nil: no prior, or one that is known

	// on is the value of Switching's parameter, and change the seconds that a change takes.
	on, change float64
}

// timed is an event with its time.
type timed struct {
	event
	when time.Duration
	// compiler is set if the event leaves a compiler idle.
	compiler bool
	// made, if not nil, ends the making of a point of the prior; that is no event to the loop.
	made func()
}

func secondsOf(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

func (r *recordedJobs) compile(j job) {
	r.waiting = append(r.waiting, j)
	r.assign()
}

// assign gives idle compilers the jobs that wait for one.
func (r *recordedJobs) assign() {
	for r.idle > 0 && len(r.waiting) > 0 {
		j := r.waiting[0]
		r.waiting = r.waiting[1:]
		r.idle--
		trial, _, err := r.loop.Evaluate(r.ctx, NoWorker, j.number, j.Proposal)
		e := event{job: j, worker: NoWorker, trial: trial, err: err, compiled: err == nil && trial.RunSeconds > 0}
		r.add(timed{event: e, when: r.now + secondsOf(trial.CompileSeconds), compiler: true})
	}
	for r.made != nil && r.idle > 0 {
		p, seconds, ok := r.made.Begin()
		if !ok {
			break
		}
		r.idle--
		r.add(timed{when: r.now + secondsOf(seconds), made: func() { r.made.End(p, seconds) }})
	}
}

func (r *recordedJobs) evaluate(worker int, j job) {
	trial, _, err := r.loop.Evaluate(r.ctx, worker, j.number, j.Proposal)
	takes := trial.RunSeconds
	if w := r.loop.Search.Switching; w != nil {
		if v, ok := w.of(r.loop.Search.Tasks[j.Task], j.Point); ok && v != r.on {
			r.on, trial.SwitchSeconds = v, r.change
			takes += r.change
		}
	}
	if !r.loop.compiles() {
		takes += trial.CompileSeconds
	}
	r.add(timed{event: event{job: j, worker: worker, trial: trial, err: err}, when: r.now + secondsOf(takes)})
}

// add keeps the events in the order of their times, and events of equal times in the order in which they
// began.
func (r *recordedJobs) add(e timed) {
	at, _ := slices.BinarySearchFunc(r.events, e.when, func(x timed, when time.Duration) int {
		if x.when > when {
			return 1
		}
		return -1
	})
	r.events = slices.Insert(r.events, at, e)
}

func (r *recordedJobs) next() event {
	if limit := r.loop.Limit; limit > 0 && !r.late && (len(r.events) == 0 || r.events[0].when > limit) {
		r.late, r.now = true, limit
		return event{late: true}
	}
	r.assign() // what the prior may make by now
	e := r.events[0]
	r.events = r.events[1:]
	r.now = e.when
	if e.made != nil {
		e.made()
		r.idle++
		return r.next()
	}
	if e.compiler {
		r.idle++
		r.assign()
	}
	if !e.compiled && e.err == nil {
		e.order = r.ended
		r.ended++
	}
	e.at = r.now
	return e.event
}

func (r *recordedJobs) cut(doubts func(Proposal) bool) {
	var cut []timed
	r.events = slices.DeleteFunc(r.events, func(e timed) bool {
		doubted := e.compiler && e.when > r.now && !e.trial.Cut && doubts(e.Proposal)
		if doubted {
			cut = append(cut, e)
		}
		return doubted
	})
	for _, e := range cut {
		e.compiled, e.when = false, r.now
		e.trial = Trial{Task: e.Task, Point: e.Point, Cut: true}
		r.add(e)
	}
}

func (r *recordedJobs) time() time.Duration { return r.now }

func (r *recordedJobs) drop() int {
	n := len(r.waiting)
	r.waiting = nil
	r.events = slices.DeleteFunc(r.events, func(e timed) bool {
		if e.compiler {
			n++
		}
		return e.compiler
	})
	return n
}

func (r *recordedJobs) close() {}
