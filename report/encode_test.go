package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"testing"
)

// TestEncode: a document that is written point by point has the bytes of one that is written
// whole, wherever its points come from.
func TestEncode(t *testing.T) {
	points := []Point{{Name: "<a>", Facts: []Fact{{"x", "1"}}}, {Name: "b", Figures: []Figure{{Title: "f", Series: []Series{{Name: "s", X: Reals{0, 1}, Y: Reals{2, math.NaN()}}}}}}, {}}
	for _, sections := range [][]Section{nil, {}, {{Title: "no points"}}, {{Points: points}, {Title: "none"}, {Points: points[:1], Verdict: []string{"&"}}}} {
		d := &Document{Title: "</title>", Made: "m", Sections: sections}
		for i := range sections {
			for k := range sections[i].Points {
				drawAxes(sections[i].Points[k].Figures)
			}
		}
		want, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			var b bytes.Buffer
			w := bufio.NewWriter(&b)
			if err := d.encode(w); err != nil {
				t.Fatal(err)
			}
			if w.Flush(); b.String() != string(want) {
				t.Errorf("%s\nwant\n%s", b.String(), want)
			}
			d = &Document{Title: d.Title, Made: d.Made, Sections: slices.Clone(sections)}
			for i := range d.Sections { // made while they are written
				if list := d.Sections[i].Points; list != nil {
					d.Sections[i].made, d.Sections[i].Points = slices.Values(list), nil
				}
			}
		}
	}
}

// TestPointsAreMadeWhileWritten: of many points the page holds few at once.
func TestPointsAreMadeWhileWritten(t *testing.T) {
	made, ahead := 0, 0
	var written counting
	s := Section{made: func(yield func(Point) bool) {
		for range 20000 {
			made++
			ahead = max(ahead, made-written.points)
			if !yield(Point{Name: "point"}) {
				return
			}
		}
	}}
	w := bufio.NewWriterSize(&written, 1<<10)
	if err := (&Document{Sections: []Section{s}}).encode(w); err != nil {
		t.Fatal(err)
	}
	if w.Flush(); written.points != 20000+2 || ahead > 200 {
		t.Errorf("%d points written, at most %d of them made and not yet written", written.points, ahead)
	}
}

// counting counts the ends of points, of the section and of the document that are written to it.
type counting struct{ points int }

func (c *counting) Write(b []byte) (int, error) {
	c.points += bytes.Count(b, []byte("}"))
	return len(b), nil
}
