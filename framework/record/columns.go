package record

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
	"example.org/bench/internal/textfile"
)

// Columns are those that depend on the run: its parameters, tunables, power
// rails and temperatures.
type Columns struct {
	Params       []Column     `json:"params"`
	Tunables     []Column     `json:"tunables,omitempty"`
	Rails        []RailColumn `json:"rails,omitempty"`
	Temperatures []string     `json:"temperatures,omitempty"` // sensors
	State        []string     `json:"state,omitempty"`        // columns of the machine's clocks and throttling
	Clocks       []string     `json:"clocks,omitempty"`       // of points at a rate
	Counters     []Column     `json:"counters,omitempty"`
}

// Column is one parameter or tunable.
type Column struct {
	Name string `json:"name"`
	// Column is the name, or param_NAME, tunable_NAME where the name is taken.
	Column string `json:"column"`
	Kind   string `json:"kind"` // framework.Kind in words
}

// RailColumn is one power channel. Its columns are Column followed by
// _power_W, _energy_J and others.
type RailColumn struct {
	Column  string         `json:"column"`
	Sensor  string         `json:"sensor"`
	Channel string         `json:"channel"`
	Role    framework.Role `json:"role"`
	Counter bool           `json:"counter,omitempty"`
}

// columnsOf lists the columns of results, parameters and tunables in the order they come up.
func columnsOf(results []Result, g *gathered) (c Columns) {
	for _, r := range results {
		c.Params = collect(c.Params, r.Point.ParamOrder, r.Point.Params)
		c.Tunables = collect(c.Tunables, r.Point.TunableOrder, r.Point.Tunables)
	}
	g.columns(&c)
	return c
}

func collect(columns []Column, order []string, values framework.Values) []Column {
	for _, name := range order {
		v := values[name]
		at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == name })
		if at < 0 {
			columns = append(columns, Column{Name: name, Kind: v.Kind().String()})
			at = len(columns) - 1
		}
		columns[at].Kind = widest(columns[at].Kind, v.Kind().String())
	}
	return columns
}

// widest returns the kind that holds values of both kinds.
func widest(a, b string) string {
	for _, k := range []framework.Kind{framework.Text, framework.Float} {
		if a == k.String() || b == k.String() {
			return k.String()
		}
	}
	return framework.Int.String()
}

// settle gives every column a unique name.
func settle(columns []Column, prefix string, taken map[string]bool) {
	for i := range columns {
		name := columns[i].Name
		for taken[name] {
			name = prefix + name
		}
		taken[name] = true
		columns[i].Column = name
	}
}

// railNames gives each channel its column name: sensor and channel, with an
// underscore for every character that is not a letter or digit, and a number
// if names repeat.
func railNames(channels []measure.ChannelEnergy) []string {
	names := make([]string, len(channels))
	seen := map[string]int{}
	for i, c := range channels {
		name := identifier(c.Sensor + "_" + c.Channel)
		seen[name]++
		if n := seen[name]; n > 1 {
			name = fmt.Sprintf("%s_%d", name, n)
		}
		names[i] = name
	}
	return names
}

func identifier(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, s)
}

// parse reads a cell of the column.
func (c Column) parse(cell string, known textfile.Texts) (framework.Value, error) {
	if cell == "" {
		return framework.Value{}, nil
	}
	if c.Kind == framework.Text.String() {
		return framework.TextValue(known.Keep(cell)), nil
	}
	var v framework.Value
	if err := v.UnmarshalJSON([]byte(cell)); err != nil {
		return v, fmt.Errorf("column %s: %w", c.Column, err)
	}
	if c.Kind == framework.Float.String() {
		v = framework.FloatValue(v.Float())
	}
	return v, nil
}
