package record

import (
	"maps"
	"slices"
	"time"
)

// gathered is what results have: columns that depend on the run, files that not every run has,
// and what Info tells of results.
type gathered struct {
	temperatures, state, clocks, counters map[string]bool
	rails                                 []RailColumn // in the order they come up
	libraries                             map[Library]bool
	peers                                 map[string]bool
	periods                               map[[2]string]float64 // of updates, by device and sensor
	has                                   optionalFiles         // latency goes with rates
	ended                                 time.Time
}

// take adds what one result has, of that device.
func (g *gathered) take(r *Result, device string) {
	for _, m := range []map[string]float64{r.TemperatureBefore, r.TemperatureAfter} {
		for name := range m {
			put(&g.temperatures, name, true)
		}
	}
	for column := range stateCells([]Result{*r}) {
		put(&g.state, column, true)
	}
	if r.Rate != nil {
		g.has.rates = true
		for _, m := range []map[string]float64{r.Rate.Before, r.Rate.After} {
			for name := range m {
				put(&g.clocks, name, true)
			}
		}
	}
	if r.Energy != nil {
		g.has.power = g.has.power || len(r.Energy.Samples) > 0
		for i, name := range railNames(r.Energy.Channels) {
			ch := r.Energy.Channels[i]
			g.rail(RailColumn{name, ch.Sensor, ch.Channel, ch.Role, ch.Counter})
			if at := [2]string{device, ch.Sensor}; g.periods[at] < ch.Period {
				put(&g.periods, at, ch.Period)
			}
		}
	}
	if r.Counters != nil {
		g.has.counters, g.has.kernels = true, g.has.kernels || len(r.Counters.Launches) > 0
		for name := range r.Counters.Values {
			put(&g.counters, name, true)
		}
	}
	g.has.stages = g.has.stages || len(r.Stages) > 0
	for _, l := range r.Libraries {
		put(&g.libraries, l, true)
	}
	if r.Point.Peer {
		put(&g.peers, r.Point.Version, true)
	}
	if end := r.Started.Add(time.Duration(r.Elapsed * float64(time.Second))); end.After(g.ended) {
		g.ended = end
	}
}

// rail adds the columns of a power channel, unless they are there.
func (g *gathered) rail(c RailColumn) {
	if !slices.ContainsFunc(g.rails, func(had RailColumn) bool { return had.Column == c.Column }) {
		g.rails = append(g.rails, c)
	}
}

// join adds what other results have.
func (g *gathered) join(o *gathered) {
	for _, names := range []struct{ to, from *map[string]bool }{
		{&g.temperatures, &o.temperatures}, {&g.state, &o.state}, {&g.clocks, &o.clocks}, {&g.counters, &o.counters}, {&g.peers, &o.peers},
	} {
		for name := range *names.from {
			put(names.to, name, true)
		}
	}
	for _, c := range o.rails {
		g.rail(c)
	}
	for l := range o.libraries {
		put(&g.libraries, l, true)
	}
	for at, period := range o.periods {
		put(&g.periods, at, max(period, g.periods[at]))
	}
	g.has = optionalFiles{g.has.rates || o.has.rates, g.has.counters || o.has.counters, g.has.power || o.has.power, g.has.latency || o.has.latency, g.has.kernels || o.has.kernels,
		g.has.stages || o.has.stages}
	if o.ended.After(g.ended) {
		g.ended = o.ended
	}
}

// period returns the longest update period that a sensor of a device showed, or of any device; 0:
// none did.
func (g *gathered) period(device, sensor string) (longest float64) {
	for at, period := range g.periods {
		if at[1] == sensor && (device == "" || at[0] == device) {
			longest = max(longest, period)
		}
	}
	return longest
}

// withPeriods returns the sensors with the longest update period that they showed, where
// nothing is known of it before.
func (g *gathered) withPeriods(sensors []Sensor) []Sensor {
	sensors = slices.Clone(sensors)
	for i, s := range sensors {
		if s.Period == 0 && s.Absent == "" {
			sensors[i].Period = g.period(s.Device, s.Name)
		}
	}
	return sensors
}

// columns adds the columns of what was gathered to parameters and tunables, and names all.
func (g *gathered) columns(c *Columns) {
	c.Temperatures, c.State, c.Clocks, c.Rails = sorted(g.temperatures), sorted(g.state), sorted(g.clocks), g.rails
	for _, name := range sorted(g.counters) {
		c.Counters = append(c.Counters, Column{Name: name, Kind: "float"})
	}
	taken := map[string]bool{}
	for _, name := range fixedColumns() {
		taken[name] = true
	}
	settle(c.Params, "param_", taken)
	settle(c.Tunables, "tunable_", taken)
	settle(c.Counters, "counter_", taken)
}

// sorted returns the names in a set; nil for none.
func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
