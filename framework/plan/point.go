package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
)

// Point is one version at one sweep point.
type Point struct {
	ID int `json:"id"` // number in the plan, from 0 in the order they run
	// Instance is set by Plan.Repeat. Each has its own worker process, memory and compiled code.
	Instance  int                 `json:"instance,omitempty"` // number of this instance of the point, from 0; absent: 0
	Algorithm string              `json:"algorithm"`          // its name
	Version   string              `json:"version"`            // its name
	Peer      bool                `json:"peer,omitempty"`     // true: another library's implementation
	Processor framework.Processor `json:"processor"`          // CPU or GPU
	Device    string              `json:"device"`             // "cpu", "cuda:0", "sim" or a described GPU
	// Shared and Device are the same in a plan; in a result Device is the GPU that ran the point.
	Shared    string           `json:"shared,omitempty"`              // the GPUs one of which runs the point, "cuda:0,1"; absent: "device" does
	PowerMode string           `json:"power_mode,omitempty"`          // the board's
	Params    framework.Values `json:"params" unit:"the parameter's"` // all parameters, defaults included
	Tunables  framework.Values `json:"tunables,omitempty"`            // all tunables of the version
	// Tuned is the source of tunables that are not the version's defaults.
	Tuned   string   `json:"tuned,omitempty"`
	Changed []string `json:"changed,omitempty"` // names of the tunables that are not the version's defaults; absent: all are
	// Skip is why the point will not run (a version not available here, a size that it does not
	// support); empty for a point to run.
	Skip string `json:"skip,omitempty"`
	// Bar ends timing early because a slower trial is not among the best. The Key does not contain it.
	Bar float64 `json:"bar_s,omitempty"` // of a trial on a GPU: beyond this timing ends early; absent: never
	// ParamOrder and TunableOrder are the orders of the columns. Values is a map because algorithms read and
	// write it by name.
	ParamOrder []string `json:"param_order"` // names of the parameters, in order
	// Usage names the parameters that say how an application uses the version (docs/rates.md). They are not
	// part of its problem.
	Usage        []string `json:"usage,omitempty"`
	TunableOrder []string `json:"tunable_order,omitempty"` // names of the tunables, in order
}

// Key identifies the point among all points of any plan. Two points with equal keys compute and
// measure the same.
func (p Point) Key() string {
	var b strings.Builder
	b.WriteString(p.Algorithm + "/" + p.Version + "@" + cmp.Or(p.Shared, p.Device))
	if p.PowerMode != "" {
		b.WriteString("#" + p.PowerMode)
	}
	for _, s := range []string{listed(p.ParamOrder, p.Params), p.TunablesText()} {
		if s != "" {
			b.WriteString(" " + s)
		}
	}
	if p.Instance > 0 {
		fmt.Fprintf(&b, " instance=%d", p.Instance)
	}
	return b.String()
}

// Settings returns the parameters and tunables as in the key: "N=64 P=4".
func (p Point) Settings() string {
	return strings.TrimSpace(listed(p.ParamOrder, p.Params) + " " + p.TunablesText())
}

// TunablesText returns the tunables as in the key: "P=4 L=64".
func (p Point) TunablesText() string { return listed(p.TunableOrder, p.Tunables) }

// ChangedText returns the tunables with their source, such as "P=4 L=64 (wisdom, exact size)";
// empty if all are the version's defaults.
func (p Point) ChangedText() string {
	if len(p.Changed) == 0 {
		return ""
	}
	return fmt.Sprintf("%s (%s)", p.TunablesText(), cmp.Or(p.Tuned, "set by the config"))
}

func listed(order []string, values framework.Values) string {
	words := make([]string, len(order))
	for i, n := range order {
		words[i] = n + "=" + values[n].String()
	}
	return strings.Join(words, " ")
}

// Hash returns a hash that identifies points in their order.
func Hash(points []Point) string {
	h := sha256.New()
	for _, p := range points {
		fmt.Fprintln(h, p.Key())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Problem identifies the inputs of the point. Points with equal problems share inputs and reference
// answer.
func (p Point) Problem() string {
	var b strings.Builder
	b.WriteString(p.Algorithm)
	for _, n := range p.ParamOrder {
		if !slices.Contains(p.Usage, n) {
			b.WriteString(" " + n + "=" + p.Params[n].String())
		}
	}
	return b.String()
}

// Own returns the parameters of the algorithm, without those of its usage.
func (p Point) Own() framework.Values {
	if len(p.Usage) == 0 {
		return p.Params
	}
	own := p.Params.Clone()
	for _, n := range p.Usage {
		delete(own, n)
	}
	return own
}

// Using returns the parameters of the usage.
func (p Point) Using() framework.Values {
	using := framework.Values{}
	for _, n := range p.Usage {
		using[n] = p.Params[n]
	}
	return using
}

// AxesText names a point by the values of what is swept.
func (p *Plan) AxesText(point Point) string {
	var words []string
	for _, x := range p.Axes {
		words = append(words, x.Name+" "+point.Params[x.Name].String())
	}
	return strings.Join(words, " ")
}
