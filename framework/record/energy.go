package record

import (
	"bench/framework"
	"bench/framework/measure"
)

// totals are the sums over the total channels of one kind.
type totals struct {
	channels            int
	power, idle, energy float64
}

func (t *totals) add(c measure.ChannelEnergy) {
	t.channels++
	t.power += c.Power
	t.idle += c.Idle
	t.energy += c.Energy
}

func (t *totals) include(u totals) {
	t.channels += u.channels
	t.power += u.power
	t.idle += u.idle
	t.energy += u.energy
}

// power fills Power, Energy and Rails. A sensor may give the same total twice,
// by power channels and by energy counters: they are two views of one energy
// and never added. A channel without a reading (NaN) leaves the total empty.
func (row *Row) power(e *measure.Energy) {
	if e == nil {
		return
	}
	p := &row.Power
	p.Absent = e.Absent
	if e.Absent != "" || e.Runs == 0 || e.Window <= 0 {
		return
	}
	p.Window, p.Runs, p.Period = Measured(e.Window), Counted(e.Runs), positive(e.Period)
	runs := float64(e.Runs)

	row.Rails = map[string]Rail{}
	integrals, counters := map[string]totals{}, map[string]totals{}
	names := railNames(e.Channels)
	var sensors []string
	for i, c := range e.Channels {
		row.Rails[names[i]] = Rail{Measured(c.Power), Measured(c.Idle), Measured(c.Energy / runs)}
		if framework.Role(c.Role) != framework.Total {
			continue
		}
		if integrals[c.Sensor].channels+counters[c.Sensor].channels == 0 {
			sensors = append(sensors, c.Sensor)
		}
		kind := integrals
		if c.Counter {
			kind = counters
		}
		t := kind[c.Sensor]
		t.add(c)
		kind[c.Sensor] = t
	}
	if len(sensors) == 0 {
		p.Absent = "no channel measures the total"
		return
	}
	var chosen, integral, counter totals
	allIntegral, allCounter := true, true
	for _, s := range sensors {
		if integrals[s].channels > 0 {
			chosen.include(integrals[s])
		} else {
			chosen.include(counters[s])
			allIntegral = false
		}
		allCounter = allCounter && counters[s].channels > 0
		integral.include(integrals[s])
		counter.include(counters[s])
	}
	p.Total, p.Idle = Measured(chosen.power), Measured(chosen.idle)
	n := &row.Energy
	n.Total = Measured(chosen.energy / runs)
	n.RunTime = Measured(e.Window / runs)
	n.AboveIdle = n.Total.minus(p.Idle.times(n.RunTime.value))
	if allIntegral {
		n.Integral = Measured(integral.energy / runs)
	}
	if allCounter {
		n.Counter = Measured(counter.energy / runs)
	}
	n.EDP = n.Total.times(n.RunTime.value)
	p.PerWatt = row.Work.NominalFLOPs.number().over(n.Total).per(1e9)
}
