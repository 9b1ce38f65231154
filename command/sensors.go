package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bench/framework"
	"bench/framework/experiment"
	"bench/framework/machine"
	"bench/framework/measure"
)

// watchInterval is how often --watch reads.
const watchInterval = time.Second

func (a *app) sensorsCommand() *cobra.Command {
	var f choices
	var watch bool
	cmd := &cobra.Command{
		Use:   "sensors",
		Short: "Show the power sensors: their rails, readings, update periods and the cost of a reading",
		Long: `Sensors opens every power sensor of this machine and lists its channels: the
rail's own name with its address, its role (total: the board's power is the sum of
these; part: contained in a total; carrier: outside the module), its reading, how
often its value changes, over how long a reading is averaged, and how long one
reading of the sensor takes. It watches each sensor for up to 1.5 s.

EXIT STATUS
  0    shown, even if some or all sensors are absent; --watch: interrupted
  1    the output cannot be written
  2    bad usage`,
		Example: `  bench sensors
  bench sensors --watch                       one line per second, until interrupted
  bench sensors --root testdata/jetson-tx2    a copied /sys`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			s := a.openSensors(cmd.Context(), f.root, f.device)
			defer s.close()
			switch {
			case watch:
				return a.watchSensors(cmd.Context(), s, f.json)
			case f.json:
				return a.printJSON(s.view())
			}
			return a.printSensors(s.view())
		},
	}
	f.devices(cmd, "cuda:0", onCUDA)
	f.flag(cmd, "root", "json: print JSON; with --watch one object per line")
	cmd.Flags().BoolVar(&watch, "watch", false, "read every second until interrupted")
	return cmd
}

// checkRoot is an error where the folder that --root names is none.
func checkRoot(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("the folder %s does not exist", root)
	case err == nil && !info.IsDir():
		err = fmt.Errorf("%s is no folder", root)
	}
	if err != nil {
		return usageError(fmt.Errorf("--root: %w", err))
	}
	return nil
}

// boardSensors are the open sensors of a machine.
type boardSensors struct {
	board  string
	absent map[string]string // reason by name
	names  []string          // of all, in order
	open   map[string]framework.Sensor
}

func (a *app) openSensors(ctx context.Context, root, device string) *boardSensors {
	facts, _ := machine.Tree(root).Facts() // the model, where it can be read
	b := &boardSensors{board: facts.Board, absent: map[string]string{}, open: map[string]framework.Sensor{}}
	cpu := framework.SensorEnv{Root: root}
	gpu := cpu
	if root == "/" {
		if f, err := experiment.Device(ctx, device); err == nil {
			gpu.GPU, gpu.PCI = f.UUID, f.PCIBusID
		}
	}
	for _, f := range a.registry.Sensors() {
		b.names = append(b.names, f.Name)
		s, err := openSensor(f, gpu, cpu)
		if err != nil {
			b.absent[f.Name] = strings.Join(strings.Fields(err.Error()), " ")
			continue
		}
		b.open[f.Name] = s
	}
	return b
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

func (b *boardSensors) close() {
	for _, s := range b.open {
		s.Close()
	}
}

// sensorsView is what bench sensors says, in JSON too.
type sensorsView struct {
	Board   string       `json:"board,omitempty"`
	Sensors []sensorView `json:"sensors"`
}

type sensorView struct {
	Name   string `json:"name"`
	Absent string `json:"absent,omitempty"` // why it is not there
	// Cost is how long reading all channels once takes.
	Cost float64 `json:"read_s,omitempty"`
	// Averaging is over how long a reading is averaged, the longest of the
	// channels'; absent where unknown.
	Averaging *float64      `json:"averaging_s,omitempty"`
	Channels  []channelView `json:"channels,omitempty"`
	Notes     []string      `json:"notes,omitempty"`
}

type channelView struct {
	framework.Channel
	Value  *float64 `json:"value"`                     // null: no reading
	Period float64  `json:"update_period_s,omitempty"` // 0: no changes seen
	// Averaging is that of the channel's own chip; absent where unknown.
	Averaging *float64 `json:"averaging_s,omitempty"`
}

func (b *boardSensors) view() sensorsView {
	v := sensorsView{Board: b.board}
	for _, name := range b.names {
		s := b.open[name]
		if s == nil {
			v.Sensors = append(v.Sensors, sensorView{Name: name, Absent: b.absent[name]})
			continue
		}
		p := measure.Probe(s)
		x := sensorView{Name: name, Cost: p.Cost, Notes: s.Notes()}
		x.Averaging = unlessNegative(p.Averaging)
		for i, value := range readings(s) {
			x.Channels = append(x.Channels, channelView{s.Channels()[i], value, p.Periods[i], unlessNegative(p.Averagings[i])})
		}
		v.Sensors = append(v.Sensors, x)
	}
	return v
}

func unlessNegative(x float64) *float64 {
	if x < 0 {
		return nil
	}
	return &x
}

// readings are the channels' values; nil for one without a reading.
func readings(s framework.Sensor) []*float64 {
	values := make([]float64, len(s.Channels()))
	err := s.Sample(values)
	list := make([]*float64, len(values))
	for i := range values {
		if err == nil && !math.IsNaN(values[i]) {
			list[i] = &values[i]
		}
	}
	return list
}

func (a *app) printSensors(v sensorsView) error {
	if v.Board != "" {
		fmt.Fprintf(a.out, "board: %s\n\n", v.Board)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	found := false
	for _, s := range v.Sensors {
		if s.Absent != "" {
			continue
		}
		if !found {
			fmt.Fprintln(w, "SENSOR\tADDRESS\tCHANNEL\tROLE\tREADING\tUPDATES EVERY\tAVERAGED OVER\tREADING TAKES")
		}
		found = true
		for _, c := range s.Channels {
			average := "unknown"
			if c.Averaging != nil {
				if average = seconds(*c.Averaging); *c.Averaging == 0 {
					average = "nothing"
				}
			}
			period := "no change seen"
			if c.Period > 0 {
				period = seconds(c.Period)
			}
			address := c.Address
			if address == "" {
				address = "-"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, address, c.Name, c.Role, reading(c.Channel, c.Value), period, average, seconds(s.Cost))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if found {
		fmt.Fprintln(a.out)
	}
	for _, s := range v.Sensors {
		if s.Absent != "" {
			fmt.Fprintf(a.out, "%s: %s\n", s.Name, s.Absent)
		}
		for _, n := range s.Notes {
			fmt.Fprintf(a.out, "%s: %s\n", s.Name, n)
		}
	}
	return nil
}

func reading(c framework.Channel, value *float64) string {
	if value == nil {
		return "no reading"
	}
	if c.Unit == "Hz" {
		return megahertz(*value)
	}
	return fmt.Sprintf("%.6g %s", *value, c.Unit)
}

// watchSensors prints a line a second until interrupted.
func (a *app) watchSensors(ctx context.Context, b *boardSensors, asJSON bool) error {
	if len(b.open) == 0 {
		return a.printSensors(b.view())
	}
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		object := map[string]any{"time": time.Now().UTC().Format(time.RFC3339Nano)}
		line := []string{time.Now().Format(time.TimeOnly)}
		for _, name := range b.names {
			s := b.open[name]
			if s == nil {
				continue
			}
			values := map[string]*float64{}
			for i, v := range readings(s) {
				c := s.Channels()[i]
				values[c.Name] = v
				line = append(line, c.Name+" "+reading(c, v))
			}
			object[name] = values
		}
		if asJSON {
			if err := json.NewEncoder(a.out).Encode(object); err != nil {
				return err
			}
		} else if _, err := fmt.Fprintln(a.out, strings.Join(line, "  ")); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}
