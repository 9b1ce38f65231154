// Package inspect reports what a machine, or a board's copied files, offers to measurements: power
// sensors with their readings, GPU, compilers, libraries, power modes, and settings that disturb. It
// measures no kernel.
package inspect

import (
	"context"
	"math"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/measure"
	"example.org/bench/framework/probes"
)

// Sensors are the open power sensors of a machine.
type Sensors struct {
	board  string
	copied bool
	names  []string          // of all sensors, in order
	absent map[string]string // reason by name
	open   map[string]framework.Sensor
}

// OpenSensors opens the sensors of the machine whose files are below root. On the live machine it also
// opens those of the GPU device, such as "cuda:0", if it exists. The caller closes them.
func OpenSensors(ctx context.Context, factories []framework.SensorFactory, root, device string) *Sensors {
	facts, _ := machine.Tree(root).Facts() // the model, where it can be read
	s := &Sensors{board: facts.Board, copied: !machine.Tree(root).IsLive(), absent: map[string]string{}, open: map[string]framework.Sensor{}}
	cpu := framework.SensorEnv{Root: root}
	gpu := cpu
	if root == "/" {
		if f, err := experiment.Device(ctx, device); err == nil {
			gpu.GPU, gpu.PCI = f.UUID, f.PCIBusID
		}
	}
	for _, f := range factories {
		s.names = append(s.names, f.Name)
		sensor, err := openSensor(f, gpu, cpu)
		if err != nil {
			s.absent[f.Name] = strings.Join(strings.Fields(err.Error()), " ")
			continue
		}
		s.open[f.Name] = sensor
		cpu.HasTotal = cpu.HasTotal || framework.HasTotal(sensor)
		gpu.HasTotal = cpu.HasTotal
	}
	return s
}

// openSensor opens a sensor of the GPU, or of the CPU.
func openSensor(f framework.SensorFactory, gpu, cpu framework.SensorEnv) (framework.Sensor, error) {
	s, err := f.Open(gpu)
	if err != nil && gpu != cpu {
		if s, err := f.Open(cpu); err == nil {
			return s, nil
		}
	}
	return s, err
}

// Close closes all sensors.
func (s *Sensors) Close() {
	for _, x := range s.open {
		x.Close()
	}
}

// None reports whether there is no sensor.
func (s *Sensors) None() bool { return len(s.open) == 0 }

// SensorList lists the sensors of a machine, present and absent, in JSON too.
type SensorList struct {
	Board string `json:"board,omitempty"` // model, where the firmware says
	// Copied is true for another machine's files, for which nothing is timed.
	Copied  bool     `json:"copied,omitempty"`
	Sensors []Sensor `json:"sensors"` // all kinds
}

// Sensor is a sensor of a SensorList.
type Sensor struct {
	Name   string  `json:"name"`             // kind
	Absent string  `json:"absent,omitempty"` // why it is absent
	Cost   float64 `json:"read_s,omitempty"` // that reading all channels once takes; absent for copied files
	// Averaging is the time over which a reading is averaged, the longest of the channels'; absent: unknown.
	Averaging *float64  `json:"averaging_s,omitempty"`
	Channels  []Channel `json:"channels,omitempty"` // what it reads
	Notes     []string  `json:"notes,omitempty"`    // what was left out, and why
}

// Channel is a quantity that a sensor reads, with its reading.
type Channel struct {
	framework.Channel
	Value     *float64 `json:"value" unit:"the channel's"` // null: no reading
	Period    float64  `json:"update_period_s,omitempty"`  // absent: no change was seen
	Averaging *float64 `json:"averaging_s,omitempty"`      // of the channel's chip; absent: unknown
	// Seen is the time of each update period that a reading covers, as --probe found; absent: not probed.
	Seen *float64 `json:"seen_s,omitempty"`
}

// List watches each sensor for up to 1.5 s (measure.Probe), except for copied files.
func (s *Sensors) List() SensorList {
	l, probe := SensorList{Board: s.board, Copied: s.copied}, measure.Probe
	if s.copied {
		probe = measure.Told
	}
	for _, name := range s.names {
		sensor := s.open[name]
		if sensor == nil {
			l.Sensors = append(l.Sensors, Sensor{Name: name, Absent: s.absent[name]})
			continue
		}
		p := probe(sensor)
		x := Sensor{Name: name, Cost: p.Cost, Averaging: unlessNegative(p.Averaging), Notes: sensor.Notes()}
		known, _ := probes.Of(sensor)
		for i, r := range readings(sensor) {
			c := Channel{r.Channel, r.Value, p.Periods[i], unlessNegative(p.Averagings[i]), nil}
			if seen, ok := known.Channels[r.Name]; ok {
				c.Seen = &seen.Window
			}
			x.Channels = append(x.Channels, c)
		}
		l.Sensors = append(l.Sensors, x)
	}
	return l
}

func unlessNegative(x float64) *float64 {
	if x < 0 {
		return nil
	}
	return &x
}

// reading is a channel's present value.
type reading struct {
	framework.Channel
	Value *float64 // in Unit; nil for no reading
}

func readings(s framework.Sensor) []reading {
	values := make([]float64, len(s.Channels()))
	err := s.Sample(values)
	list := make([]reading, len(values))
	for i, c := range s.Channels() {
		list[i].Channel = c
		if err == nil && !math.IsNaN(values[i]) {
			list[i].Value = &values[i]
		}
	}
	return list
}
