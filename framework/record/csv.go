package record

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gocarina/gocsv"

	"bench/framework/safefile"
)

// A table is a CSV file in memory: a header and rows of as many cells.
// It is put together from sections: structs by gocsv, and the columns that
// depend on the run.
type table struct {
	header []string
	rows   [][]string
}

func newTable(rows int) *table { return &table{rows: make([][]string, rows)} }

// lines lets gocsv write into a table.
type lines struct{ all [][]string }

func (l *lines) Write(row []string) error {
	l.all = append(l.all, append([]string(nil), row...))
	return nil
}
func (l *lines) Flush()       {}
func (l *lines) Error() error { return nil }

// addStructs appends one section of columns, as gocsv writes the structs, one
// a row; prefix goes before each column's name.
func addStructs[T any](t *table, prefix string, structs []T) error {
	var l lines
	if err := gocsv.MarshalCSV(structs, &l); err != nil {
		return err
	}
	for _, name := range l.all[0] {
		t.header = append(t.header, prefix+name)
	}
	for i, cells := range l.all[1:] {
		t.rows[i] = append(t.rows[i], cells...)
	}
	return nil
}

// structs reads a section back.
func structs[T any](t *table, prefix string) ([]T, error) {
	var s section
	var at []int
	var header []string
	for i, name := range t.header {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			at, header = append(at, i), append(header, rest)
		}
	}
	s.all = append(s.all, header)
	for _, row := range t.rows {
		cells := make([]string, len(at))
		for i, j := range at {
			cells[i] = row[j]
		}
		s.all = append(s.all, cells)
	}
	var out []T
	err := gocsv.UnmarshalCSV(&s, &out)
	return out, err
}

// section lets gocsv read from a table.
type section struct{ all [][]string }

func (s *section) ReadAll() ([][]string, error) { return s.all, nil }
func (s *section) Read() ([]string, error) {
	if len(s.all) == 0 {
		return nil, io.EOF
	}
	row := s.all[0]
	s.all = s.all[1:]
	return row, nil
}

// addColumn appends one column.
func (t *table) addColumn(name string, cell func(row int) string) {
	t.header = append(t.header, name)
	for i := range t.rows {
		t.rows[i] = append(t.rows[i], cell(i))
	}
}

// addNumbers appends one column of Numbers.
func (t *table) addNumbers(name string, number func(row int) Number) {
	t.addColumn(name, func(i int) string {
		s, _ := number(i).MarshalCSV() // has no error
		return s
	})
}

// column is the place of a column; -1 where there is none.
func (t *table) column(name string) int {
	for i, h := range t.header {
		if h == name {
			return i
		}
	}
	return -1
}

// numbers reads a column of Numbers; none where the file lacks it.
func (t *table) numbers(name string) ([]Number, error) {
	out := make([]Number, len(t.rows))
	at := t.column(name)
	if at < 0 {
		return out, nil
	}
	for i, row := range t.rows {
		if err := out[i].UnmarshalCSV(row[at]); err != nil {
			return nil, fmt.Errorf("line %d, column %s: %w", i+2, name, err)
		}
	}
	return out, nil
}

func (t *table) write(path string) error {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(t.header); err != nil {
		return err
	}
	if err := w.WriteAll(t.rows); err != nil {
		return err
	}
	return safefile.Write(path, &b)
}

func readTable(path string) (*table, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w", path, errors.New("empty file, want a header line"))
	}
	return &table{all[0], all[1:]}, nil
}

// The five CSV files of a run; a file's name is the run's prefix, an
// underscore and the kind.
const (
	timeCSV   = "time.csv"
	flopsCSV  = "flops.csv"
	bytesCSV  = "loadstoresize.csv"
	powerCSV  = "power.csv"
	energyCSV = "energy.csv"
)

const hotPrefix = "hot_"

func each[T any](rows []Row, f func(*Row) T) []T {
	out := make([]T, len(rows))
	for i := range rows {
		out[i] = f(&rows[i])
	}
	return out
}

// tables makes the five files' contents.
func (r *Run) tables() (map[string]*table, error) {
	files := map[string]*table{}
	var err error
	begin := func(kind string) *table {
		t := newTable(len(r.Rows))
		files[kind] = t
		err = errors.Join(err, addStructs(t, "", each(r.Rows, func(w *Row) Key { return w.Key })))
		for _, c := range r.Columns.Params {
			t.addColumn(c.Column, func(i int) string { return r.Rows[i].Params[c.Name].String() })
		}
		for _, c := range r.Columns.Tunables {
			t.addColumn(c.Column, func(i int) string { return r.Rows[i].Tunables[c.Name].String() })
		}
		err = errors.Join(err, addStructs(t, "", each(r.Rows, func(w *Row) Outcome { return w.Outcome })))
		return t
	}
	t := begin(timeCSV)
	err = errors.Join(err,
		addStructs(t, "", each(r.Rows, func(w *Row) Statistics { return w.Time })),
		addStructs(t, hotPrefix, each(r.Rows, func(w *Row) Statistics { return w.Hot })),
		addStructs(t, "", each(r.Rows, func(w *Row) Verification { return w.Verification })))
	for _, name := range r.Columns.Temperatures {
		before, after := temperatureColumns(name)
		t.addNumbers(before, func(i int) Number { return named(r.Rows[i].TemperatureBefore, name) })
		t.addNumbers(after, func(i int) Number { return named(r.Rows[i].TemperatureAfter, name) })
	}
	err = errors.Join(err,
		addStructs(begin(flopsCSV), "", each(r.Rows, func(w *Row) WorkRates { return w.Work })),
		addStructs(begin(bytesCSV), "", each(r.Rows, func(w *Row) MemoryRates { return w.Memory })))
	t = begin(powerCSV)
	err = errors.Join(err, addStructs(t, "", each(r.Rows, func(w *Row) Power { return w.Power })))
	for _, c := range r.Columns.Rails {
		t.addNumbers(c.Column+"_power_W", func(i int) Number { return r.Rows[i].Rails[c.Column].Power })
		t.addNumbers(c.Column+"_power_uncertainty_W", func(i int) Number {
			return r.Rows[i].Rails[c.Column].Uncertainty.over(r.Rows[i].Energy.RunTime)
		})
		t.addNumbers(c.Column+"_idle_W", func(i int) Number { return r.Rows[i].Rails[c.Column].Idle })
	}
	t = begin(energyCSV)
	err = errors.Join(err, addStructs(t, "", each(r.Rows, func(w *Row) Energy { return w.Energy })))
	for _, c := range r.Columns.Rails {
		t.addNumbers(c.Column+"_energy_J", func(i int) Number { return r.Rows[i].Rails[c.Column].Energy })
		t.addNumbers(c.Column+"_uncertainty_J", func(i int) Number { return r.Rows[i].Rails[c.Column].Uncertainty })
		t.addNumbers(c.Column+"_energy_above_idle_J", func(i int) Number {
			rail := r.Rows[i].Rails[c.Column]
			return rail.Energy.minus(rail.Idle.times(r.Rows[i].Energy.RunTime.value))
		})
	}
	return files, err
}

func temperatureColumns(sensor string) (before, after string) {
	id := "temperature_" + identifier(sensor)
	return id + "_before_degC", id + "_after_degC"
}

func named(m map[string]float64, name string) Number {
	x, ok := m[name]
	if !ok {
		return Number{}
	}
	return Measured(x)
}

// fixedColumns are the columns that every run's files have.
func fixedColumns() []string {
	files, err := (&Run{}).tables()
	if err != nil {
		panic(err) // gocsv refuses one of the structs above
	}
	var names []string
	for _, t := range files {
		names = append(names, t.header...)
	}
	return names
}

// readRows puts the rows together from the five files.
func (r *Run) readRows(files map[string]*table) error {
	first := files[timeCSV]
	r.Rows = make([]Row, len(first.rows))
	for _, kind := range []string{timeCSV, flopsCSV, bytesCSV, powerCSV, energyCSV} {
		name, t := r.file(kind), files[kind]
		if !samePoints(first, t) {
			return fmt.Errorf("%s and %s are not of one run: their points differ", r.file(timeCSV), name)
		}
		if err := r.readFile(kind, t); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func samePoints(a, b *table) bool {
	i, j := a.column("point"), b.column("point")
	if i < 0 || j < 0 || len(a.rows) != len(b.rows) {
		return false
	}
	for row := range a.rows {
		if a.rows[row][i] != b.rows[row][j] {
			return false
		}
	}
	return true
}

func (r *Run) readFile(kind string, t *table) error {
	switch kind {
	case timeCSV:
		return errors.Join(
			setAll(r, t, "", func(w *Row, s Key) { w.Key = s }),
			setAll(r, t, "", func(w *Row, s Outcome) { w.Outcome = s }),
			setAll(r, t, "", func(w *Row, s Statistics) { w.Time = s }),
			setAll(r, t, hotPrefix, func(w *Row, s Statistics) { w.Hot = s }),
			setAll(r, t, "", func(w *Row, s Verification) { w.Verification = s }),
			r.readSettings(t), r.readTemperatures(t))
	case flopsCSV:
		return setAll(r, t, "", func(w *Row, s WorkRates) { w.Work = s })
	case bytesCSV:
		return setAll(r, t, "", func(w *Row, s MemoryRates) { w.Memory = s })
	case powerCSV:
		return errors.Join(
			setAll(r, t, "", func(w *Row, s Power) { w.Power = s }),
			r.readRails(t, "_power_W", func(rail *Rail, x Number) { rail.Power = x }),
			r.readRails(t, "_idle_W", func(rail *Rail, x Number) { rail.Idle = x }))
	}
	return errors.Join(
		setAll(r, t, "", func(w *Row, s Energy) { w.Energy = s }),
		r.readRails(t, "_energy_J", func(rail *Rail, x Number) { rail.Energy = x }),
		r.readRails(t, "_uncertainty_J", func(rail *Rail, x Number) { rail.Uncertainty = x }))
}

func setAll[T any](r *Run, t *table, prefix string, set func(*Row, T)) error {
	s, err := structs[T](t, prefix)
	if err != nil {
		return err
	}
	for i := range s {
		set(&r.Rows[i], s[i])
	}
	return nil
}
