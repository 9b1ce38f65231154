package record

import "slices"

// longTable is the part of a long table behind what tells its rows apart: what was measured, its unit, value and 95 %
// interval.
type longTable struct{ values []longValue }

// longValue is one thing that is measured of a row.
type longValue struct {
	name, unit string
	value      func(*Row) Number
	low, high  func(*Row) Number // nil: it has no interval
}

// LongColumns are the columns of a long table behind those that all CSV files begin with.
type LongColumns struct {
	Quantity string `csv:"quantity" doc:"what the value is: time, hot_time, latency_p50, energy, SENSOR_CHANNEL_energy, stage_KERNEL_time, …"`
	Unit     string `csv:"unit" doc:"its unit: s, FLOP/s, B/s, W, J"`
	Value    Number `csv:"value" doc:"the value; a quantity that was not measured has no row"`
	Low      Number `csv:"low" doc:"lower end of its 95 % interval; empty where none is known"`
	High     Number `csv:"high" doc:"upper end of it"`
}

// Long makes the long table of a run of that name: a row for each value of a point, for programs that map a column
// to colours or panels. A point without any value has one row, with its status.
func (r *Run) Long(name string) (*Tidy, error) {
	return r.tidy(name, r.Columns.head(), &longTable{r.longValues()})
}

func (r *Run) longValues() []longValue {
	statistics := func(name string, of func(*Row) Statistics) longValue {
		return longValue{name, "s", func(w *Row) Number { return of(w).Median }, func(w *Row) Number { return of(w).Low }, func(w *Row) Number { return of(w).High }}
	}
	latency := func(name string, of func(Rate) [3]Number) longValue {
		at := func(i int) func(*Row) Number { return func(w *Row) Number { return of(w.Rate.Get())[i] } }
		return longValue{name, "s", at(0), at(1), at(2)}
	}
	around := func(name, unit string, of, half func(*Row) Number) longValue {
		end := func(side float64) func(*Row) Number {
			return func(w *Row) Number { return Measured(of(w).Float() + side*half(w).Float()) }
		}
		return longValue{name, unit, of, end(-1), end(1)}
	}
	rate := func(name, unit string, of func(*Row) Number) longValue {
		by := func(t func(*Row) Number) func(*Row) Number {
			return func(w *Row) Number { return Measured(1e9 * of(w).Float() * w.Time.Median.Float() / t(w).Float()) }
		}
		return longValue{name, unit, by(func(w *Row) Number { return w.Time.Median }), by(func(w *Row) Number { return w.Time.High }), by(func(w *Row) Number { return w.Time.Low })}
	}
	all := []longValue{
		statistics("time", func(w *Row) Statistics { return w.Time }),
		statistics("hot_time", func(w *Row) Statistics { return w.Hot.Get() }),
		latency("latency_p50", func(t Rate) [3]Number { return [3]Number{t.P50, t.P50Low, t.P50High} }),
		latency("latency_p99", func(t Rate) [3]Number { return [3]Number{t.P99, t.P99Low, t.P99High} }),
		latency("latency_p999", func(t Rate) [3]Number { return [3]Number{t.P999, t.P999Low, t.P999High} }),
		rate("nominal_operations", "FLOP/s", func(w *Row) Number { return w.Work.GFLOPPerS }),
		rate("nominal_bytes", "B/s", func(w *Row) Number { return w.Memory.GBytePerS }),
		around("power", "W", func(w *Row) Number { return w.Power.Get().Total }, func(w *Row) Number { return w.Power.Get().Uncertainty }),
		around("energy", "J", func(w *Row) Number { return w.Energy.Get().Total }, func(w *Row) Number { return w.Energy.Get().Uncertainty }),
	}
	for _, c := range r.Columns.Rails {
		rail := func(of func(Rail) Number) func(*Row) Number {
			return func(w *Row) Number { return of(w.Rails[c.Column]) }
		}
		all = append(all,
			longValue{c.Column + "_power", "W", rail(func(x Rail) Number { return x.Power }), nil, nil},
			around(c.Column+"_energy", "J", rail(func(x Rail) Number { return x.Energy }), rail(func(x Rail) Number { return x.Uncertainty })))
	}
	var stages []string
	for i := range r.Rows {
		for _, s := range r.Rows[i].Stages {
			stages = union(stages, []string{s.Name})
		}
	}
	for _, name := range stages {
		of := func(x func(Stage) Number) func(*Row) Number {
			return func(w *Row) Number {
				for _, s := range w.Stages {
					if s.Name == name {
						return x(s)
					}
				}
				return Number{}
			}
		}
		all = append(all, longValue{"stage_" + name + "_time", "s", of(func(s Stage) Number { return s.Time }), of(func(s Stage) Number { return s.Low }), of(func(s Stage) Number { return s.High })},
			around("stage_"+name+"_energy", "J", of(func(s Stage) Number { return s.Energy }), of(func(s Stage) Number { return s.Uncertainty })))
	}
	return all
}

// rows repeats the cells of each of a run's rows for its values; nil repeats none.
func (l *longTable) rows(cells [][]string, of []Row) [][]string {
	if l == nil {
		return cells
	}
	var all [][]string
	for i := range of {
		none := true
		for _, v := range l.values {
			x := v.value(&of[i])
			if !x.IsSet() {
				continue
			}
			var low, high Number
			if v.low != nil {
				low, high = v.low(&of[i]), v.high(&of[i])
			}
			none = false
			all = append(all, append(slices.Clip(cells[i]), v.name, v.unit, string(x.append(nil)), string(low.append(nil)), string(high.append(nil))))
		}
		if none {
			all = append(all, append(slices.Clip(cells[i]), "", "", "", "", ""))
		}
	}
	return all
}

// columns returns those of LongColumns, called otherwise where a name is taken.
func (l *longTable) columns(taken map[string]bool) (list []TidyColumn) {
	if l == nil {
		return nil
	}
	kinds := kindsOf[LongColumns]()
	for i, name := range []string{"quantity", "unit", "value", "low", "high"} {
		for taken[name] {
			name += "_2"
		}
		list = append(list, TidyColumn{name, kinds[i]})
	}
	return list
}
