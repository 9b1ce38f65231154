package picture

import (
	"math"

	"example.org/bench/framework/axis"
	"example.org/bench/framework/record"
)

// MostReadings is how many readings of a channel a figure shows. Of more it
// shows every second, third, …
const MostReadings = 2000

// Trace is the readings of a point's power channels over time.
type Trace struct {
	X, Y     axis.Axis // seconds since the window's start, watts
	From, To float64   // of the readings and the window
	// Window is the length of the window in seconds; the window begins at 0.
	Window float64
	// Idle and Mean are powers of the totals together, in watts; Idle is NaN if it was not measured.
	Idle, Mean float64
	Lines      []Line // those that are not in the total are peers
}

// RailName returns the name of a line of a trace with the meaning of its dashes.
func RailName(l Line) string {
	if l.Peer {
		return l.Name + " (not in the total)"
	}
	return l.Name
}

// TraceOf returns the trace of a point; nil for a point without readings in watts. Counters are left out,
// since they show joules.
func TraceOf(run *record.Run, w *record.Row, samples []record.PowerSample) *Trace {
	power := w.Power.Get()
	if !power.Window.IsSet() {
		return nil
	}
	t := &Trace{Window: power.Window.Float(), Idle: power.Idle.Float(), Mean: power.Total.Float()}
	x, y := axis.NewSpan(), axis.NewSpan()
	for _, rail := range run.Columns.Rails {
		if rail.Counter {
			continue
		}
		l := Line{Name: rail.Channel, Style: len(t.Lines), Peer: rail.Role != "total"}
		if l.Points = Readings(samples, w.Point, rail.Sensor, rail.Channel, math.Inf(-1), math.Inf(1)); len(l.Points) == 0 {
			continue
		}
		for _, p := range l.Points {
			x.Include(p.X)
			y.Include(p.Y)
		}
		t.Lines = append(t.Lines, l)
	}
	if len(t.Lines) == 0 {
		return nil
	}
	x.Include(0, t.Window)
	y.Include(t.Idle)
	t.From, t.To = x.Min, x.Max
	t.Y = axis.FromZero(y, "power", "W")
	t.X = axis.Linear(x.Min, x.Max, 8, "time since the window's start (s)", "")
	return t
}

// Readings returns the readings of a channel for a point, from one time to another, thinned.
func Readings(samples []record.PowerSample, number int, sensor, channel string, from, to float64) (points []Point) {
	for _, s := range samples {
		if s.Point == number && s.Sensor == sensor && s.Channel == channel && s.Time.IsSet() && s.Value.IsSet() && s.Time.Float() >= from && s.Time.Float() <= to {
			points = append(points, Point{X: s.Time.Float(), Y: s.Value.Float()})
		}
	}
	step := max(1, (len(points)+MostReadings-1)/MostReadings)
	kept := points[:0]
	for i := 0; i < len(points); i += step {
		kept = append(kept, points[i])
	}
	return kept
}
