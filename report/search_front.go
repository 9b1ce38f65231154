package report

import (
	"fmt"

	"example.org/bench/framework/record"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/tuning/search"
)

// frontFigure shows what a search for the front of time and energy found at a sweep point:
// its trials, the front and the defaults.
func frontFigure(title string, f *search.FrontReport, rows []search.Row) Figure {
	figure := Figure{Title: title, Group: "front of time and energy", Note: "The front is what no other choice beats by both, " + measuredHow(f) + "; trials are measured briefly.",
		X: Axis{Title: "time of one run", Unit: "s"}, Y: Axis{Title: "energy of one run", Unit: "J"}}
	trials := Series{Name: "trials", Mark: MarkPoints, Colour: 2}
	for _, row := range rows {
		if row.Status == record.OK && row.Energy > 0 {
			trials.X, trials.Y = append(trials.X, row.Time), append(trials.Y, row.Energy)
		}
	}
	front := Series{Name: "front", Mark: MarkLine, Colour: 0}
	for _, p := range f.Points {
		front.X, front.Y = append(front.X, p.Time.Value), append(front.Y, p.Energy.Value)
		front.Label = append(front.Label, tunables(p.PowerMode, p.Tunables))
	}
	figure.Series = []Series{trials, front}
	if d := f.Defaults; d != nil {
		figure.Series = append(figure.Series, Series{Name: "defaults", Mark: MarkPoints, Colour: 1, X: Reals{d.Time.Value}, Y: Reals{d.Energy.Value}, Label: []string{tunables(d.PowerMode, d.Tunables)}})
	}
	return figure
}

func measuredHow(f *search.FrontReport) string {
	if f.Again {
		return "measured again at length"
	}
	return "as the trials have it"
}

func newFronts() *Table {
	return &Table{Title: "fronts of time and energy", Head: []Head{{"sweep point", false}, {"time", true}, {"energy", true}, {"tunables", false}}}
}

func addFront(t *Table, title string, f *search.FrontReport) {
	add := func(name string, p search.FrontPoint) {
		t.add(-1, word(name), cell{estimate(p.Time, "s"), p.Time.Value}, cell{estimate(p.Energy, "J"), p.Energy.Value}, word(tunables(p.PowerMode, p.Tunables)))
	}
	for _, p := range f.Points {
		add(title, p)
	}
	if f.Defaults != nil {
		add(title+", defaults", *f.Defaults)
	}
}

// frontVerdict says what the search found at a sweep point.
func frontVerdict(name string, t search.TaskReport) string {
	f := t.Front
	ends := fmt.Sprintf("the fastest takes %s and %s", estimate(f.Points[0].Time, "s"), estimate(f.Points[0].Energy, "J"))
	if last := f.Points[len(f.Points)-1]; len(f.Points) > 1 {
		ends += fmt.Sprintf(", the one of the least energy %s and %s", estimate(last.Time, "s"), estimate(last.Energy, "J"))
	}
	return fmt.Sprintf("%s: of %s %s on the front of time and energy, %s: %s. Hypervolume %s against %s and %s.", name, terminal.Count(t.Evaluations, "evaluation"),
		map[bool]string{true: "one is", false: fmt.Sprintf("%d are", len(f.Points))}[len(f.Points) == 1], measuredHow(f), ends,
		digits.Scaled(f.Hypervolume, "J·s"), digits.Scaled(f.ReferenceTime, "s"), digits.Scaled(f.ReferenceEnergy, "J"))
}
