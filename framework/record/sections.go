package record

import (
	"fmt"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/internal/textfile"
)

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

// csvFile is one of the files: the head, which all have, and its own sections.
type csvFile struct {
	kind     string
	sections []section
}

// head returns the sections that every file begins with.
func (c Columns) head() []section {
	return []section{
		fields[Key]{"", func(w *Row) *Key { return &w.Key }},
		values{c.Params, func(w *Row) *framework.Settings { return &w.Params }},
		values{c.Tunables, func(w *Row) *framework.Settings { return &w.Tunables }},
		fields[Outcome]{"", func(w *Row) *Outcome { return &w.Outcome }},
	}
}

// files returns the five files, in the order in which they are written and read.
func (c Columns) files() []csvFile {
	var temperatures, power, energy numbers
	for _, sensor := range c.Temperatures {
		before, after := temperatureColumns(sensor)
		temperatures = append(temperatures,
			reading(before, sensor, func(w *Row) *map[string]float64 { return &w.TemperatureBefore }),
			reading(after, sensor, func(w *Row) *map[string]float64 { return &w.TemperatureAfter }))
	}
	for _, c := range c.Rails {
		power = append(power,
			c.measured("_power_W", func(r *Rail) *Number { return &r.Power }),
			number{c.Column + "_power_uncertainty_W", func(w *Row) Number {
				return w.Rails[c.Column].Uncertainty.over(w.Energy.Get().RunTime)
			}, nil},
			c.measured("_idle_W", func(r *Rail) *Number { return &r.Idle }))
		energy = append(energy,
			c.measured("_energy_J", func(r *Rail) *Number { return &r.Energy }),
			c.measured("_uncertainty_J", func(r *Rail) *Number { return &r.Uncertainty }),
			c.measured("_combined_uncertainty_J", func(r *Rail) *Number { return &r.Combined }),
			number{c.Column + "_energy_above_idle_J", func(w *Row) Number {
				rail := w.Rails[c.Column]
				return rail.Energy.minus(rail.Idle.times(w.Energy.Get().RunTime.value()))
			}, nil})
	}
	return []csvFile{
		{timeCSV, []section{
			fields[Statistics]{"", func(w *Row) *Statistics { return &w.Time }},
			rare[Statistics]{hotPrefix, func(w *Row) *Rare[Statistics] { return &w.Hot }},
			fields[Timing]{"", func(w *Row) *Timing { return &w.Timing }},
			fields[Verification]{"", func(w *Row) *Verification { return &w.Verification }},
			fields[Conditions]{"", func(w *Row) *Conditions { return &w.Conditions }},
			rare[Neighbours]{"", func(w *Row) *Rare[Neighbours] { return &w.Neighbours }},
			temperatures, stateTexts(c.State)}},
		{flopsCSV, []section{fields[WorkRates]{"", func(w *Row) *WorkRates { return &w.Work }}}},
		{bytesCSV, []section{fields[MemoryRates]{"", func(w *Row) *MemoryRates { return &w.Memory }}}},
		{powerCSV, []section{rare[Power]{"", func(w *Row) *Rare[Power] { return &w.Power }}, power}},
		{energyCSV, []section{rare[Energy]{"", func(w *Row) *Rare[Energy] { return &w.Energy }}, energy}},
	}
}

// A section is consecutive columns, written from rows and read back.
type section interface {
	write(t *table, rows []Row) error
	// reader reads the section's cells of a file with that header.
	reader(header []string) (rowsReader, error)
}

// rowsReader puts a file's cells into as many rows. It keeps none of them, but copies. An
// error is of the row of that index.
type rowsReader func(cells [][]string, rows []Row) (at int, err error)

// eachRow returns a rowsReader of what reads one row.
func eachRow(read func(cells []string, w *Row) error) rowsReader {
	return func(cells [][]string, rows []Row) (int, error) {
		for i := range rows {
			if err := read(cells[i], &rows[i]); err != nil {
				return i, err
			}
		}
		return 0, nil
	}
}

// fields is a struct of a row, one column per field; prefix precedes their
// names.
type fields[T any] struct {
	prefix string
	of     func(*Row) *T
}

func (s fields[T]) write(t *table, rows []Row) error {
	list := make([]*T, len(rows))
	for i := range rows {
		list[i] = s.of(&rows[i])
	}
	return addStructs(t, s.prefix, list)
}

func (s fields[T]) reader(header []string) (rowsReader, error) {
	structs, err := readStructs[T](header, s.prefix)
	return func(cells [][]string, rows []Row) (int, error) {
		list, at, err := structs.read(cells)
		if err != nil {
			return at, err
		}
		for i := range rows {
			if list[i] != nil {
				*s.of(&rows[i]) = *list[i]
			}
		}
		return 0, nil
	}, err
}

// rare is fields of a Rare.
type rare[T comparable] struct {
	prefix string
	of     func(*Row) *Rare[T]
}

func (s rare[T]) write(t *table, rows []Row) error {
	list := make([]*T, len(rows))
	for i := range rows {
		list[i] = s.of(&rows[i]).of
	}
	return addStructs(t, s.prefix, list)
}

func (s rare[T]) reader(header []string) (rowsReader, error) {
	structs, err := readStructs[T](header, s.prefix)
	var last Rare[T] // consecutive rows share what is the same
	return func(cells [][]string, rows []Row) (int, error) {
		list, at, err := structs.read(cells)
		if err != nil {
			return at, err
		}
		for i := range rows {
			if list[i] == nil {
				continue
			}
			if last.Get() != *list[i] {
				last = Rare[T]{list[i]}
			}
			*s.of(&rows[i]) = last
		}
		return 0, nil
	}, err
}

// values are parameters or tunables.
type values struct {
	columns []Column
	of      func(*Row) *framework.Settings
}

func (s values) write(t *table, rows []Row) error {
	for _, c := range s.columns {
		t.addColumn(c.Column, c.cells(), func(i int) string { return s.of(&rows[i]).Get(c.Name).String() })
	}
	return nil
}

func (s values) reader(header []string) (rowsReader, error) {
	at := make([]int, len(s.columns))
	for i, c := range s.columns {
		if at[i] = slices.Index(header, c.Column); at[i] < 0 {
			return nil, fmt.Errorf("column %s of %s is missing", c.Column, InfoFile)
		}
	}
	names, known := columnNames(s.columns), textfile.Texts{}
	var room []framework.Value // of many rows
	return eachRow(func(cells []string, w *Row) error {
		if len(room) < len(at) {
			room = make([]framework.Value, 64*len(at))
		}
		values := room[:len(at):len(at)]
		any := false
		for i, c := range s.columns {
			v, err := c.parse(cells[at[i]], known)
			if err != nil {
				return err
			}
			values[i], any = v, any || v.IsSet()
		}
		if any {
			*s.of(w), room = framework.NewSettings(names, values), room[len(at):]
		}
		return nil
	}), nil
}

// numbers are columns of Numbers.
type numbers []number

// number is one of them; set is nil where the column follows from others.
type number struct {
	column string
	get    func(*Row) Number
	set    func(*Row, Number)
}

// reading returns the column of a sensor's temperature, or of a clock.
func reading(column, sensor string, of func(*Row) *map[string]float64) number {
	return number{column,
		func(w *Row) Number {
			x, ok := (*of(w))[sensor]
			if !ok {
				return Number{}
			}
			return Measured(x)
		},
		func(w *Row, x Number) { put(of(w), sensor, x.Float()) }}
}

// measured returns the rail's column with that suffix.
func (c RailColumn) measured(suffix string, of func(*Rail) *Number) number {
	return number{c.Column + suffix,
		func(w *Row) Number {
			rail := w.Rails[c.Column]
			return *of(&rail)
		},
		func(w *Row, x Number) {
			rail := w.Rails[c.Column]
			*of(&rail) = x
			put(&w.Rails, c.Column, rail)
		}}
}

func (s numbers) write(t *table, rows []Row) error {
	for _, c := range s {
		t.addColumn(c.column, FloatCell, func(i int) string {
			cell, _ := c.get(&rows[i]).MarshalCSV() // has no error
			return cell
		})
	}
	return nil
}

func (s numbers) reader(header []string) (rowsReader, error) {
	at := make([]int, len(s))
	for i, c := range s {
		at[i] = slices.Index(header, c.column)
	}
	return eachRow(func(cells []string, w *Row) error {
		for i, c := range s {
			if c.set == nil || at[i] < 0 {
				continue
			}
			var x Number
			if err := x.UnmarshalCSV(cells[at[i]]); err != nil {
				return fmt.Errorf("column %s: %w", c.column, err)
			}
			if x.IsSet() {
				c.set(w, x)
			}
		}
		return nil
	}), nil
}

// put sets an entry of a map that may not be there yet.
func put[M ~map[K]V, K comparable, V any](m *M, key K, v V) {
	if *m == nil {
		*m = M{}
	}
	(*m)[key] = v
}

func temperatureColumns(sensor string) (before, after string) {
	id := "temperature_" + identifier(sensor)
	return id + "_before_degC", id + "_after_degC"
}

// fixedColumns returns the columns that every run's files have.
func fixedColumns() (names []string) {
	t := newTable(0)
	for _, f := range append((Columns{}).files(), Columns{}.rateFile(), Columns{}.counterFile()) {
		if err := t.add(append(Columns{}.head(), f.sections...), nil); err != nil {
			panic(err) // of a struct of this package
		}
	}
	if err := addStructs[Stage](t, "", nil); err != nil {
		panic(err)
	}
	return t.header
}
