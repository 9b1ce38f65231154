package framework

import (
	"fmt"
	"strings"
)

// Description is what a Factory offers, for people and in JSON.
type Description struct {
	Name     string               `json:"name"`
	Doc      string               `json:"doc"`
	Source   string               `json:"source,omitempty"`
	Params   []ParamDescription   `json:"params"`
	Versions []VersionDescription `json:"versions"`
	Formulas map[string]string    `json:"formulas,omitempty"` // of counts, by name
}

// ParamDescription describes a Param.
type ParamDescription struct {
	Name       string `json:"name"`
	Doc        string `json:"doc"`
	Unit       string `json:"unit,omitempty"`
	Default    Value  `json:"default"`
	DefaultGPU *Value `json:"default_gpu,omitempty"`
	Range      string `json:"range"`
}

// VersionDescription describes a Version.
type VersionDescription struct {
	Name      string             `json:"name"`
	Doc       string             `json:"doc"`
	Processor Processor          `json:"processor"`
	Peer      bool               `json:"peer"`
	Tunables  map[string][]Value `json:"tunables,omitempty"` // values by name
}

// Describe returns the factory's description.
func (f *Factory) Describe() Description {
	d := Description{Name: f.Name, Doc: f.Doc, Source: f.Source, Formulas: map[string]string{}}
	for _, p := range f.Params {
		x := ParamDescription{Name: p.Name, Doc: p.Doc, Unit: p.Unit, Default: p.Default, Range: p.Range()}
		if p.DefaultGPU.IsSet() {
			x.DefaultGPU = &p.DefaultGPU
		}
		d.Params = append(d.Params, x)
	}
	for _, v := range f.Versions {
		x := VersionDescription{Name: v.Name, Doc: v.Doc, Processor: v.Processor, Peer: v.Peer, Tunables: map[string][]Value{}}
		for _, t := range v.Tunables {
			x.Tunables[t.Name] = t.List()
		}
		d.Versions = append(d.Versions, x)
	}
	for _, c := range f.Formulas {
		d.Formulas[c.Name] = c.Text
	}
	return d
}

// Range returns in words which values the parameter takes.
func (p Param) Range() string {
	switch {
	case p.Kind == Text:
		return strings.Join(p.Choices, ", ")
	case p.Min == 0 && p.Max == 0:
		return "any " + p.Kind.String()
	}
	return fmt.Sprintf("%.10g … %.10g", p.Min, p.Max)
}
