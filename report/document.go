package report

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Document is what a report holds, as the page's scripts read it.
type Document struct {
	Title string `json:"title"`
	Made  string `json:"made"` // which program made it
	// Reload is the number of seconds after which the page reloads itself, as its run goes on; 0: it does not.
	Reload   float64   `json:"reload,omitempty"`
	Links    []Link    `json:"links,omitempty"` // to the other pages of its site
	Sections []Section `json:"sections"`
	part     bool      // a run has points to come
}

// Link leads to another page of a site. File is a name that this program chose.
type Link struct {
	Title string `json:"title"`
	File  string `json:"file"`
	About string `json:"about,omitempty"`
}

// Section is one source of results.
type Section struct {
	Title string `json:"title"`
	Kind  string `json:"kind"` // in words: run, comparison, …
	// Where says in short on what it was measured, and when.
	Where []string `json:"where,omitempty"`
	// Verdict says in sentences what the results show, the most important first;
	// Warnings say what may have disturbed them, or is not known.
	Verdict []string `json:"verdict"`
	// Failed is set where something that was to be measured has no result.
	Failed   bool     `json:"failed,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Facts    []Fact   `json:"facts,omitempty"`
	Figures  []Figure `json:"figures,omitempty"`
	Tables   []Table  `json:"tables,omitempty"`
	// Points are what the marks of figures and the rows of tables stand for.
	Points []Point `json:"points,omitempty"`
	// made are Points that are made while they are written: of a run they are most of a
	// page, and each is needed once.
	made iter.Seq[Point]
}

// Fact is one thing that is known of the surroundings.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Point is what is shown of a point once it is chosen.
type Point struct {
	Name    string   `json:"name"`
	Command string   `json:"command,omitempty"` // measures it again
	Facts   []Fact   `json:"facts,omitempty"`
	Figures []Figure `json:"figures,omitempty"` // its samples and power
}

// Figure is one picture. Those that follow each other with the same Group share a
// place, and the reader chooses by Title.
type Figure struct {
	Title string `json:"title"`
	Group string `json:"group,omitempty"`
	// Note says what error bars, bands and sizes of marks mean.
	Note   string   `json:"note,omitempty"`
	X      Axis     `json:"x"`
	Y      Axis     `json:"y"`
	Series []Series `json:"series,omitempty"`
	// Cells are a heat map's, by row of Y.Names and column of X.Names.
	Cells []Reals `json:"cells,omitempty"`
	// Shares are the best by each cell, which colours it: null where none was found, 0 where there is no point.
	Shares []Reals `json:"shares,omitempty"`
	Empty  string  `json:"empty,omitempty"` // what a cell without a point is
	Unit   string  `json:"unit,omitempty"`  // of Cells
	// Parallel is set for parallel coordinates, which have no axes and series.
	Parallel *Parallel `json:"parallel,omitempty"`
	// Row is the height in pixels of a place of Y.Names; 0: as the page has it.
	Row int `json:"row,omitempty"`
}

// Axis is one of a figure.
type Axis struct {
	Title string `json:"title"`
	Unit  string `json:"unit,omitempty"` // with an SI prefix in front
	Log   bool   `json:"log,omitempty"`
	// Names are the places of an axis of categories, in order.
	Names []string `json:"names,omitempty"`
	// Swept is set for the axis of a swept parameter, which has ticks at its values.
	Swept bool `json:"-"`
	// Drawn is how the page draws an axis without Names.
	Drawn *Drawn `json:"drawn,omitempty"`
}

// Drawn is an axis's ends and ticks.
type Drawn struct {
	Label string    `json:"label"`
	From  float64   `json:"from"`
	To    float64   `json:"to"`
	At    []float64 `json:"at"`
	Texts []string  `json:"texts"` // of At
}

// Mark is how a series is drawn.
type Mark string

// The marks. A limit is a line without points of its own; a step holds its value until
// the next.
const (
	MarkPoints Mark = "points"
	MarkLine   Mark = "line" // with points
	MarkPlain  Mark = "plain"
	MarkStep   Mark = "step"
	MarkLimit  Mark = "limit"
	MarkBar    Mark = "bar"
)

// Series is one line or kind of point, by columns.
type Series struct {
	Name   string `json:"name"`
	Mark   Mark   `json:"mark"`
	Colour int    `json:"colour"` // number in the page's palette
	X      Reals  `json:"x"`
	Y      Reals  `json:"y"`
	// Low and High are the intervals of Y, or of X where the figure's Y has Names;
	// of a step, Low is the lower end of its band.
	Low  Reals `json:"low,omitempty"`
	High Reals `json:"high,omitempty"`
	// From is where bars begin, X then being their length; none: all begin at 0.
	From Reals `json:"from,omitempty"`
	// Among is how many bars share a place of the Y axis, X then being their ends; 0: one, of that length.
	Among int `json:"among,omitempty"`
	// Doubtful marks, by index, are drawn hollow.
	Doubtful []int `json:"doubtful,omitempty"`
	// Failed marks, by index, have no value; they are crosses at the edge.
	Failed []int `json:"failed,omitempty"`
	// Size is of each mark, from 0 to 1; none: all are alike.
	Size Reals `json:"size,omitempty"`
	// Point is the index in the section's Points; none: none.
	Point []int `json:"point,omitempty"`
	// Label says what the mark is, beyond its place.
	Label []string `json:"label,omitempty"`
}

// Parallel is the points of a space with their costs.
type Parallel struct {
	Axes []ParallelAxis `json:"axes"` // the last is the cost's
	Cost string         `json:"cost"` // what the cost is
	Unit string         `json:"unit"`
	// Rows are by axis; NaN costs are of invalid points.
	Columns []Reals `json:"columns"`
}

// ParallelAxis is one parameter.
type ParallelAxis struct {
	Name string `json:"name"`
	// Values are those of the axis, in its order, as texts; a column then holds their
	// indexes. None for the cost.
	Values []string `json:"values,omitempty"`
	Log    bool     `json:"log,omitempty"`   // of the cost
	Drawn  *Drawn   `json:"drawn,omitempty"` // of the cost
}

// Table is one to sort, filter and copy.
type Table struct {
	Title string `json:"title"`
	Note  string `json:"note,omitempty"`
	Head  []Head `json:"head"`
	// Rows are the cells as texts; Sort are the numbers of columns that are Numeric,
	// by column and row.
	Rows [][]string `json:"rows"`
	Sort []Reals    `json:"sort,omitempty"`
	// Point is, by row, the index in the section's Points.
	Point []int `json:"point,omitempty"`
}

// Head is a column's.
type Head struct {
	Name    string `json:"name"`
	Numeric bool   `json:"numeric,omitempty"`
}

// Reals are numbers for showing: JSON has whole ones as they are, others with six
// significant digits, and null for what is no number.
type Reals []float64

// significant is how many digits of a number the page has.
const significant = 6

// exact bounds the whole numbers that a float64, and a page, has all of.
const exact = 1 << 53

// MarshalJSON writes an array.
func (r Reals) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, x := range r {
		if i > 0 {
			b = append(b, ',')
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			b = append(b, "null"...)
			continue
		}
		if x == math.Trunc(x) && math.Abs(x) < exact {
			b = strconv.AppendFloat(b, x, 'f', -1, 64)
			continue
		}
		b = strconv.AppendFloat(b, x, 'g', significant, 64)
	}
	return append(b, ']'), nil
}

// blank reports whether no element is a number.
func (r Reals) blank() bool {
	return !slices.ContainsFunc(r, func(x float64) bool { return !math.IsNaN(x) })
}

// cell is one of a table: its text and, where it is a number, its value.
type cell struct {
	text  string
	value float64
}

func word(text string) cell { return cell{text, math.NaN()} }

// add appends a row; the columns of Head count.
func (t *Table) add(point int, cells ...cell) {
	if t.Sort == nil {
		t.Sort = make([]Reals, len(t.Head))
	}
	row := make([]string, len(cells))
	for i, c := range cells {
		row[i] = c.text
		if t.Head[i].Numeric {
			t.Sort[i] = append(t.Sort[i], c.value)
		}
	}
	t.Rows = append(t.Rows, row)
	t.Point = append(t.Point, point)
}

// fold leaves out those of the first n columns that are the same in all of several rows, and returns them in words.
func (t *Table) fold(n int) string {
	var alike []string
	for i := n - 1; i >= 0 && len(t.Rows) > 1; i-- {
		first := t.Rows[0][i]
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != first }) {
			continue
		}
		if first != "" {
			alike = append([]string{t.Head[i].Name + " " + first}, alike...)
		}
		t.drop(i)
	}
	return strings.Join(alike, ", ")
}

// trim leaves out the columns that are empty in every row.
func (t *Table) trim() {
	for i := len(t.Head) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
			t.drop(i)
		}
	}
}

// drop leaves out a column.
func (t *Table) drop(i int) {
	t.Head = slices.Delete(t.Head, i, i+1)
	if t.Sort != nil {
		t.Sort = slices.Delete(t.Sort, i, i+1)
	}
	for j := range t.Rows {
		t.Rows[j] = slices.Delete(t.Rows[j], i, i+1)
	}
}
