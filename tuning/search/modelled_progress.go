package search

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bench/framework/experiment"
	"bench/framework/record"
	"bench/framework/safefile"
	"bench/terminal"
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

// WriteModelled has the model say the times of the tunables at every point of a run
// (ModelledSpaces), writes each space into the folder dir, and says so on out; warn and
// note are given what has no time by the model. The error is that of ModelledSpaces, an
// experiment.RunError where a file cannot be written, or says that no version has a time.
func WriteModelled(ctx context.Context, s experiment.Subject, run *record.Run, versions []string, dir string, out io.Writer, warn, note func(format string, args ...any)) error {
	show := newSpaceProgress(out)
	defer show.Close()
	var folder *safefile.Folder // made for the first
	written := 0
	err := ModelledSpaces(ctx, s, run, versions, show.step, func(m Modelled) error {
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
