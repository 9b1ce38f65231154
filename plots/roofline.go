package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"bench/framework/axis"
	"bench/framework/record"
	"bench/terminal/digits"
)

// roofline shows rates over arithmetic intensity under the measured ceilings
// of one device (Williams, Waterman and Patterson, "Roofline: an insightful
// visual performance model for multicore architectures").
type roofline struct {
	x, y   scale
	slopes []limit // bytes per second, highest first
	roofs  []limit // FLOP/s, highest first
	lines  []line
	// names are the abscissas of a sweep, by line and point, as its other figures
	// write them.
	names [][]string
	swept string // the parameter
}

// level is a memory whose traffic is an abscissa's.
type level struct {
	name  string // of the traffic; empty: the problem's nominal bytes
	slope limit
	// intensity is operations per byte; not set where the traffic is not known.
	intensity func(*record.Row) record.Number
}

// nominal is every problem's least traffic, to and from memory.
func nominal(c record.Ceilings) []level {
	return []level{{"", limit{"copy", c.Copy}, func(w *record.Row) record.Number { return w.Work.FLOPPerByte }}}
}

// counted are the levels whose traffic the hardware's counters tell.
func counted(c record.Ceilings) []level {
	list := []level{{"DRAM", limit{"copy", c.Copy}, func(w *record.Row) record.Number { return w.PerByte(w.DRAMBytes()) }}}
	if c.L2 > 0 {
		list = append(list, level{"L2", limit{"L2", c.L2}, func(w *record.Row) record.Number { return w.PerByte(w.L2Bytes()) }})
	}
	return list
}

// place is where ceilings hold: a device, in one power mode where the run
// switched between modes.
type place struct{ device, mode string }

func placeOf(run *record.Run, w *record.Row) place {
	for _, d := range run.Info.Devices {
		if d.ID == w.Device && d.PowerMode != "" {
			return place{w.Device, w.PowerMode}
		}
	}
	return place{device: w.Device}
}

// rooflines are one figure per place with measured ceilings.
func rooflines(run *record.Run, s *sweep) []figure {
	var all []figure
	var places []place
	for i := range run.Rows {
		w := &run.Rows[i]
		c := run.Info.Limits(w.Device, w.PowerMode)
		if at := placeOf(run, w); !slices.Contains(places, at) && c.Copy > 0 && c.FMA > 0 {
			places = append(places, at)
		}
	}
	for _, at := range places {
		c := run.Info.Limits(at.device, at.mode)
		for _, kind := range []struct {
			name, title, axis string
			levels            []level
		}{
			{"roofline", ": roofline", "nominal operations per byte (FLOP/B)", nominal(c)},
			{"roofline_counted", ": roofline of counted bytes", "nominal operations per byte that was counted (FLOP/B)", counted(c)},
		} {
			r := newRoofline(run, s, at, kind.levels, kind.axis)
			if r == nil {
				continue
			}
			f := figure{name: kind.name, page: page{title: s.title + kind.title, note: s.device(at.device), content: r}}
			if r.swept != "" {
				f.page.note += "; numbers beside the points: " + r.swept
			}
			if len(places) > 1 {
				f.name += "_" + fileName(at.device)
			}
			if at.mode != "" {
				f.name += "_" + fileName(at.mode)
				f.page.note += ", " + at.mode
			}
			all = append(all, f)
		}
	}
	return all
}

// mostUpright is how many points of a sweep a roofline shows at one intensity: more hide each other, and
// the share of the ceiling by the swept parameter says the same.
const mostUpright = 6

// upright is the factor of the intensities within which these are one: markers of neighbours touch.
const upright = 1.25

// newRoofline has the points of levels; nil where no point has their traffic, or all stand on one
// another.
func newRoofline(run *record.Run, s *sweep, at place, levels []level, title string) *roofline {
	c := run.Info.Limits(at.device, at.mode)
	r := &roofline{}
	x, y := axis.NewSpan(), axis.NewSpan()
	var single, double bool
	points := 0
	parts := slices.Concat(s.labels, s.panels)
	styles := map[string]int{}
	for n := range len(levels) * len(run.Rows) {
		w, of := &run.Rows[n/len(levels)], levels[n%len(levels)]
		id := name(parts, w)
		if of.name != "" {
			id += ", " + of.name
		}
		if _, ok := styles[id]; !ok {
			styles[id] = len(styles)
		}
		p := point{x: of.intensity(w).Float(), y: w.Work.GFLOPPerS.Float() * 1e9}
		if placeOf(run, w) != at || w.Status != record.OK || !(p.x > 0) || !(p.y > 0) {
			continue
		}
		if !slices.Contains(r.slopes, of.slope) {
			r.slopes = append(r.slopes, of.slope)
		}
		p.doubtful = timeDoubtful(w)
		x.Include(p.x)
		y.Include(p.y)
		isDouble := record.IsDouble(w.Params)
		single, double = single || !isDouble, double || isDouble
		j := slices.IndexFunc(r.lines, func(l line) bool { return l.name == id })
		if j < 0 {
			r.lines = append(r.lines, line{name: id, style: styles[id]})
			r.names = append(r.names, nil)
			j = len(r.lines) - 1
		}
		points++
		r.lines[j].points = append(r.lines[j].points, p)
		if s.x.Name != "" {
			r.swept = s.x.Name
			r.names[j] = append(r.names[j], axis.Count(s.at(w)))
		}
	}
	if len(r.lines) == 0 || r.swept != "" && points > mostUpright && x.Max < upright*x.Min {
		return nil
	}
	if single {
		r.roofs = append(r.roofs, limit{"FMA f32", c.FMA})
	}
	if double && c.FMA64 > 0 {
		r.roofs = append(r.roofs, limit{"FMA f64", c.FMA64})
	}
	for _, list := range [][]limit{r.roofs, r.slopes} {
		slices.SortFunc(list, func(a, b limit) int { return cmp.Compare(b.value, a.value) })
	}
	for _, roof := range r.roofs {
		for _, slope := range r.slopes {
			ridge := roof.value / slope.value
			x.Include(ridge*3, ridge/8)
		}
		y.Include(roof.value)
	}
	x.Include(x.Min / 2)
	y.Include(math.Min(y.Min, x.Min*r.slopes[len(r.slopes)-1].value))
	r.x = scaleOf(axis.Logarithmic(x, title, "")) // small numbers, no prefixes
	r.y = scaleOf(axis.Logarithmic(y, "rate of operations", "FLOP/s"))
	return r
}

func (*roofline) height(vg.Length) vg.Length { return 0 }

func (r *roofline) legend() []entry {
	var all []entry
	for _, l := range r.lines {
		all = append(all, entry{l.name, func(b draw.Canvas) { b.DrawGlyphNoClip(marker(l.style, false), b.Center()) }})
	}
	all = append(all, entry{"measured ceiling", func(b draw.Canvas) {
		b.StrokeLine2(roofStyle, b.Min.X, b.Center().Y, b.Max.X, b.Center().Y)
	}})
	if slices.ContainsFunc(r.lines, func(l line) bool {
		return slices.ContainsFunc(l.points, func(p point) bool { return p.doubtful })
	}) {
		all = append(all, hollowEntry)
	}
	return all
}

var roofStyle = draw.LineStyle{Color: ink, Width: vg.Points(1.2)}

func (r *roofline) draw(canvas draw.Canvas) vg.Rectangle {
	return frame(canvas, r.x, r.y, 0, grid{r.x.Ticks, r.y.Ticks}, r)
}

// Plot draws the roofs with their names, and the points of a line in the order of
// the sweep.
func (r *roofline) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	label := textStyle(9, ink)
	texts := annotations{page: c.Rectangle}
	for _, l := range r.lines {
		for _, pt := range l.points {
			texts.keepOff(vg.Point{X: x(pt.x), Y: y(pt.y)}, markerRadius+1)
		}
	}
	for _, slope := range r.slopes {
		if len(r.roofs) == 0 {
			break
		}
		ridge := r.roofs[0].value / slope.value
		from := math.Max(r.x.Min, r.y.Min/slope.value)
		a, b := vg.Point{X: x(from), Y: y(from * slope.value)}, vg.Point{X: x(ridge), Y: y(r.roofs[0].value)}
		c.StrokeLine2(roofStyle, a.X, a.Y, b.X, b.Y)
		texts.along(c, label, a, b, slope.name+" "+digits.Scaled(slope.value, "B/s"))
	}
	for _, roof := range r.roofs {
		ridge := roof.value / r.slopes[0].value
		c.StrokeLine2(roofStyle, x(ridge), y(roof.value), c.Max.X, y(roof.value))
		name := roof.name + " " + digits.Scaled(roof.value, "FLOP/s")
		at := vg.Point{X: c.Max.X - label.Width(name) - 4, Y: y(roof.value) + 3}
		c.FillText(label, at, name)
		texts.keep(textBox(label, at, name))
	}
	for _, l := range r.lines {
		var order []vg.Point
		for _, pt := range l.points {
			order = append(order, vg.Point{X: x(pt.x), Y: y(pt.y)})
		}
		if len(order) > 1 {
			thin := lineStyle(l.style, l.peer)
			thin.Width = vg.Points(0.5)
			c.StrokeLines(thin, order)
			texts.keepLine(order)
		}
	}
	for i, l := range r.lines {
		for _, pt := range l.points {
			c.DrawGlyphNoClip(marker(l.style, pt.doubtful), vg.Point{X: x(pt.x), Y: y(pt.y)})
		}
		small := textStyle(8, palette[l.style%len(palette)])
		for _, j := range endsFirst(len(r.names[i])) {
			pt := l.points[j]
			texts.beside(c, small, vg.Point{X: x(pt.x), Y: y(pt.y)}, r.names[i][j])
		}
	}
}
