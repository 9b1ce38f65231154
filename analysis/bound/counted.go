package bound

import (
	"maps"
	"slices"

	"example.org/bench/framework/record"
)

// Counts are the values of the GPU's counters at a point, beside the model's.
type Counts struct {
	Counters []Counter `json:"counters"` // the counters of one run
	// Uses is how busy memories are by the bytes that were counted and the measured ceilings.
	Uses []Use `json:"uses,omitempty"`
}

// Counter is one counter.
type Counter struct {
	Name  string  `json:"name"`            // as the config has it
	Value float64 `json:"value"`           // what was counted
	Model float64 `json:"model,omitempty"` // what the model has of the same; absent: nothing
}

// modelled returns the model's value for a run, by the metric that counts the same.
var modelled = map[string]func(sums) float64{
	"dram__bytes.sum":                func(s sums) float64 { return s.memory },
	"lts__t_sectors_srcunit_tex.sum": func(s sums) float64 { return s.l2 },
	"sm__inst_executed.sum":          func(s sums) float64 { return s.instructions },
	"smsp__inst_executed.sum":        func(s sums) float64 { return s.instructions },
}

// CountsOf compares a row's counters with the model's values; nil if the row has none.
func CountsOf(w Why, row *record.Row, c record.Ceilings) *Counts {
	if len(row.Counters) == 0 {
		return nil
	}
	counts := &Counts{Counters: []Counter{}}
	model := sumOf(w)
	for _, name := range slices.Sorted(maps.Keys(row.Counters)) {
		x := Counter{Name: name, Value: row.Counters[name]}
		if of := modelled[name]; of != nil {
			x.Model = of(model)
		}
		counts.Counters = append(counts.Counters, x)
	}
	for _, level := range []struct {
		name    string
		class   Class
		bytes   record.Number
		ceiling float64
	}{{"memory", Memory, row.DRAMBytes(), c.Copy}, {"L2", L2, row.L2Bytes(), c.L2}} {
		if x := level.bytes.Float(); x > 0 && level.ceiling > 0 && w.Time > 0 {
			counts.Uses = append(counts.Uses, Use{level.name, x / level.ceiling / w.Time, level.class})
		}
	}
	return counts
}

// Text returns the counter with the model's value.
func (c Counter) Text() string {
	text := c.Name + " " + short(c.Value)
	if c.Model > 0 {
		text += " (" + short(c.Model) + " by the model)"
	}
	return text
}
