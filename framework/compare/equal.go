package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
	"example.org/bench/framework/stats"
	"example.org/bench/internal/terminal"
)

// OutlierAlpha bounds the chance that any of several equal devices is called an outlier.
const OutlierAlpha = 0.01

// Spread is how much devices of one model differ in a metric. A device's deviation is that of its
// value relative to the median of the devices, averaged over the points.
type Spread struct {
	Metric    string    `json:"metric"`             // as in --metric
	Model     string    `json:"model"`              // of the devices
	Devices   int       `json:"devices"`            // their number
	Points    int       `json:"points"`             // that all of them have
	Deviation float64   `json:"standard_deviation"` // standard deviation between the devices, outliers left out, relative
	Range     float64   `json:"range"`              // from the lowest device to the highest, relative
	Outliers  []Outlier `json:"outliers,omitempty"` // devices that are not like the others
}

// Outlier is a device that differs from the others of its model.
type Outlier struct {
	Device    string  `json:"device"`    // its name
	Deviation float64 `json:"deviation"` // from the median of the others, relative
}

// String returns the spread in one line.
func (s Spread) String() string {
	text := fmt.Sprintf("%s of %s of %s differs by %.2g %% (standard deviation), %.2g %% from the lowest to the highest", s.Metric, terminal.Count(s.Devices, "device"), s.Model, 100*s.Deviation, 100*s.Range)
	var names []string
	for _, o := range s.Outliers {
		names = append(names, fmt.Sprintf("%s (%+.2g %%)", o.Device, 100*o.Deviation))
	}
	if names != nil {
		text += "; unlike the others: " + strings.Join(names, ", ")
	}
	return text
}

// unit returns what tells a row's device from equal ones: its name in a merged run, or a discrete
// GPU's UUID; empty if unknown.
func unit(run *Run, w *record.Row) string {
	if len(run.Info.Merged) > 0 {
		return w.Device
	}
	name, ok := run.units[w.Device]
	if !ok {
		name = uuid(run, w)
		run.units[w.Device] = name
	}
	return name
}

func uuid(run *Run, w *record.Row) string {
	for _, d := range run.Info.Devices {
		if d.ID == w.Device && d.Facts != nil && !d.Facts.Integrated {
			return d.Facts.UUID
		}
	}
	return ""
}

// unitName returns the unit's name in tables.
func unitName(run *Run, w *record.Row) string {
	if len(run.Info.Merged) > 0 {
		return w.Device
	}
	return run.Name + " " + w.Device
}

// model returns the board if CPU and GPU are parts of one, else the GPU's or the CPU's name.
func model(run *Run, w *record.Row) string {
	key := deviceKey{w.Device, w.Processor}
	name, ok := run.models[key]
	if !ok {
		name = onFiles(run, w, findModel(run, w))
		run.models[key] = name
	}
	return name
}

// onFiles returns the name of the model if power and modes were those of a board's copied files: the board's
// for a processor, both for a GPU.
func onFiles(run *Run, w *record.Row, name string) string {
	switch board := run.Info.CopiedFiles; {
	case board == "":
		return name
	case w.Processor == framework.CPU:
		return board + ", copied files"
	default:
		return name + " with copied files of " + board
	}
}

func findModel(run *Run, w *record.Row) string {
	for _, d := range run.Info.Devices {
		machine := run.Info.Machine
		if d.Machine != nil {
			if d.ID != w.Device {
				continue
			}
			machine = *d.Machine
		}
		if d.Facts != nil {
			if d.Facts.Integrated && machine.Board != "" {
				return machine.Board
			}
			if d.ID == w.Device && d.Facts.Name != "" {
				return d.Facts.Name
			}
		} else if d.ID == w.Device && d.Machine != nil && w.Processor == framework.CPU && machine.CPU != "" {
			return machine.CPU
		}
	}
	if w.Processor == framework.CPU && run.Info.Machine.CPU != "" {
		return run.Info.Machine.CPU
	}
	return w.Device
}

// models finds the models and the units of each, by processor.
func (p *pairing) models() {
	if p.by != ByDevice {
		return
	}
	p.units = map[framework.Processor]map[string]map[string]string{}
	for i := range p.runs {
		run := &p.runs[i]
		for j := range run.Rows {
			w := &run.Rows[j]
			u := unit(run, w)
			if u == "" {
				continue
			}
			if p.units[w.Processor] == nil {
				p.units[w.Processor] = map[string]map[string]string{}
			}
			m := model(run, w)
			if p.units[w.Processor][m] == nil {
				p.units[w.Processor][m] = map[string]string{}
			}
			p.units[w.Processor][m][u] = unitName(run, w)
		}
	}
}

// deviceName returns a device's level: its model, which may have several devices, or the device
// itself if all are of one model.
func (p *pairing) deviceName(run *Run, w *record.Row) string {
	m, u := model(run, w), unit(run, w)
	if models := p.units[w.Processor]; u != "" && len(models) == 1 && len(models[m]) > 1 {
		return models[m][u]
	}
	return m
}

// spreads adds how much devices of one model differ.
func (c *Comparison) spreads(p *pairing, metrics []Metric) {
	if c.By != ByDevice {
		return
	}
	for _, metric := range metrics {
		for _, processor := range []framework.Processor{framework.CPU, framework.GPU} {
			models := p.units[processor]
			for _, name := range sortedKeys(models) {
				if len(models[name]) < 3 {
					continue
				}
				if s, ok := p.spread(metric, processor, name); ok {
					c.Spreads = append(c.Spreads, s)
				}
			}
		}
	}
}

// spread returns the spread of one model in one metric.
func (p *pairing) spread(metric Metric, processor framework.Processor, name string) (Spread, bool) {
	units := sortedKeys(p.units[processor][name])
	sum := make([]float64, len(units))
	s := Spread{Metric: metric.Name, Model: name, Devices: len(units)}
	for _, k := range p.order {
		logs := make([]float64, len(units))
		have := 0
		for _, l := range p.levels {
			if k.rows[l] == nil {
				continue
			}
			for _, e := range k.rows[l].all() {
				at := slices.Index(units, unit(e.run, e.row))
				if at < 0 || e.row.Status != record.OK || e.row.Processor != processor {
					continue
				}
				if x := metric.of(&entry{run: e.run, row: e.row}).Value; x > 0 {
					logs[at] = math.Log(x)
					have++
				}
			}
		}
		if have < len(units) {
			continue
		}
		s.Points++
		median := stats.Median(logs)
		for i := range sum {
			sum[i] += logs[i] - median
		}
	}
	if s.Points == 0 {
		return s, false
	}
	for i := range sum {
		sum[i] /= float64(s.Points)
	}
	out := stats.Outliers(sum, OutlierAlpha/float64(len(Metrics())))
	var like []float64
	for i, x := range sum {
		if !slices.Contains(out, i) {
			like = append(like, x)
		}
	}
	typical := stats.Median(like)
	for _, i := range out {
		s.Outliers = append(s.Outliers, Outlier{p.units[processor][name][units[i]], math.Expm1(sum[i] - typical)})
	}
	s.Deviation, s.Range = stats.Summarize(like).Stdev, math.Expm1(slices.Max(sum)-slices.Min(sum))
	return s, true
}
