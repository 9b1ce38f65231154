package search

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/wisdom"
)

// Taught is what a wisdom file or a run knows of versions at some problems.
type Taught struct {
	Name string
	of   []experience
}

// experience is what is known of a version at one problem: points with their costs or, in a wisdom file, the
// best of each device, which are all alike.
type experience struct {
	algorithm, version string
	processor          framework.Processor
	params             framework.Values
	points             []framework.Values
	costs              []float64
	space              *recorded.Space
}

// Teaches reports whether a path is of a wisdom file or of a run's folder, by its name and its content.
func Teaches(path string) bool {
	info, err := bounded.Stat(path)
	if err != nil || !info.IsDir() {
		return err == nil && strings.HasSuffix(path, ".json")
	}
	has := func(name string) bool {
		_, err := bounded.Stat(filepath.Join(path, name))
		return err == nil
	}
	return has(record.InfoFile) && !has(ReportFile)
}

// OpenTaught reads what a wisdom file or a run's folder knows of an objective.
func OpenTaught(path string, objective Objective) (*Taught, error) {
	t := &Taught{Name: path}
	info, err := bounded.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		err = t.fromRun(path, objective)
	} else {
		err = t.fromWisdom(path, objective)
	}
	if err != nil {
		return nil, err
	}
	if len(t.of) == 0 {
		return nil, fmt.Errorf("%s: nothing in it has tunables and a result for %s", path, objective)
	}
	for i := range t.of {
		if err := t.of[i].record(path); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return t, nil
}

func (t *Taught) fromWisdom(path string, objective Objective) error {
	w, err := wisdom.Open(path)
	if err != nil {
		return err
	}
	for _, e := range w.Entries {
		if e.Objective == string(objective) && !e.Slower() {
			t.at(e.Algorithm, e.Version, e.Processor, e.Params).add(e.Tunables, 1)
		}
	}
	return nil
}

func (t *Taught) fromRun(dir string, objective Objective) error {
	run, err := record.Read(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: no run: %w", dir, err)
	}
	if err != nil {
		return err
	}
	for _, row := range run.Rows {
		cost := map[Objective]record.Number{Time: row.Time.Median, Energy: row.Energy.Get().Total, EDP: row.Energy.Get().EDP}[objective]
		add := func(cost float64) {
			t.at(row.Algorithm, row.Version, row.Processor, row.Params.Values()).add(row.Tunables.Values(), cost)
		}
		switch {
		case row.Tunables.None():
		case row.Status == record.OK && cost.IsSet():
			add(cost.Float())
		case row.Status == record.Failed || row.Status == record.Wrong || row.Status == record.Impossible || row.Status == record.Timeout:
			add(math.NaN())
		}
	}
	// A problem at which nothing ran teaches nothing.
	t.of = slices.DeleteFunc(t.of, func(e experience) bool {
		return !slices.ContainsFunc(e.costs, func(c float64) bool { return !math.IsNaN(c) })
	})
	return nil
}

// at returns the experience of a version at a problem, which it makes if there is none.
func (t *Taught) at(algorithm, version string, processor framework.Processor, params framework.Values) *experience {
	for i := range t.of {
		e := &t.of[i]
		if d, comparable := wisdom.Distance(e.params, params); e.algorithm == algorithm && e.version == version && e.processor == processor && comparable && d == 0 {
			return e
		}
	}
	t.of = append(t.of, experience{algorithm: algorithm, version: version, processor: processor, params: params})
	return &t.of[len(t.of)-1]
}

// add takes in a point. The least cost of a point counts.
func (e *experience) add(tunables framework.Values, cost float64) {
	for i, p := range e.points {
		if d, comparable := wisdom.Distance(p, tunables); comparable && d == 0 {
			if !(e.costs[i] <= cost) {
				e.costs[i] = cost
			}
			return
		}
	}
	e.points, e.costs = append(e.points, tunables), append(e.costs, cost)
}

// record makes the experience's space.
func (e *experience) record(path string) (err error) {
	e.space, err = spaceOf(path+" "+e.algorithm+"_"+e.version, slices.Sorted(maps.Keys(e.points[0])), e.points, e.costs)
	if errors.Is(err, errOtherTunables) || errors.Is(err, errWords) {
		err = fmt.Errorf("%s %s %w", e.algorithm, e.version, err)
	}
	return err
}

// errWords is the error of a run whose tunables include words: it teaches nothing.
var errWords = errors.New("has tunables that are words; what teaches has numbers, or is a recorded space")

var errOtherTunables = errors.New("has other tunables at one point than at another")

// spaceOf returns a recorded space of points with these tunables, which are numbers.
func spaceOf(name string, names []string, points []framework.Values, costs []float64) (*recorded.Space, error) {
	parameters := make([]tuning.Parameter, len(names))
	for d, n := range names {
		parameters[d].Name = n
		for _, p := range points {
			v, ok := p[n]
			if !ok || len(p) != len(names) {
				return nil, errOtherTunables
			}
			if v.Kind() == framework.Text {
				return nil, errWords
			}
			parameters[d].Values = append(parameters[d].Values, v.Float())
		}
		slices.Sort(parameters[d].Values)
		parameters[d].Values = slices.Compact(parameters[d].Values)
	}
	rows := make([][]uint16, len(points))
	for i, p := range points {
		for d, n := range names {
			rows[i] = append(rows[i], uint16(slices.Index(parameters[d].Values, p[n].Float())))
		}
	}
	space, err := tuning.NewSpace(parameters, rows)
	return &recorded.Space{Name: name, Space: space, Costs: costs}, err
}

// lesson returns what is known of a version: for each task, at the nearest problem.
func (t *Taught) lesson(algorithm string, v *framework.Version, tasks []*Task) tuning.Lesson {
	l := tuning.Lesson{Name: t.Name}
	for _, task := range tasks {
		nearest := math.Inf(1)
		var costs []float64
		for _, e := range t.of {
			d, comparable := wisdom.Distance(e.params, task.Base.Params)
			if e.algorithm != algorithm || e.version != v.Name || e.processor != v.Processor || !comparable || d >= nearest {
				continue
			}
			if c := e.space.Lesson([]tuning.Task{{Space: task.Space}}).Costs[0]; c != nil {
				nearest, costs = d, c
			}
		}
		l.Costs = append(l.Costs, costs)
	}
	return l
}

// Spaces returns the spaces of a kernel whose recorded space has that name and these parameters: those of the
// version whose name begins the name, or all with these parameters if there is no such version.
func (t *Taught) Spaces(name string, parameters []tuning.Parameter) (own []*recorded.Space) {
	var all []*recorded.Space
	for _, e := range t.of {
		if len(e.space.Space.Parameters) != len(parameters) || slices.ContainsFunc(e.space.Space.Parameters, func(p tuning.Parameter) bool {
			return !slices.ContainsFunc(parameters, func(q tuning.Parameter) bool { return p.Name == q.Name })
		}) {
			continue
		}
		if all = append(all, e.space); strings.HasPrefix(name, e.algorithm+"_"+e.version+"_") || strings.HasPrefix(name, e.algorithm+"_"+e.version+"-") {
			own = append(own, e.space)
		}
	}
	if own != nil {
		return own
	}
	return all
}
