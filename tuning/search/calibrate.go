package search

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/workers"
)

// Several GPUs of one model differ. Before they share a version's trials, each measures
// one point of it, in rounds in which all measure at the same time.
const (
	// warmUps are rounds that do not count: code is compiled, and clocks go up.
	warmUps = 1
	rounds  = 10
	// falseAlarms is how likely any GPU is called slower if all are equal.
	falseAlarms = 0.01
	// harmless is by how much a GPU may be slower for calibrating to end early: once a GPU is known with
	// usualConfidence to be less slow, further rounds would tell little.
	harmless        = 0.02
	usualConfidence = 0.95
	// leastSlower is by how much a GPU must be shown to be slower, since processes and their memory differ
	// too.
	leastSlower = 0.005
	// mostSlower is the most that is corrected. Beyond it something is wrong with a GPU or its surroundings,
	// and the ratio will differ at other points.
	mostSlower = 0.2
)

// looks are the rounds after which the GPUs are judged. Each further look would hold up the search.
var looks = []int{4, 7, rounds}

// Device is what calibrating showed of one of several GPUs.
type Device struct {
	ID   string `json:"device"`
	UUID string `json:"uuid,omitempty"`
	// Slower is the share by which the calibration point costs more than on the fastest GPU. Low and High
	// bound it, with a probability of less than falseAlarms that any GPU is outside.
	Slower float64 `json:"slower"`
	Low    float64 `json:"slower_low"`
	High   float64 `json:"slower_high"`
	// Corrected is set if the GPU is shown to be slower: its costs are divided by 1 + Slower.
	Corrected bool `json:"corrected"`
	// LeftOut is why the GPU evaluates nothing.
	LeftOut string `json:"left_out,omitempty"`
	Trials  int    `json:"trials"`
}

// said returns the line for users about a device; empty if there is nothing to say.
func (d *Device) said(fastest string) string {
	switch {
	case d.LeftOut != "":
		return fmt.Sprintf("%s is left out: %s", d.ID, d.LeftOut)
	case d.Corrected:
		return fmt.Sprintf("%s is %.1f %% slower than %s (%.1f to %.1f %%): its trials are corrected by that", d.ID, 100*d.Slower, fastest, 100*d.Low, 100*d.High)
	}
	return ""
}

// team are the engines of the GPUs that share a version's trials.
type team struct{ idle chan *engine.Engine }

// team returns a function that calibrates when it is first called and returns the team. The compilers do not
// wait for it; concurrent callers do.
func (s *Search) team(ctx context.Context, v *Version) func() (*team, error) {
	return sync.OnceValues(func() (*team, error) {
		crew, err := s.calibrate(ctx, v)
		if err != nil {
			return nil, err
		}
		t := &team{make(chan *engine.Engine, len(crew))}
		for _, e := range crew {
			t.idle <- e
		}
		return t, nil
	})
}

// take waits for an engine that nobody uses.
func (t *team) take() *engine.Engine { return <-t.idle }

func (t *team) give(e *engine.Engine) { t.idle <- e }

// calibrate compares the GPUs at a point of a version, and returns the engines of those
// that are fit to share its trials.
func (s *Search) calibrate(ctx context.Context, v *Version) (engine.Crew, error) {
	crew := s.experiment.Crew
	if len(crew) == 1 {
		return crew, nil
	}
	var devices []*Device
	for _, d := range s.experiment.Devices() {
		devices = append(devices, &Device{ID: d.ID, UUID: d.Facts.UUID})
	}
	defer func() {
		s.mutex.Lock()
		v.Devices = devices
		s.mutex.Unlock()
	}()
	for _, t := range v.Tasks {
		fastest, err := s.rounds(ctx, crew, t, devices)
		if err != nil {
			return nil, err
		}
		if fastest == nil {
			continue // the defaults do not run here
		}
		for _, d := range devices {
			if text := d.said(fastest.ID); text != "" {
				s.Note("%s: %s", v.Name, text)
			}
		}
		return fitOf(crew, devices), nil
	}
	s.Note("%s: the defaults run at no sweep point: whether a GPU is slower is not known", v.Name)
	return crew, nil
}

// rounds measures a task's defaults in rounds on all GPUs, until it is settled which are slower than the
// fastest. fastest is nil if the defaults run on none.
func (s *Search) rounds(ctx context.Context, crew engine.Crew, t *Task, devices []*Device) (fastest *Device, err error) {
	costs, why := make([][]float64, len(crew)), map[int]string{}
	results := make([]record.Result, len(crew))
	for round := range warmUps + rounds {
		err := workers.Together(ctx, len(crew), func(ctx context.Context, i int) error {
			if why[i] != "" {
				return nil
			}
			p := crew[i].On(t.Base)
			p.Shared = ""
			p.ID = -1 - s.calibrated - i // apart from the trials'
			m, err := s.measure(ctx, crew[i], p)
			results[i] = m.Result
			return err
		})
		if err != nil {
			return nil, err
		}
		s.calibrated += len(crew)
		for i, r := range results {
			if why[i] != "" {
				continue
			}
			if r.Status != record.OK {
				why[i] = fmt.Sprintf("the defaults are %s there: %s", r.Status, r.Reason)
				continue
			}
			cost, err := s.Objective.cost(r)
			if err != nil {
				return nil, err
			}
			if round >= warmUps {
				costs[i] = append(costs[i], cost)
			}
		}
		if len(why) == len(crew) {
			return nil, nil
		}
		if !slices.Contains(looks, round+1-warmUps) {
			continue
		}
		for i, reason := range why {
			devices[i].LeftOut = reason
		}
		var settled bool
		if fastest, settled = judge(devices, costs, len(s.Versions)); settled {
			break
		}
	}
	return fastest, nil
}

// judge compares the GPUs that are not left out with the fastest of them, which it returns. It is settled if
// each is shown to be slower, or shown not to be slower by a harmful share. Rounds are pairs, so that a
// disturbance of all GPUs at a time does not count. Each ordered pair of GPUs, in each search, has its part
// of falseAlarms. The looks have no parts: leastSlower leaves more of falseAlarms than looking again takes
// (TestSlowerGPUsAreNamed counts).
func judge(devices []*Device, costs [][]float64, searches int) (fastest *Device, settled bool) {
	best := -1
	means := make([]float64, len(devices))
	var fit int
	for i, d := range devices {
		if d.LeftOut != "" {
			continue
		}
		fit++
		for _, c := range costs[i] {
			means[i] += math.Log(c) / float64(len(costs[i]))
		}
		if best < 0 || means[i] < means[best] {
			best = i
		}
	}
	confidence := 1 - 2*falseAlarms/float64(max(1, fit*(fit-1)*searches))
	settled = true
	for i, d := range devices {
		if d.LeftOut != "" || i == best {
			continue
		}
		ratios := make([]float64, len(costs[i]))
		for r := range ratios {
			ratios[r] = math.Log(costs[i][r] / costs[best][r])
		}
		mean, half, _ := stats.Student(ratios, confidence)
		d.Slower, d.Low, d.High = math.Expm1(mean), math.Expm1(mean-half), math.Expm1(mean+half)
		if d.Corrected = d.Low > leastSlower; d.Corrected && d.Slower > mostSlower {
			d.Corrected = false
			d.LeftOut = fmt.Sprintf("it is %.0f %% slower than %s, more than equal GPUs differ by", 100*d.Slower, devices[best].ID)
		}
		_, half, _ = stats.Student(ratios, usualConfidence)
		settled = settled && (d.Corrected || d.LeftOut != "" || math.Expm1(mean+half) < harmless)
	}
	return devices[best], settled
}

// fitOf returns the engines of the GPUs that are not left out.
func fitOf(all engine.Crew, devices []*Device) engine.Crew {
	if devices == nil {
		return all
	}
	var fit engine.Crew
	for i, e := range all {
		if devices[i].LeftOut == "" {
			fit = append(fit, e)
		}
	}
	return fit
}

// correction divides a cost that a device measured.
func (v *Version) correction(device string) float64 {
	i := slices.IndexFunc(v.Devices, func(d *Device) bool { return d.ID == device })
	if i < 0 || !v.Devices[i].Corrected {
		return 1
	}
	return 1 + v.Devices[i].Slower
}

// Shared says which GPUs evaluated a version's trials, and what calibrating showed of them; empty for one
// GPU.
func (v *Version) Shared() string {
	var words []string
	for _, d := range v.Devices {
		text := fmt.Sprintf("%s %s", d.ID, terminal.Count(d.Trials, "trial"))
		switch {
		case d.LeftOut != "":
			text = d.ID + " left out"
		case d.Corrected:
			text += fmt.Sprintf(" (%.1f %% slower)", 100*d.Slower)
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}
