package report

import (
	"fmt"

	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
	"example.org/bench/tuning/search"
)

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
		t.add(-1, word(name), cell{estimate(p.Time, "s"), p.Time.Value}, cell{estimate(p.Energy, "J"), p.Energy.Value}, word(search.Setting(p.PowerMode, p.Tunables)))
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
