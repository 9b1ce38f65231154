package plots

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"example.org/bench/framework/record"
	"example.org/bench/plots/picture"
)

// overviews returns pages with all that was measured over the sweep, a chart for each quantity, for runs with
// energy. There is one page per panel.
func overviews(s *picture.Sweep) []figure {
	if s.X.Name == "" || s.OverRates() || !slices.ContainsFunc(s.Run.Rows, func(w record.Row) bool { return w.Energy.Get().Total.IsSet() }) {
		return nil
	}
	var all []figure
	for _, q := range picture.Compact(s.Run) {
		for _, c := range s.Charts(q) {
			f := figureOf(s, c, &sheet{})
			f.name, f.page.title = f.name[len(q.Name):], s.Title+": times, rates, power and energy"
			i := slices.IndexFunc(all, func(x figure) bool { return x.name == f.name })
			if i < 0 {
				i = len(all)
				all = append(all, f)
			}
			sheet := all[i].page.content.(*sheet)
			sheet.charts = append(sheet.charts, newChart(c))
		}
	}
	for i := range all {
		all[i].name = "overview" + all[i].name
		if s.Run.Rates == record.ExecutedRates {
			all[i].name = "executed_" + all[i].name
		}
	}
	return all
}

// sheet is several charts with one legend.
type sheet struct{ charts []cell }

// cell is a chart of a sheet.
type cell interface {
	content
	// inset returns how far right of the canvas's edge the chart's data begin.
	inset(draw.Canvas) vg.Length
}

const (
	chartWidth  = 200 // about, of each of two charts or more side by side
	chartGap    = 12
	chartShape  = 0.68 // height by width
	chartHeight = 170  // at least, for the names of the axes
)

// inParts splits sheets of more rows than the medium has room for.
func (m Medium) inParts(all []figure) (parts []figure) {
	for _, f := range all {
		s, ok := f.page.content.(*sheet)
		if !ok {
			parts = append(parts, f)
			continue
		}
		columns, rows, _, _ := s.grid(m.width - 2*margin)
		if m.rows == 0 || rows <= m.rows {
			parts = append(parts, f)
			continue
		}
		n := 0
		for some := range slices.Chunk(s.charts, m.rows*columns) {
			n++
			part := f
			part.name, part.page.content = fmt.Sprintf("%s_%d", f.name, n), &sheet{some}
			parts = append(parts, part)
		}
	}
	return parts
}

// grid returns the numbers of charts side by side and below one another, and the size of each.
func (s *sheet) grid(width vg.Length) (columns, rows int, w, h vg.Length) {
	columns = max(2, int(width/chartWidth))
	rows = (len(s.charts) + columns - 1) / columns
	w = (width - chartGap*vg.Length(columns-1)) / vg.Length(columns)
	return columns, rows, w, max(chartHeight, w*chartShape)
}

func (s *sheet) height(width vg.Length) vg.Length {
	const heading = 60
	_, rows, _, h := s.grid(width)
	return heading + vg.Length(rows)*(h+chartGap)
}

// legend returns each entry of the charts once.
func (s *sheet) legend() (all []entry) {
	for _, c := range s.charts {
		for _, e := range c.legend() {
			if !slices.ContainsFunc(all, func(x entry) bool { return x.text == e.text }) {
				all = append(all, e)
			}
		}
	}
	return all
}

func (s *sheet) draw(canvas draw.Canvas) vg.Rectangle {
	columns, rows, w, _ := s.grid(canvas.Size().X)
	h := (canvas.Size().Y - chartGap*vg.Length(rows)) / vg.Length(rows)
	var data vg.Rectangle
	cells, inset := make([]draw.Canvas, len(s.charts)), make([]vg.Length, columns)
	for i, c := range s.charts {
		cell := canvas
		cell.Min.X += vg.Length(i%columns) * (w + chartGap)
		cell.Max.X = cell.Min.X + w
		cell.Max.Y -= vg.Length(i/columns) * (h + chartGap)
		cell.Min.Y = cell.Max.Y - h
		cells[i] = cell
		inset[i%columns] = max(inset[i%columns], c.inset(cell))
	}
	for i, c := range s.charts {
		cell := cells[i]
		cell.Min.X += inset[i%columns] - c.inset(cell) // the axes of a column stand below one another
		in := c.draw(cell)
		if i == 0 {
			data = in
		}
		data.Min.X, data.Min.Y = min(data.Min.X, in.Min.X), min(data.Min.Y, in.Min.Y)
		data.Max.X, data.Max.Y = max(data.Max.X, in.Max.X), max(data.Max.Y, in.Max.Y)
	}
	return data
}
