package picture

import "example.org/bench/framework/record"

// Quantity is a quantity on a chart's ordinate.
type Quantity struct {
	Name  string // of the files of its charts
	Title string
	Unit  string // with an SI prefix in front
	// Meaning is a sentence on what is shown, if the title leaves it open.
	Meaning string
	// Bands says that intervals are bands along the lines, not bars.
	Bands bool
	// Level is a value with a line of its own; 0: none.
	Level     float64
	LevelName string

	cold  bool // from the series with flushed caches if there is one
	value func(*record.Row) record.Number
	// low and high are the error bar, and bar says what it is; nil for none.
	low, high func(*record.Row) record.Number
	bar       string
	// doubtful values are hollow: known less well than a table's "~" allows, or in
	// doubt for the reasons that the table gives; nil for none.
	doubtful func(*record.Row) bool
	// limit is a measured ceiling of the device; nil for none.
	limit     func(record.Ceilings) float64
	limitName string
}

// Quantities returns the quantities that the charts of a run show, in order. Rates are those that the run
// asks for.
func Quantities(run *record.Run) []Quantity {
	all := append([]Quantity{Time, HotTime}, peerSpeed(run)...)
	all = append(all, latencies()...)
	all = append(all, ceilingShare)
	all = append(all, rates(run)...)
	all = append(all, Power, Energy)
	return append(all, perJoule(run)...)
}

// BothRates returns Quantities with nominal rates and, below these, executed ones.
func BothRates(run *record.Run) (all []Quantity) {
	nominal, executed := *run, *run
	nominal.Rates, executed.Rates = record.NominalRates, record.ExecutedRates
	all = Quantities(&nominal)
	return append(append(all, rates(&executed)...), perJoule(&executed)...)
}

// Compact returns the quantities of a run with energy that fit on one page, with titles for short axes.
func Compact(run *record.Run) []Quantity {
	hot := HotTime
	hot.Title = "time, back to back"
	all := append([]Quantity{Time, hot}, rates(run)...)
	all = append(append(all, Power, Energy), perJoule(run)...)
	for i := range all {
		all[i].bar = "95 % intervals of the median, and of what the same sensor would measure again"
	}
	return all
}

// interval says what an error bar of a time, or of a rate by it, is, and repeatability what one of power or
// energy is.
const (
	interval      = "95 % interval of the median"
	repeatability = "95 % interval if the same sensor measured again"
)

// Time is the headline time: cold on a GPU, hot on a CPU.
var Time = Quantity{
	Name: "time", Title: "time of one run", Unit: "s", cold: true,
	value: func(w *record.Row) record.Number { return w.Time.Median },
	low:   func(w *record.Row) record.Number { return w.Time.Low },
	high:  func(w *record.Row) record.Number { return w.Time.High },
	bar:   interval, doubtful: (*record.Row).HollowTime,
}

// HotTime is a GPU's time with warm caches.
var HotTime = Quantity{
	Name: "time_hot", Title: "time of one run, back to back", Unit: "s",
	value: func(w *record.Row) record.Number { return w.Hot.Get().Median },
	low:   func(w *record.Row) record.Number { return w.Hot.Get().Low },
	high:  func(w *record.Row) record.Number { return w.Hot.Get().High },
	bar:   interval, doubtful: (*record.Row).HollowHot,
}

// peerSpeed returns how many times as fast as the fastest peer the versions are; none without a peer.
func peerSpeed(run *record.Run) []Quantity {
	p := run.PeerSpeeds()
	if p == nil {
		return nil
	}
	peer := "the fastest peer"
	if len(p.Peers) == 1 {
		peer = p.Peers[0]
	}
	return []Quantity{{
		Name: "peer_speed", Title: "speed relative to " + peer, cold: true, Bands: true, Level: 1, LevelName: "as fast as the peer",
		Meaning: "The fastest peer's median time at the same problem by the version's.",
		value:   p.Of, low: p.Low, high: p.High, bar: "95 % interval", doubtful: p.Hollow,
	}}
}

// ceilingShare is how near to the measured ceilings the versions come.
var ceilingShare = Quantity{
	Name: "ceiling_share", Title: "share of the measured ceiling", cold: true, Level: 1, LevelName: "the ceiling",
	Meaning:  "The share of the copy's or the multiply-add's measured rate, whichever is larger, by nominal bytes and operations.",
	doubtful: (*record.Row).HollowTime,
	value: func(w *record.Row) record.Number {
		if c, f := w.Memory.CopyShare, w.Work.FMAShare; !c.IsSet() || f.IsSet() && f.Float() > c.Float() {
			return f
		}
		return w.Memory.CopyShare
	},
}

// rates returns operations and bytes per second: nominal ones, with the bytes under the measured copy
// ceiling, or those that versions execute, load and store, which caches serve in part.
func rates(run *record.Run) []Quantity {
	flops := perSecond(run.FLOPRate)
	flops.Name, flops.Title, flops.Unit = "flops", "rate of operations", "FLOP/s"
	flops.Meaning = "Nominal operations, the same for every version, by the median time."
	bytes := perSecond(run.ByteRate)
	bytes.Name, bytes.Title, bytes.Unit = "throughput", "throughput", "B/s"
	bytes.Meaning = "Nominal bytes by the median time."
	if run.Rates == record.ExecutedRates {
		flops.Name, flops.Title = "executed_flops", "executed operations"
		flops.Meaning = "Operations that each version executes, as counted by hand, by the median time: how busy it keeps the device, and not how soon it is done."
		bytes.Name, bytes.Title = "accessed_throughput", "loads and stores"
		bytes.Meaning = "Bytes that each version loads and stores, as counted by hand, caches included, by the median time."
	} else {
		bytes.limit, bytes.limitName = func(c record.Ceilings) float64 { return c.Copy }, "measured copy"
	}
	return []Quantity{flops, bytes}
}

// perSecond returns a rate in 10^9 per second by the headline time, with the ends of the time's interval.
func perSecond(of func(*record.Row) record.Number) Quantity {
	return Quantity{
		cold: true, bar: interval, doubtful: (*record.Row).HollowTime,
		value: func(w *record.Row) record.Number { return scaled(of(w), 1e9) },
		low:   func(w *record.Row) record.Number { return scaled(of(w), 1e9*w.Time.Median.Float()/w.Time.High.Float()) },
		high:  func(w *record.Row) record.Number { return scaled(of(w), 1e9*w.Time.Median.Float()/w.Time.Low.Float()) },
	}
}

func scaled(x record.Number, factor float64) record.Number {
	return record.Measured(x.Float() * factor)
}

// Power is the mean power of the sustained runs, and Energy that of one run.
var (
	Power = Quantity{
		Name: "power", Title: "power", Unit: "W", Meaning: "The mean of the sustained runs.",
		value: func(w *record.Row) record.Number { return w.Power.Get().Total },
		low:   func(w *record.Row) record.Number { return beside(w.Power.Get().Total, w.Power.Get().Uncertainty, -1) },
		high:  func(w *record.Row) record.Number { return beside(w.Power.Get().Total, w.Power.Get().Uncertainty, 1) },
		bar:   repeatability, doubtful: (*record.Row).HollowPower,
	}
	Energy = Quantity{
		Name: "energy", Title: "energy of one run", Unit: "J",
		value: func(w *record.Row) record.Number { return w.Energy.Get().Total },
		low:   func(w *record.Row) record.Number { return energyAt(w, -1) },
		high:  func(w *record.Row) record.Number { return energyAt(w, 1) },
		bar:   repeatability, doubtful: (*record.Row).HollowPower,
	}
)

// energyAt returns an end of the interval of a row's energy, the lower one at side -1; not set if unknown.
func energyAt(w *record.Row, side float64) record.Number {
	return beside(w.Energy.Get().Total, w.Energy.Get().Uncertainty, side)
}

// beside returns a value minus or plus its uncertainty.
func beside(value, uncertainty record.Number, side float64) record.Number {
	if !value.IsSet() || !uncertainty.IsSet() {
		return record.Number{}
	}
	return record.Measured(value.Float() + side*uncertainty.Float())
}

// perJoule returns the operations and bytes per joule, nominal or executed.
func perJoule(run *record.Run) []Quantity {
	flops, bytes := byEnergy(run.FLOPsPerJoule), byEnergy(run.BytesPerJoule)
	flops.Name, flops.Title, flops.Unit = "flops_per_joule", "operations per joule", "FLOP/J"
	bytes.Name, bytes.Title, bytes.Unit = "bytes_per_joule", "bytes per joule", "B/J"
	if run.Rates == record.ExecutedRates {
		flops.Name, flops.Title = "executed_flops_per_joule", "executed per joule"
		flops.Meaning = "Operations that each version executes, by the energy of one run."
		bytes.Name, bytes.Title = "accessed_bytes_per_joule", "loads and stores per joule"
		bytes.Meaning = "Bytes that each version loads and stores, by the energy of one run."
	}
	return []Quantity{flops, bytes}
}

// byEnergy returns the quantity of in 10^9 per joule.
func byEnergy(of func(*record.Row) record.Number) Quantity {
	// at returns the quantity with the energy at one end of its interval.
	at := func(side float64) func(*record.Row) record.Number {
		return func(w *record.Row) record.Number {
			e := energyAt(w, side)
			if !e.IsSet() || !(e.Float() > 0) {
				return record.Number{}
			}
			return scaled(of(w), 1e9*w.Energy.Get().Total.Float()/e.Float())
		}
	}
	return Quantity{value: func(w *record.Row) record.Number { return scaled(of(w), 1e9) },
		low: at(1), high: at(-1), bar: repeatability, doubtful: (*record.Row).HollowPower}
}

// latencies returns percentiles of the latency with their intervals.
func latencies() []Quantity {
	percentile := func(name, title string, of func(record.Rate) [3]record.Number) Quantity {
		at := func(i int) func(*record.Row) record.Number {
			return func(w *record.Row) record.Number { return of(w.Rate.Get())[i] }
		}
		return Quantity{Name: name, Title: title, Unit: "s", value: at(0), low: at(1), high: at(2), bar: "95 % interval of the percentile"}
	}
	return []Quantity{
		percentile("latency_p99", "99th percentile of the latency", func(r record.Rate) [3]record.Number { return [3]record.Number{r.P99, r.P99Low, r.P99High} }),
		percentile("latency_p50", "median latency", func(r record.Rate) [3]record.Number { return [3]record.Number{r.P50, r.P50Low, r.P50High} }),
		percentile("latency_p99_9", "99.9th percentile of the latency", func(r record.Rate) [3]record.Number { return [3]record.Number{r.P999, r.P999Low, r.P999High} }),
	}
}
