package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"example.org/bench/framework"
	"example.org/bench/framework/engine"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning"
	"example.org/bench/tuning/analytical"
	"example.org/bench/tuning/recorded"
)

// spaceProgress shows how much of a space has been modelled.
type spaceProgress struct {
	terminal.Line
	title     string
	done, all int
	began     time.Time
}

func newSpaceProgress(out io.Writer) *spaceProgress {
	p := &spaceProgress{}
	p.Start(out, func() string {
		if p.all == 0 {
			return ""
		}
		left := ""
		if p.done > 0 {
			left = "  ETA " + terminal.Clock(time.Since(p.began).Seconds()/float64(p.done)*float64(p.all-p.done))
		}
		return fmt.Sprintf("%s %d/%d  %s%s", terminal.Bar(p.done, p.all), p.done, p.all, p.title, left)
	})
	return p
}

func (p *spaceProgress) step(title string, done, all int) {
	p.Lock()
	defer p.Unlock()
	p.title, p.done, p.all = title, done, all
	if done == 0 {
		p.began = time.Now()
		p.Print("%s: %s by the model", title, terminal.Count(all, "point"))
	}
	p.Draw()
}

// WriteModelled models the times of the tunables at every point of a run (ModelledSpaces), writes each space
// into the folder dir, and reports it on out. warn and note get what has no time by the model. The error is
// that of ModelledSpaces, an experiment.RunError if a file cannot be written, or says that no version has a
// time.
func WriteModelled(ctx context.Context, s experiment.Subject, run *record.Run, versions []string, says RunModel, dir string, out io.Writer, warn, note func(format string, args ...any)) error {
	return writeModelled(dir, out, warn, note, func(step func(string, int, int), done func(Modelled) error) error {
		return ModelledSpaces(ctx, s, run, versions, says, step, done)
	})
}

// WriteDescribed is WriteModelled for a config's points on a GPU that need not be present. Nothing is
// measured.
func WriteDescribed(ctx context.Context, s experiment.Subject, choices engine.Choices, device string, says PointModel, dir string, out io.Writer, warn, note func(format string, args ...any)) error {
	if dir == "" {
		return fmt.Errorf("--device %s is a description, nothing can be measured on it; only --space works without a GPU", device)
	}
	d, err := analytical.FindDevice(device)
	if err != nil {
		return err
	}
	search, err := Open(ctx, s, Options{Choices: choices, Objective: Time, Facts: &d.Facts, Device: device, Compilers: runtime.NumCPU(), Model: says, Note: note})
	if err != nil {
		return &experiment.RunError{Err: err}
	}
	defer search.Close()
	return writeModelled(dir, out, warn, note, func(step func(string, int, int), done func(Modelled) error) error {
		return search.model(ctx, step, done)
	})
}

// model models the times of all sweep points, one sweep point after the other.
func (s *Search) model(ctx context.Context, step func(title string, modelled, all int), done func(Modelled) error) error {
	for _, v := range s.Versions {
		for i, t := range v.Tasks {
			m := Modelled{Algorithm: t.Base.Algorithm, Version: v.Name, Settings: t.Name, Points: t.Space.Len()}
			order := spreadOver([]tuning.Task{{Space: t.Space}})
			for j := range order {
				order[j].Task = i
			}
			p := &prior{search: s, version: v, step: func(modelled int) { step(m.Title(), modelled, len(order)) }}
			p.step(0)
			p.makers.Store(int64(s.compilers.Count()))
			p.make(ctx, order)
			p.wait.Wait()
			if err := ctx.Err(); err != nil {
				return engine.ErrInterrupted
			}
			m.Missing = p.missing
			if len(p.fresh) > 0 {
				var points []framework.Values
				var costs []float64
				for _, x := range p.fresh {
					points, costs = append(points, t.tunables(x.Point)), append(costs, x.Cost)
				}
				var names []string
				for _, x := range t.Space.Parameters {
					names = append(names, x.Name)
				}
				var err error
				if m.Space, err = spaceOf(recordedName(m.Algorithm, m.Version, m.Settings, s.Place.Name)+recorded.ModelSuffix, names, points, costs); err != nil {
					return err
				}
			}
			if err := done(m); err != nil {
				return err
			}
		}
	}
	return nil
}

func writeModelled(dir string, out io.Writer, warn, note func(format string, args ...any), model func(step func(string, int, int), done func(Modelled) error) error) error {
	show := newSpaceProgress(out)
	defer show.Close()
	var folder *safefile.Folder // made for the first
	written := 0
	err := model(show.step, func(m Modelled) error {
		if m.Space == nil {
			warn("%s: no time by the model: %s", m.Title(), m.Missing)
			return nil
		}
		var err error
		if folder == nil {
			folder, err = safefile.MakeFolder(dir)
		}
		if err == nil {
			err = m.WriteFile(folder)
		}
		if err != nil {
			return &experiment.RunError{Err: err}
		}
		written++
		cost, _ := m.Optimum()
		show.Lock()
		defer show.Unlock()
		show.Print("%s: %d of %s, the best takes %.4g µs by the model: %s", m.Title(), m.Space.Space.Len(), terminal.Count(m.Points, "point"), 1e6*cost,
			folder.Path(m.Name+".csv.gz"))
		if m.Missing != "" {
			note("%s: others have no time by the model: %s", m.Title(), m.Missing)
		}
		return nil
	})
	if folder != nil {
		folder.Close()
	}
	if err == nil && written == 0 {
		err = errors.New("no version has a time by the model")
	}
	return err
}
