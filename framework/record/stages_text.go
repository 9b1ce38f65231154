package record

import (
	"fmt"
	"strings"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// mostStagedPoints is how many points' stages are below a table.
const mostStagedPoints = 12

// doubted returns a share, behind a mark if it is in doubt.
func doubted(share Number, doubt bool) string {
	if doubt {
		return Doubted + digits.Percent(share.Float())
	}
	return digits.Percent(share.Float())
}

// stages has a line for the stages of each point that has some.
func (r *Run) stages(width int) string {
	params, tunables, _ := r.Varying()
	var lines []string
	energies, total := false, 0
	for i := range r.Rows {
		w := &r.Rows[i]
		if len(w.Stages) == 0 && w.NoStages == "" {
			continue
		}
		if total++; total > mostStagedPoints {
			continue
		}
		names := []string{w.Version}
		for _, of := range []func(*Row) string{func(w *Row) string { return w.Device }, func(w *Row) string { return w.PowerMode }} {
			if differs(r.Rows, of) && of(w) != "" {
				names = append(names, of(w))
			}
		}
		for _, c := range params {
			names = append(names, c.Name+" "+w.Params.Get(c.Name).String())
		}
		for _, c := range tunables {
			if x := w.Tunables.Get(c.Name); x.IsSet() {
				names = append(names, c.Name+" "+x.String())
			}
		}
		var shares []string
		for _, s := range w.Stages {
			text := s.Name + " " + doubted(s.Share, s.Hollow())
			if s.EnergyShare.IsSet() {
				energies = true
				text += " (" + doubted(s.EnergyShare, s.HollowEnergy()) + ")"
			}
			shares = append(shares, terminal.KeepTogether(text))
		}
		if w.NoStages != "" {
			lines = append(lines, terminal.Wrap(strings.Join(names, ", ")+": "+w.NoStages, width))
			continue
		}
		time, energy := w.Together()
		sum := "sum " + digits.Percent(time.Float()) + " of the run"
		if energy.IsSet() {
			sum += " (" + digits.Percent(energy.Float()) + ")"
		}
		lines = append(lines, terminal.Wrap(strings.Join(names, ", ")+": "+strings.Join(shares, ", ")+"; "+terminal.KeepTogether(sum), width))
	}
	if total == 0 {
		return ""
	}
	head := "share of each kernel in time, measured alone"
	if energies {
		head = "share of each kernel in time (energy), measured alone"
	}
	if more := total - mostStagedPoints; more > 0 {
		lines = append(lines, fmt.Sprintf("%s more in %s", terminal.Count(more, "point"), r.file(stagesCSV)))
	}
	return "\n" + head + "\n" + strings.Join(lines, "\n")
}
