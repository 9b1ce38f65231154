// Package recorded reads and writes recorded spaces: every point of a space with its result. Manifests
// describe them; transfers compare one with another.
package recorded

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/textfile"
	"example.org/bench/tuning"
)

// The columns of a recorded space that are not parameters, of which the last three may be
// missing, and the values of the second.
const (
	timeColumn    = "time_ms"
	statusColumn  = "status"
	energyColumn  = "energy_J"
	compileColumn = "compile_s"
	runColumn     = "run_s"
	validStatus   = "valid"
	invalidStatus = "invalid"
)

// Space is a space with the outcome of every one of its points.
type Space struct {
	Name  string
	Space *tuning.Space
	// Costs are the points' time_s, NaN where a point is invalid.
	Costs []float64
	// Energies are the points' energy_J, NaN where a point is invalid; nil if unknown.
	Energies []float64
	// Compile is the seconds that compiling each point took, and Run the seconds for which checking and
	// measuring it held the device, 0 for a point that did not get so far; nil if unknown.
	Compile, Run []float64
	// Declared is what a manifest says of the space; nil without.
	Declared *ManifestEntry
	// Notes are what the manifest leaves open, or says otherwise than the file.
	Notes []string
}

// Optimum returns the least cost; ok is false if every point is invalid.
func (r *Space) Optimum() (cost float64, ok bool) {
	cost = math.Inf(1)
	for _, c := range r.Costs {
		if c < cost { // false for NaN
			cost = c
		}
	}
	return cost, !math.IsInf(cost, 1)
}

// Trial returns the outcome of a point.
func (r *Space) Trial(task, point int) tuning.Trial {
	c := r.Costs[point]
	t := tuning.Trial{Task: task, Point: point}
	if !math.IsNaN(c) {
		t.Cost, t.OK = c, true
		if r.Energies != nil {
			t.Second = r.Energies[point]
		}
	}
	if r.Compile != nil {
		t.CompileSeconds, t.RunSeconds = r.Compile[point], r.Run[point]
	}
	return t
}

// ForgetUnknown drops seconds that say nothing: those of a space of which no point was compiled, or none run.
func (r *Space) ForgetUnknown() {
	positive := func(s float64) bool { return s > 0 }
	if !slices.ContainsFunc(r.Compile, positive) || !slices.ContainsFunc(r.Run, positive) {
		r.Compile, r.Run = nil, nil
	}
}

// Shuffled returns the same space with its points in random order, so that a
// search gains nothing from the order of enumeration.
func (r *Space) Shuffled(rnd *rand.Rand) *Space {
	order := rnd.Perm(r.Space.Len())
	s := &Space{Name: r.Name, Space: r.Space.Reordered(order)}
	for _, p := range order {
		s.Costs = append(s.Costs, r.Costs[p])
		if r.Energies != nil {
			s.Energies = append(s.Energies, r.Energies[p])
		}
		if r.Compile != nil {
			s.Compile, s.Run = append(s.Compile, r.Compile[p]), append(s.Run, r.Run[p])
		}
	}
	return s
}

// Open reads a recorded space from a file, gzip or plain. The space's name is the file's without extensions.
// The manifest may be nil. A manifest with other parameters than the file's is an error; other contradictions
// and a missing space are notes.
func Open(path string, m Manifest) (*Space, error) {
	f, err := bounded.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".gz"), ".csv")
	entry := m.entry(name, filepath.Base(path))
	if entry != nil && entry.fault != nil {
		return nil, entry.fault
	}
	r, err := Read(f, name, entry)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, tuning.Brief(err))
	}
	if m != nil && entry == nil {
		r.Notes = append(r.Notes, fmt.Sprintf("%s is not in the manifest, which has %d other spaces; the manifest is not used", name, len(m)))
	}
	return r, nil
}

// Read reads a recorded space: a header; a column of numbers for each parameter, time_ms (empty if invalid)
// and status (valid or invalid), and maybe energy_J (empty if invalid), and compile_s and run_s (empty if
// nothing was compiled, or run); a row for each point. The entry gives parameters and values their declared
// order. Without an entry, parameters are in the order of the columns, and values ascend.
func Read(in io.Reader, name string, entry *ManifestEntry) (*Space, error) {
	rows, err := textfile.NewTable(in, "")
	if err != nil {
		return nil, err
	}
	rows.Reader().ReuseRecord = true
	header, err := rows.Read()
	if err == io.EOF {
		return nil, errors.New("empty: a header of parameters, time_ms and status is needed")
	}
	if err != nil {
		return nil, err
	}
	header = slices.Clone(header)
	at, columns, err := layoutOf(header)
	if err != nil {
		return nil, err
	}
	r := &Space{Name: name}
	var values [][]float64 // one row each
	for {
		row, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		line := rows.Line()
		cost, err := costOf(row[at.time], row[at.status])
		if err == nil {
			err = r.addEnergy(at, row)
		}
		if err == nil {
			err = r.addSeconds(at, row)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if len(values) == tuning.MaxPoints {
			return nil, fmt.Errorf("line %d: more than %d points; that is the most that is read of a space", line, tuning.MaxPoints)
		}
		point := make([]float64, len(columns))
		for d, c := range columns {
			v, err := strconv.ParseFloat(row[c], 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("line %d: %s is %q, no number", line, header[c], row[c])
			}
			point[d] = v + 0 // -0 is 0
		}
		values = append(values, point)
		r.Costs = append(r.Costs, cost)
	}
	if len(values) == 0 {
		return nil, errors.New("no points: a row for each is needed")
	}
	names := make([]string, len(columns))
	for d, c := range columns {
		names[d] = header[c]
	}
	if entry == nil {
		r.Space, err = spaceOf(names, values, nil)
		return r, err
	}
	r.Declared = entry
	note, err := entry.parametersOf(names)
	if err != nil {
		return nil, err
	}
	if note != "" {
		r.Notes = append(r.Notes, note)
	}
	if entry.Remark != "" {
		r.Notes = append(r.Notes, fmt.Sprintf("the manifest has a remark in the place of constraints, %.80q: none are known", entry.Remark))
	}
	if r.Space, err = spaceOf(names, values, entry); err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, entry.contradictions(r)...)
	return r, nil
}

// layout is the places of the columns that are not parameters; -1 for none.
type layout struct{ time, status, energy, compile, run int }

// addEnergy takes in a row's energy.
func (r *Space) addEnergy(at layout, row []string) error {
	if at.energy < 0 {
		return nil
	}
	joules := math.NaN()
	if row[at.status] == validStatus {
		var err error
		if joules, err = strconv.ParseFloat(row[at.energy], 64); err != nil || !(joules > 0) || math.IsInf(joules, 0) {
			return fmt.Errorf("%s of a valid point is %q, not a positive number", energyColumn, row[at.energy])
		}
	}
	r.Energies = append(r.Energies, joules)
	return nil
}

// addSeconds takes in a row's seconds.
func (r *Space) addSeconds(at layout, row []string) error {
	if at.compile < 0 {
		return nil
	}
	for _, c := range []struct {
		name, text string
		list       *[]float64
	}{{compileColumn, row[at.compile], &r.Compile}, {runColumn, row[at.run], &r.Run}} {
		s, err := 0.0, error(nil)
		if c.text != "" {
			s, err = strconv.ParseFloat(c.text, 64)
		}
		if err != nil || !(s >= 0 && s <= mostSeconds) {
			return fmt.Errorf("%s is %q, not the seconds that it took", c.name, c.text)
		}
		*c.list = append(*c.list, s)
	}
	return nil
}

// mostSeconds is a year.
const mostSeconds = 366 * 24 * 3600

// layoutOf finds the columns.
func layoutOf(header []string) (at layout, parameters []int, err error) {
	at = layout{-1, -1, -1, -1, -1}
	for i, name := range header {
		switch {
		case name == "":
			return at, nil, fmt.Errorf("column %d has no name", i+1)
		case slices.Index(header, name) != i:
			return at, nil, fmt.Errorf("two columns are named %q", name)
		case name == timeColumn:
			at.time = i
		case name == statusColumn:
			at.status = i
		case name == energyColumn:
			at.energy = i
		case name == compileColumn:
			at.compile = i
		case name == runColumn:
			at.run = i
		default:
			parameters = append(parameters, i)
		}
	}
	switch {
	case at.time < 0:
		return at, nil, fmt.Errorf("no column %s among %s", timeColumn, strings.Join(header, ", "))
	case (at.compile < 0) != (at.run < 0):
		return at, nil, fmt.Errorf("of the columns %s and %s there is only one: both, or none", compileColumn, runColumn)
	case at.status < 0:
		return at, nil, fmt.Errorf("no column %s among %s", statusColumn, strings.Join(header, ", "))
	case len(parameters) == 0:
		return at, nil, errors.New("no column of a parameter")
	}
	return at, parameters, nil
}

// costOf returns a row's time in seconds; NaN for an invalid row.
func costOf(time, status string) (float64, error) {
	switch status {
	case invalidStatus:
		return math.NaN(), nil
	case validStatus:
		ms, err := strconv.ParseFloat(time, 64)
		if err != nil || !(ms > 0) || math.IsInf(ms, 0) {
			return 0, fmt.Errorf("%s of a valid point is %q, not a positive number", timeColumn, time)
		}
		if err := framework.CheckSeconds(ms / 1e3); err != nil {
			return 0, fmt.Errorf("%s of a valid point %w", timeColumn, err)
		}
		return ms / 1e3, nil
	}
	return 0, fmt.Errorf("%s is %q, neither %s nor %s", statusColumn, status, validStatus, invalidStatus)
}

// spaceOf makes a space from rows of values.
func spaceOf(names []string, rows [][]float64, entry *ManifestEntry) (*tuning.Space, error) {
	parameters := make([]tuning.Parameter, len(names))
	index := make([]map[float64]uint16, len(names))
	for d, name := range names {
		values, err := entry.values(name)
		if err != nil {
			return nil, err
		}
		if values == nil {
			for _, row := range rows {
				values = append(values, row[d])
			}
			slices.Sort(values)
			values = slices.Compact(values)
		}
		if len(values) > math.MaxUint16+1 {
			return nil, fmt.Errorf("%s has %d values; at most %d are supported", name, len(values), math.MaxUint16+1)
		}
		parameters[d] = tuning.Parameter{Name: name, Values: values}
		index[d] = make(map[float64]uint16, len(values))
		for i, v := range values {
			index[d][v] = uint16(i)
		}
	}
	points := make([][]uint16, len(rows))
	for i, row := range rows {
		points[i] = make([]uint16, len(row))
		for d, v := range row {
			at, ok := index[d][v]
			if !ok {
				return nil, fmt.Errorf("point %d: %s is %v, which the manifest does not list", i, names[d], v)
			}
			points[i][d] = at
		}
	}
	return tuning.NewSpace(parameters, points)
}
