package inspect

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/terminal/digits"
)

// Text returns a table of the channels, followed by the absent sensors and the notes.
func (v SensorList) Text() string {
	var b strings.Builder
	if v.Board != "" {
		fmt.Fprintf(&b, "board: %s\n", v.Board)
	}
	if v.Copied {
		fmt.Fprintln(&b, "copied files: readings of when they were copied, and no times")
	}
	if v.Board != "" || v.Copied {
		fmt.Fprintln(&b)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	found := false
	for _, s := range v.Sensors {
		if s.Absent != "" {
			continue
		}
		if !found {
			fmt.Fprintln(w, "SENSOR\tADDRESS\tCHANNEL\tROLE\tFEEDS\tREADING\tUPDATES EVERY\tAVERAGED OVER\tSEES\tREADING TAKES")
		}
		found = true
		for _, c := range s.Channels {
			average := "unknown"
			if c.Averaging != nil {
				if average = digits.Stated(*c.Averaging, "s"); *c.Averaging == 0 {
					average = "nothing"
				}
			}
			period, cost := "no change seen", digits.Stated(s.Cost, "s")
			switch {
			case v.Copied:
				period, cost = "-", "-"
			case c.Period > 0:
				period = digits.Stated(c.Period, "s")
			}
			sees := "not probed"
			switch {
			case c.Counter:
				sees = "all"
			case c.Unit != "W":
				sees = "-"
			case c.Seen != nil:
				sees = digits.Stated(*c.Seen, "s")
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", s.Name, cmp.Or(c.Address, "-"), c.Name, c.Role, cmp.Or(c.Feeds, "-"), readingText(c.Channel, c.Value), period, average, sees, cost)
		}
	}
	w.Flush()
	if found {
		fmt.Fprintln(&b)
	}
	for _, s := range v.Sensors {
		if s.Absent != "" {
			fmt.Fprintf(&b, "%s: %s\n", s.Name, s.Absent)
		}
		for _, n := range s.Notes {
			fmt.Fprintf(&b, "%s: %s\n", s.Name, n)
		}
	}
	return b.String()
}

// readingText returns a channel's value in its unit.
func readingText(c framework.Channel, value *float64) string {
	if value == nil {
		return "no reading"
	}
	if c.Unit == "Hz" {
		return terminal.Megahertz(*value)
	}
	return digits.Stated(*value, c.Unit)
}

// Watched holds the readings of one moment. Its text is a line; its JSON is an object with the time and,
// by sensor, the values by channel.
type Watched struct {
	at    time.Time
	text  []string
	value map[string]map[string]*float64
}

// Watch reads each present sensor once.
func (s *Sensors) Watch(now time.Time) Watched {
	w := Watched{now, nil, map[string]map[string]*float64{}}
	for _, name := range s.names {
		sensor := s.open[name]
		if sensor == nil {
			continue
		}
		w.value[name] = map[string]*float64{}
		for _, c := range readings(sensor) {
			w.value[name][c.Name] = c.Value
			w.text = append(w.text, c.Name+" "+readingText(c.Channel, c.Value))
		}
	}
	return w
}

// Follow reads every sensor at once, and again after each interval until ctx ends or seen returns an
// error. seen gets the readings.
func (s *Sensors) Follow(ctx context.Context, interval time.Duration, seen func(Watched) error) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if err := seen(s.Watch(time.Now())); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// String returns the time of day and each channel's reading.
func (w Watched) String() string {
	return strings.Join(append([]string{w.at.Format(time.TimeOnly)}, w.text...), "  ")
}

// MarshalJSON implements json.Marshaler.
func (w Watched) MarshalJSON() ([]byte, error) {
	object := map[string]any{"time": w.at.UTC().Format(time.RFC3339Nano)}
	for sensor, values := range w.value {
		object[sensor] = values
	}
	return json.Marshal(object)
}
