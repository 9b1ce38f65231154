package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"

	"bench/framework"
	"bench/framework/config"
	"bench/framework/engine"
	"bench/framework/experiment"
	"bench/framework/plan"
)

// How far a version's own counts may be from the profiler's.
const (
	flopsBound = 0.02
	bytesBound = 0.05
)

// counted is one version's Work with what the profiler saw of the same run.
type counted struct {
	point    plan.Point
	work     framework.Work
	profiled profile
	failed   string // why there is nothing to compare; empty: there is
	// unanswered: the profiled process did not come to its end.
	unanswered bool
}

// quantity is one compared count.
type quantity struct {
	own, profiled int64
	bound         float64
}

func (c counted) quantities() [3]quantity {
	return [3]quantity{
		{c.work.FLOPs, c.profiled.flops, flopsBound},
		{c.work.LoadBytes, c.profiled.loadBytes, bytesBound},
		{c.work.StoreBytes, c.profiled.storeBytes, bytesBound},
	}
}

// off is the own count's distance from the profiler's, relative to it; ±Inf
// where only one of them is 0.
func (q quantity) off() float64 {
	switch {
	case q.own == q.profiled:
		return 0
	case q.profiled == 0:
		return math.Inf(1)
	}
	return float64(q.own)/float64(q.profiled) - 1
}

func (q quantity) ok() bool { return math.Abs(q.off()) <= q.bound }

func (c counted) ok() bool {
	return c.failed == "" && !slices.ContainsFunc(c.list(), func(q quantity) bool { return !q.ok() })
}

func (c counted) list() []quantity { q := c.quantities(); return q[:] }

// counts holds the Work of every GPU version against the profiler.
func (a *app) counts(ctx context.Context, names []string, flags verifyFlags) error {
	device := flags.device
	if device == "" {
		device = "cuda:0"
	}
	if _, err := engine.ParseDevice(device); err != nil {
		return usageError(fmt.Errorf("--counts counts on a GPU; --device: %w", err))
	}
	if len(names) == 0 {
		names = a.registry.Names()
	}
	profiler, err := findProfiler(toolkitProfiler)
	if err != nil {
		return &statusError{exitBad, err}
	}
	var keep io.Writer
	if flags.profile != "" {
		file, err := os.Create(flags.profile)
		if err != nil {
			return usageError(fmt.Errorf("--profile: %w", err))
		}
		defer file.Close()
		keep = file
	}
	bad := false
	for _, name := range names {
		s, err := a.named(ctx, name, flags.choices)
		if err != nil {
			return err
		}
		list, err := a.countOn(ctx, profiler, keep, s, device, flags)
		if err != nil {
			return err
		}
		a.printCounts(s.Factory.Name, list)
		bad = bad || slices.ContainsFunc(list, func(c counted) bool { return !c.ok() })
	}
	if bad {
		return &statusError{exitBad, nil}
	}
	return nil
}

// countOn profiles the GPU versions of one algorithm, each at one problem, or
// a config's at all its points.
func (a *app) countOn(ctx context.Context, profiler string, keep io.Writer, s experiment.Subject, device string, flags verifyFlags) ([]counted, error) {
	if s.Factory.External || !runsOn(s.Factory, device) {
		return nil, nil
	}
	// A worker process tells the facts, so that this one opens no device beside
	// the profiled one.
	x, err := experiment.Open(ctx, s, experiment.Options{Processor: "GPU", Device: device, Must: true, Seed: flags.seed, For: experiment.Profile})
	if err != nil {
		return nil, openError(err)
	}
	x.Close()
	if len(x.Plan.Points) == 0 {
		return nil, nil
	}
	list, err := profilePoints(ctx, profiler, countRequest{Config: s.Config, Seed: flags.seed, Workers: runtime.GOMAXPROCS(0), Device: device, Points: x.Plan.Points}, keep)
	if ctx.Err() != nil {
		return nil, &statusError{exitInterrupted, errors.New("interrupted")}
	}
	if err != nil {
		return nil, &statusError{exitBad, fmt.Errorf("%s: %w", s.Factory.Name, err)}
	}
	return list, nil
}

func (a *app) printCounts(algorithm string, list []counted) {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\tKERNELS\tFLOPS\tPROFILER\tOFF\tLOAD BYTES\tPROFILER\tOFF\tSTORE BYTES\tPROFILER\tOFF\t\tPOINT\n", algorithm)
	for _, c := range list {
		if c.failed != "" {
			fmt.Fprintf(w, "%s\t\t\t\t\t\t\t\t\t\t\tfailed\t%s: %s\n", c.point.Version, pointText(c.point), c.failed)
			continue
		}
		fmt.Fprintf(w, "%s\t%d", c.point.Version, c.profiled.kernels)
		for _, q := range c.quantities() {
			fmt.Fprintf(w, "\t%d\t%d\t%+.2f %%", q.own, q.profiled, 100*q.off())
		}
		verdict := "ok"
		if !c.ok() {
			verdict = "OFF"
		}
		fmt.Fprintf(w, "\t%s\t%s\n", verdict, pointText(c.point))
	}
	w.Flush()
}

// pointText is the point's settings, as in its key.
func pointText(p plan.Point) string {
	text := ""
	for _, n := range p.ParamOrder {
		text += n + "=" + p.Params[n].String() + " "
	}
	for _, n := range p.TunableOrder {
		text += n + "=" + p.Tunables[n].String() + " "
	}
	return text[:max(0, len(text)-1)]
}

// countRequest is what the profiled process is to run, and countReply what
// became of one point of it.
type countRequest struct {
	Config  *config.Config `json:"config"`
	Seed    uint64         `json:"seed"`
	Workers int            `json:"workers"`
	Device  string         `json:"device"`
	Points  []plan.Point   `json:"points"`
}

type countReply struct {
	ID    int            `json:"id"` // of the point
	Ran   bool           `json:"ran"`
	Work  framework.Work `json:"work"`
	Error string         `json:"error,omitempty"`
}

// The files through which the two processes speak.
const (
	requestFile = "request.json"
	repliesFile = "replies.jsonl"
	profileFile = "profile.csv"
)

// profilePoints runs the points under the profiler and joins what it saw of
// each with the point's own counts. Where a process ends early, another takes
// the points that are left, so that a kernel that cannot be profiled costs its
// own point only.
func profilePoints(ctx context.Context, profiler string, r countRequest, keep io.Writer) ([]counted, error) {
	var done []counted
	for points := r.Points; len(points) > 0; points = r.Points[len(done):] {
		r := r
		r.Points = points
		list, err := profileOnce(ctx, profiler, r, keep)
		if err != nil {
			return nil, err
		}
		answered := slices.IndexFunc(list, func(c counted) bool { return c.unanswered })
		switch {
		case answered < 0:
			answered = len(list)
		case answered == 0:
			answered = 1 // it failed first of all
		}
		done = append(done, list[:answered]...)
	}
	return done, nil
}

func profileOnce(ctx context.Context, profiler string, r countRequest, keep io.Writer) ([]counted, error) {
	dir, err := os.MkdirTemp("", "bench-counts")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, requestFile), b, 0o600); err != nil {
		return nil, err
	}
	ended := runProfiler(ctx, profiler, dir)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	replies, err := readReplies(filepath.Join(dir, repliesFile))
	if err != nil {
		return nil, errors.Join(ended, err)
	}
	text, err := os.ReadFile(filepath.Join(dir, profileFile))
	if err != nil {
		return nil, errors.Join(ended, err)
	}
	if keep != nil {
		if _, err := keep.Write(text); err != nil {
			return nil, err
		}
	}
	return joinCounts(r.Points, replies, text, ended)
}

// joinCounts gives each point its reply and, in the order in which they ran,
// its profile.
func joinCounts(points []plan.Point, replies map[int]countReply, text []byte, ended error) ([]counted, error) {
	profiles, err := parseProfile(text)
	if err != nil {
		return nil, errors.Join(ended, err)
	}
	var list []counted
	for _, p := range points {
		c := counted{point: p}
		reply, answered := replies[p.ID]
		c.unanswered = !answered
		switch {
		case !answered && ended != nil:
			c.failed = ended.Error()
		case !answered:
			c.failed = "the profiled process did not come to it"
		case reply.Error != "":
			c.failed = reply.Error
		}
		if reply.Ran {
			if len(profiles) == 0 {
				return nil, fmt.Errorf("the profiler saw less runs than the %d points that ran", len(replies))
			}
			c.work, c.profiled = reply.Work, profiles[0]
			profiles = profiles[1:]
		}
		list = append(list, c)
	}
	if len(profiles) > 0 {
		return nil, fmt.Errorf("the profiler saw %d runs more than points ran", len(profiles))
	}
	return list, nil
}
