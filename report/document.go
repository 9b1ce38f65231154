package report

import (
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Document is the content of a report, as the page's scripts read it.
type Document struct {
	Title string `json:"title"`
	Made  string `json:"made"` // program that made it
	// Reload is the number of seconds after which the page reloads itself while its run goes on; 0: never.
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
	// Where says briefly on what machine the results were measured, and when.
	Where []string `json:"where,omitempty"`
	// Verdict says in sentences what the results show, the most important first. Warnings say what may have
	// disturbed the results, or is unknown.
	Verdict []string `json:"verdict"`
	// Failed is set if something that was to be measured has no result.
	Failed   bool     `json:"failed,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	Facts    []Fact   `json:"facts,omitempty"`
	Figures  []Figure `json:"figures,omitempty"`
	Tables   []Table  `json:"tables,omitempty"`
	// Points are the points for the marks of figures and the rows of tables.
	Points []Point `json:"points,omitempty"`
	// made are Points that are made while they are written. The points of a run are most of a page, and each
	// is needed once.
	made iter.Seq[Point]
}

// Fact is one known property of the surroundings.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Point is what the page shows of a point once it is chosen.
type Point struct {
	Name    string   `json:"name"`
	Command string   `json:"command,omitempty"` // measures it again
	Facts   []Fact   `json:"facts,omitempty"`
	Figures []Figure `json:"figures,omitempty"` // its samples and power
}

// Figure is one picture. Figures that follow each other with the same Group share a place, where the reader
// chooses by Title.
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
	// Shares are the best cost divided by each cell's, which colours the cell: null if none was found, 0 if
	// there is no point.
	Shares []Reals `json:"shares,omitempty"`
	Empty  string  `json:"empty,omitempty"` // meaning of a cell without a point
	Unit   string  `json:"unit,omitempty"`  // of Cells
	// Parallel is set for parallel coordinates, which have no axes and series.
	Parallel *Parallel `json:"parallel,omitempty"`
	// Row is the height in pixels of a place of Y.Names; 0: the page's own.
	Row int `json:"row,omitempty"`
}

// Axis is an axis of a figure.
type Axis struct {
	Title string `json:"title"`
	Unit  string `json:"unit,omitempty"` // with an SI prefix in front
	Log   bool   `json:"log,omitempty"`
	// Names are the places of an axis of categories, in order.
	Names []string `json:"names,omitempty"`
	// Swept is set for the axis of a swept parameter, whose ticks are at its values.
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

// The marks. A limit is a line without points of its own; a step holds its value until the next point.
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
	// Low and High are the intervals of Y, or of X if the figure's Y has Names. For a step, Low is the lower
	// end of its band.
	Low  Reals `json:"low,omitempty"`
	High Reals `json:"high,omitempty"`
	// From is where bars begin, with X as their length; none: all begin at 0.
	From Reals `json:"from,omitempty"`
	// Among is how many bars share a place of the Y axis, with X as their ends; 0: one, of that length.
	Among int `json:"among,omitempty"`
	// Doubtful marks, by index, are drawn hollow.
	Doubtful []int `json:"doubtful,omitempty"`
	// Failed marks, by index, have no value; they are crosses at the edge.
	Failed []int `json:"failed,omitempty"`
	// Size is the size of each mark, from 0 to 1; none: all are alike.
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
	// Columns are by axis; NaN costs are those of invalid points.
	Columns []Reals `json:"columns"`
}

// ParallelAxis is one parameter.
type ParallelAxis struct {
	Name string `json:"name"`
	// Values are the values of the axis as texts, in its order; a column then holds their indexes. The cost
	// has none.
	Values []string `json:"values,omitempty"`
	Log    bool     `json:"log,omitempty"`   // of the cost
	Drawn  *Drawn   `json:"drawn,omitempty"` // of the cost
}

// Table is a table to sort, filter and copy.
type Table struct {
	Title string `json:"title"`
	Note  string `json:"note,omitempty"`
	Head  []Head `json:"head"`
	// Rows are the cells as texts. Sort are the numbers of columns that are Numeric, by column and row.
	Rows [][]string `json:"rows"`
	Sort []Reals    `json:"sort,omitempty"`
	// Point is, by row, the index in the section's Points.
	Point []int `json:"point,omitempty"`
}

// Head is the head of a column.
type Head struct {
	Name    string `json:"name"`
	Numeric bool   `json:"numeric,omitempty"`
}

// Reals are numbers for showing. JSON has whole numbers as they are, others with six significant digits, and
// null for values that are no number.
type Reals []float64

// significant is how many digits of a number the page has.
const significant = 6

// exact bounds the whole numbers that a float64, and thus a page, represents exactly.
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

// cell is a cell of a table: its text and, if it is a number, its value.
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

// fold removes those of the first n columns that are equal in all of several rows, and returns them in words.
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

// trim removes the columns that are empty in every row.
func (t *Table) trim() {
	for i := len(t.Head) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
			t.drop(i)
		}
	}
}

// drop removes a column.
func (t *Table) drop(i int) {
	t.Head = slices.Delete(t.Head, i, i+1)
	if t.Sort != nil {
		t.Sort = slices.Delete(t.Sort, i, i+1)
	}
	for j := range t.Rows {
		t.Rows[j] = slices.Delete(t.Rows[j], i, i+1)
	}
}
