package inspect

import (
	"encoding/json"
	"errors"
	"math"
	"testing"
	"time"

	"example.org/bench/framework"
)

func of(x float64) *float64 { return &x }

// A table of channels says what is not known of each, and copied files have no times.
func TestSensorListText(t *testing.T) {
	list := SensorList{Board: "a board", Sensors: []Sensor{
		{Name: "nvml", Absent: "no GPU"},
		{Name: "ina", Cost: 1e-3, Notes: []string{"averages"}, Channels: []Channel{
			{Channel: framework.Channel{Name: "VDD", Unit: "W", Role: framework.Total, Address: "1-0040"}, Value: of(3.5), Period: 0.1, Averaging: of(0.43), Seen: of(0.02)},
			{Channel: framework.Channel{Name: "GPU", Unit: "W", Role: framework.Part}, Averaging: of(0)},
			{Channel: framework.Channel{Name: "clock", Unit: "Hz", Role: framework.Part}, Value: of(1e9)},
			{Channel: framework.Channel{Name: "package", Unit: "J", Counter: true}, Value: of(7)},
		}}}}
	want := `board: a board

SENSOR  ADDRESS  CHANNEL  ROLE   FEEDS  READING     UPDATES EVERY   AVERAGED OVER  SEES        READING TAKES
ina     1-0040   VDD      total  -      3.5 W       100 ms          430 ms         20 ms       1 ms
ina     -        GPU      part   -      no reading  no change seen  nothing        not probed  1 ms
ina     -        clock    part   -      1000 MHz    no change seen  unknown        -           1 ms
ina     -        package         -      7 J         no change seen  unknown        all         1 ms

nvml: no GPU
ina: averages
`
	if got := list.Text(); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
	copied := SensorList{Copied: true, Sensors: []Sensor{{Name: "ina", Cost: 1, Channels: list.Sensors[1].Channels[:1]}}}
	want = `copied files: readings of when they were copied, and no times

SENSOR  ADDRESS  CHANNEL  ROLE   FEEDS  READING  UPDATES EVERY  AVERAGED OVER  SEES   READING TAKES
ina     1-0040   VDD      total  -      3.5 W    -              430 ms         20 ms  -

`
	if got := copied.Text(); got != want {
		t.Errorf("%s, want\n%s", got, want)
	}
}

// rail is a sensor of two channels, of which one gives no reading.
type rail struct {
	framework.Sensor
	failed bool
}

func (rail) Channels() []framework.Channel {
	return []framework.Channel{{Name: "a", Unit: "W"}, {Name: "b", Unit: "W"}}
}

func (r rail) Sample(dst []float64) error {
	if r.failed {
		return errors.New("gone")
	}
	dst[0], dst[1] = 1.5, math.NaN()
	return nil
}

// A moment's readings are a line, or an object by sensor; one that there is not is null.
func TestWatch(t *testing.T) {
	s := &Sensors{names: []string{"absent", "one", "two"}, open: map[string]framework.Sensor{"one": rail{}, "two": rail{failed: true}}}
	w := s.Watch(time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC))
	if got, want := w.String(), "07:08:09  a 1.5 W  b no reading  a no reading  b no reading"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	text, err := json.Marshal(w)
	if want := `{"one":{"a":1.5,"b":null},"time":"2024-05-06T07:08:09Z","two":{"a":null,"b":null}}`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}
