package recorded

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/bench/internal/safefile"
	"example.org/bench/tuning"
)

// Transfer is the performance of one GPU's best configuration on another, as in Tables 2 and 3 of "Iterative
// Machine Learning (IterML) for Effective Parameter Pruning and Tuning in Accelerators".
type Transfer struct {
	From       string    `json:"from"`       // space whose best is taken
	To         string    `json:"to"`         // space where it is tried
	Parameters []string  `json:"parameters"` // names
	Settings   []float64 `json:"settings"`   // the best of "from", in that order
	// Words are what settings stand for, by parameter, if these are words.
	Words       map[string]string `json:"words,omitempty"`
	Performance float64           `json:"performance"` // least time on "to" divided by the time of the settings there; 0: they cannot run
	Missing     bool              `json:"missing"`     // true: "to" has not measured them
}

// Transfers compares every space's best with every other space. The spaces must have the same parameters.
// Only points measured in both count.
func Transfers(spaces []*Space) ([]Transfer, error) {
	if len(spaces) < 2 {
		return nil, errors.New("a transfer needs two recorded spaces or more")
	}
	names := parameterNames(spaces[0].Space)
	for _, r := range spaces[1:] {
		if !slices.Equal(parameterNames(r.Space), names) {
			return nil, otherKernel(spaces[0], r)
		}
	}
	var all []Transfer
	for i, from := range spaces {
		best := from.best()
		if best < 0 {
			return nil, noValidPoint(from)
		}
		settings := make([]float64, len(names))
		for d := range names {
			settings[d] = from.Space.Value(best, d)
		}
		for j, to := range spaces {
			if i == j {
				continue
			}
			t := Transfer{From: from.Name, To: to.Name, Parameters: names, Settings: settings, Words: from.words(best)}
			optimum, ok := to.Optimum()
			if !ok {
				return nil, noValidPoint(to)
			}
			switch p := to.Space.FindValues(settings); {
			case p < 0:
				t.Missing = true
			case !math.IsNaN(to.Costs[p]):
				t.Performance = optimum / to.Costs[p]
			}
			all = append(all, t)
		}
	}
	return all, nil
}

// Check refuses spaces that are not the sizes of one kernel's search, in any order of their parameters, and a
// space without an optimum.
func Check(spaces []*Space) error {
	for _, r := range spaces {
		if !slices.Equal(slices.Sorted(slices.Values(parameterNames(r.Space))), slices.Sorted(slices.Values(parameterNames(spaces[0].Space)))) {
			return otherKernel(spaces[0], r)
		}
		if _, ok := r.Optimum(); !ok {
			return noValidPoint(r)
		}
	}
	return nil
}

func otherKernel(a, b *Space) error {
	return fmt.Errorf("%s has the parameters %v, %s has %v: spaces of one kernel are needed", a.Name, parameterNames(a.Space), b.Name, parameterNames(b.Space))
}

func noValidPoint(r *Space) error { return fmt.Errorf("%s: no point is valid", r.Name) }

func parameterNames(s *tuning.Space) []string {
	var names []string
	for _, p := range s.Parameters {
		names = append(names, p.Name)
	}
	return names
}

// best returns the point of least cost; -1 if none is valid.
func (r *Space) best() int {
	best := -1
	for i, c := range r.Costs {
		if !math.IsNaN(c) && (best < 0 || c < r.Costs[best]) {
			best = i
		}
	}
	return best
}

// Text returns a transfer's performance in the form of the published tables.
func (t Transfer) Text() string {
	switch {
	case t.Missing:
		return "not measured there"
	case t.Performance == 0:
		return "does not run"
	}
	return strconv.FormatFloat(t.Performance, 'f', 3, 64)
}

// WriteTransfers writes transfer.csv: from, to, a column per parameter, and performance, which is empty if it
// was not measured and 0 if the settings cannot run.
func WriteTransfers(all []Transfer, dir string) error {
	var names []string
	for _, t := range all {
		for _, n := range t.Parameters {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	table := [][]string{slices.Concat([]string{"from", "to"}, names, []string{"performance"})}
	for _, t := range all {
		row := make([]string, len(names)+3)
		row[0], row[1] = t.From, t.To
		for i, v := range t.Settings {
			row[2+slices.Index(names, t.Parameters[i])] = setting(t.Words, t.Parameters[i], v)
		}
		if !t.Missing {
			row[len(row)-1] = strconv.FormatFloat(t.Performance, 'g', 6, 64)
		}
		table = append(table, row)
	}
	var out bytes.Buffer
	if err := csv.NewWriter(&out).WriteAll(table); err != nil {
		return err
	}
	d, err := safefile.MakeFolder(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Write("transfer.csv", &out)
}

// setting returns a parameter's value in words.
func setting(words map[string]string, parameter string, v float64) string {
	if w, ok := words[parameter]; ok {
		return w
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Setting returns the i-th setting in words.
func (t Transfer) Setting(i int) string { return setting(t.Words, t.Parameters[i], t.Settings[i]) }

// Setting returns the i-th setting in words.
func (f Forecast) Setting(i int) string { return setting(f.Words, f.Parameters[i], f.Settings[i]) }
