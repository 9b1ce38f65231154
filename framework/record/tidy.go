package record

import (
	"cmp"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"time"

	"example.org/bench/framework"
)

// CellKind is what a column's cells hold.
type CellKind int

// The kinds of cells. An empty cell is none of them: nothing was measured.
const (
	TextCell CellKind = iota
	IntCell
	FloatCell // as strconv reads it, NaN and infinities, too
	BoolCell  // true or false
)

// Tidy is a run as one table, a row a point: the columns of its CSV files, each
// once, and Origin.
type Tidy struct {
	Columns []TidyColumn
	// Pieces are the rows' cells by column, some rows at a time: of all at once the texts
	// would be many times the run.
	Pieces iter.Seq2[[][]string, error]
}

// tidyRows is how many rows a piece has.
const tidyRows = 2000

// TidyColumn is a column's name and what its cells hold.
type TidyColumn struct {
	Name string
	Kind CellKind
}

// Origin is what distinguishes rows of several runs.
type Origin struct {
	Run        string `csv:"run" doc:"the run's folder, without those above it"`
	Machine    string `csv:"machine" doc:"the machine's name (--name), or its board's; empty if it has neither"`
	DeviceName string `csv:"device_name" doc:"name of the GPU, or of the CPU"`
	Driver     string `csv:"driver" doc:"version of the GPU's driver; empty on a CPU"`
	Tool       string `csv:"tool" doc:"version of bench; empty for what was published elsewhere"`
	Started    string `csv:"started" doc:"when the run began (RFC 3339, UTC)"`
	RelativeTo string `csv:"relative_to" doc:"version whose time is the unit of every time, where a publication gives speed-ups alone; empty: seconds"`
}

// Tidy makes the table of a run of that name.
func (r *Run) Tidy(name string) (*Tidy, error) {
	sections := r.Columns.head()
	for _, f := range r.Columns.files() {
		sections = append(sections, f.sections...)
	}
	if slices.ContainsFunc(r.Rows, func(w Row) bool { return w.Rate.Get().IsSet() }) {
		sections = append(sections, r.Columns.rateFile().sections...)
	}
	if r.counted() {
		sections = append(sections, r.Columns.counterFile().sections...)
	}
	return r.tidy(name, sections, nil)
}

// tidy makes a table of these sections and Origin. Of a long table each row comes once for each of its values.
func (r *Run) tidy(name string, sections []section, long *longTable) (*Tidy, error) {
	piece := func(rows []Row) (*table, error) {
		t := newTable(len(rows))
		if err := t.add(sections, rows); err != nil {
			return nil, fmt.Errorf("the table of %s: %w", name, err)
		}
		origins := make([]*Origin, len(rows))
		for i := range rows {
			origin := r.Origin(name, &rows[i])
			origins[i] = &origin
		}
		if err := addStructs(t, "", origins); err != nil {
			return nil, fmt.Errorf("the table of %s: %w", name, err)
		}
		return t, nil
	}
	t, err := piece(nil)
	if err != nil {
		return nil, err
	}
	out := &Tidy{Pieces: func(yield func([][]string, error) bool) {
		for rows := range slices.Chunk(r.Rows, tidyRows) {
			t, err := piece(rows)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(long.rows(t.rows, rows), nil) {
				return
			}
		}
	}}
	taken := map[string]bool{}
	for i, column := range t.header {
		// A parameter may be called as Origin's columns are, and a channel's column as
		// one of the sum.
		unique := column
		for n := 2; taken[unique]; n++ {
			unique = fmt.Sprintf("%s_%d", column, n)
		}
		taken[unique] = true
		out.Columns = append(out.Columns, TidyColumn{unique, t.kinds[i]})
	}
	out.Columns = append(out.Columns, long.columns(taken)...)
	return out, nil
}

// Origin returns the origin of a row of a run with that name.
func (r *Run) Origin(name string, w *Row) Origin {
	o := Origin{Run: name, Machine: cmp.Or(r.Info.Name, r.Info.Machine.Board), DeviceName: r.Info.Machine.CPU, RelativeTo: r.Info.RelativeTo}
	if !r.Info.Started.IsZero() {
		o.Started = r.Info.Started.UTC().Format(time.RFC3339)
	}
	if r.Info.Tool != (Tool{}) {
		o.Tool = r.Info.Tool.String()
	}
	for _, d := range r.Info.Devices {
		if d.ID != w.Device || d.PowerMode != "" && d.PowerMode != w.PowerMode {
			continue
		}
		if d.Machine != nil { // of a merged run, whose devices are MACHINE:DEVICE
			machine, _, _ := strings.Cut(d.ID, ":")
			o.Machine, o.DeviceName = machine, d.Machine.CPU
		}
		if d.Facts != nil {
			o.DeviceName, o.Driver = d.Facts.Name, d.Driver
		}
		break
	}
	return o
}

// kindsOf returns the kinds of a struct's columns.
func kindsOf[T any]() (kinds []CellKind) {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if f.Tag.Get("csv") == "" {
			continue
		}
		switch {
		case f.Tag.Get("kind") == "bool":
			kinds = append(kinds, BoolCell)
		case f.Type == reflect.TypeFor[Number](), f.Type.Kind() == reflect.Float64:
			kinds = append(kinds, FloatCell)
		case f.Type == reflect.TypeFor[Count](), f.Type.Kind() == reflect.Int:
			kinds = append(kinds, IntCell)
		default:
			kinds = append(kinds, TextCell)
		}
	}
	return kinds
}

// cells returns the kind of a parameter's or tunable's cells.
func (c Column) cells() CellKind {
	switch c.Kind {
	case framework.Int.String():
		return IntCell
	case framework.Float.String():
		return FloatCell
	}
	return TextCell
}

// stateCellKind returns the kind of a column of the machine's state.
func stateCellKind(column string) CellKind {
	for _, prefix := range []string{eventColumn, coolingColumn, fanColumn} {
		if strings.HasPrefix(column, prefix) {
			return FloatCell
		}
	}
	if strings.HasPrefix(column, clockColumn) && strings.HasSuffix(column, "_Hz") {
		return FloatCell
	}
	return TextCell
}
