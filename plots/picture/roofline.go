package picture

import (
	"cmp"
	"math"
	"slices"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
)

// Roofline shows rates over arithmetic intensity under the measured ceilings
// of one device (Williams, Waterman and Patterson, "Roofline: an insightful
// visual performance model for multicore architectures").
type Roofline struct {
	Name        string // of its files
	Title, Note string
	// Device names the device of these ceilings, and Mode its power mode if the run switches between several.
	Device, Mode string
	X, Y         axis.Axis
	Slopes       []Limit // bytes per second, highest first
	Roofs        []Limit // FLOP/s, highest first
	Lines        []Line
	// Names are the abscissas of the sweep, by line and point, as written in its other charts. Swept is the
	// parameter.
	Names [][]string
	Swept string
}

// level is a memory whose traffic makes an abscissa.
type level struct {
	name  string // of the traffic; empty: the problem's nominal bytes
	slope Limit
	// intensity is operations per byte; not set if the traffic is unknown.
	intensity func(*record.Row) record.Number
}

// nominal returns every problem's least traffic, from and to memory.
func nominal(c record.Ceilings) []level {
	return []level{{"", Limit{"copy", c.Copy}, func(w *record.Row) record.Number { return w.Work.FLOPPerByte }}}
}

// counted returns the levels whose traffic the hardware's counters tell.
func counted(c record.Ceilings) []level {
	list := []level{{"DRAM", Limit{"copy", c.Copy}, func(w *record.Row) record.Number { return w.PerByte(w.DRAMBytes()) }}}
	if c.L2 > 0 {
		list = append(list, level{"L2", Limit{"L2", c.L2}, func(w *record.Row) record.Number { return w.PerByte(w.L2Bytes()) }})
	}
	return list
}

// place is where ceilings are valid: a device, in one power mode if the run switched between modes.
type place struct{ device, mode string }

func placeOf(run *record.Run, w *record.Row) place {
	for _, d := range run.Info.Devices {
		if d.ID == w.Device && d.PowerMode != "" {
			return place{w.Device, w.PowerMode}
		}
	}
	return place{device: w.Device}
}

// Rooflines returns the rooflines of each place with measured ceilings: of nominal bytes, and of counted
// ones.
func (s *Sweep) Rooflines() []Roofline {
	var all []Roofline
	var places []place
	for i := range s.Run.Rows {
		w := &s.Run.Rows[i]
		c := s.Run.Info.Limits(w.Device, w.PowerMode)
		if at := placeOf(s.Run, w); !slices.Contains(places, at) && c.Copy > 0 && c.FMA > 0 {
			places = append(places, at)
		}
	}
	for _, at := range places {
		c := s.Run.Info.Limits(at.device, at.mode)
		for _, kind := range []struct {
			name, title, axis string
			levels            []level
		}{
			{"roofline", ": roofline", "nominal operations per byte (FLOP/B)", nominal(c)},
			{"roofline_counted", ": roofline of counted bytes", "nominal operations per byte that was counted (FLOP/B)", counted(c)},
		} {
			r := s.roofline(at, kind.levels, kind.axis)
			if r == nil {
				continue
			}
			r.Name, r.Title, r.Device, r.Mode = kind.name, s.Title+kind.title, s.Device(at.device), at.mode
			r.Note = r.Device
			if r.Swept != "" {
				r.Note += "; numbers beside the points: " + r.Swept
			}
			if len(places) > 1 {
				r.Name += "_" + FileName(at.device)
			}
			if at.mode != "" {
				r.Name += "_" + FileName(at.mode)
				r.Note += ", " + at.mode
			}
			all = append(all, *r)
		}
	}
	return all
}

// mostUpright is how many points of a sweep a roofline shows at one intensity. More would hide each other,
// and the share of the ceiling over the swept parameter says the same.
const mostUpright = 6

// upright is the factor within which intensities count as one: markers of neighbours touch.
const upright = 1.25

// roofline returns the points of levels; nil if no point has their traffic, or all coincide.
func (s *Sweep) roofline(at place, levels []level, title string) *Roofline {
	c := s.Run.Info.Limits(at.device, at.mode)
	r := &Roofline{}
	x, y := axis.NewSpan(), axis.NewSpan()
	var single, double bool
	points := 0
	parts := slices.Concat(s.labels, s.panels)
	styles := map[string]int{}
	for n := range len(levels) * len(s.Run.Rows) {
		w, of := &s.Run.Rows[n/len(levels)], levels[n%len(levels)]
		id := name(parts, w)
		if of.name != "" {
			id += ", " + of.name
		}
		if _, ok := styles[id]; !ok {
			styles[id] = len(styles)
		}
		p := Point{X: of.intensity(w).Float(), Y: w.Work.GFLOPPerS.Float() * 1e9}
		if placeOf(s.Run, w) != at || w.Status != record.OK || !(p.X > 0) || !(p.Y > 0) {
			continue
		}
		if !slices.Contains(r.Slopes, of.slope) {
			r.Slopes = append(r.Slopes, of.slope)
		}
		p.Doubtful = w.HollowTime()
		x.Include(p.X)
		y.Include(p.Y)
		isDouble := record.IsDouble(w.Params)
		single, double = single || !isDouble, double || isDouble
		j := slices.IndexFunc(r.Lines, func(l Line) bool { return l.Name == id })
		if j < 0 {
			r.Lines = append(r.Lines, Line{Name: id, Style: styles[id]})
			r.Names = append(r.Names, nil)
			j = len(r.Lines) - 1
		}
		points++
		r.Lines[j].Points = append(r.Lines[j].Points, p)
		if s.X.Name != "" {
			r.Swept = s.X.Name
			r.Names[j] = append(r.Names[j], axis.Count(s.At(w)))
		}
	}
	if len(r.Lines) == 0 || r.Swept != "" && points > mostUpright && x.Max < upright*x.Min {
		return nil
	}
	if single {
		r.Roofs = append(r.Roofs, Limit{"FMA f32", c.FMA})
	}
	if double && c.FMA64 > 0 {
		r.Roofs = append(r.Roofs, Limit{"FMA f64", c.FMA64})
	}
	for _, list := range [][]Limit{r.Roofs, r.Slopes} {
		slices.SortFunc(list, func(a, b Limit) int { return cmp.Compare(b.Value, a.Value) })
	}
	for _, roof := range r.Roofs {
		for _, slope := range r.Slopes {
			ridge := roof.Value / slope.Value
			x.Include(ridge*3, ridge/8)
		}
		y.Include(roof.Value)
	}
	x.Include(x.Min / 2)
	y.Include(math.Min(y.Min, x.Min*r.Slopes[len(r.Slopes)-1].Value))
	r.X = axis.Logarithmic(x, title, "") // small numbers, no prefixes
	r.Y = axis.Logarithmic(y, "rate of operations", "FLOP/s")
	return r
}
