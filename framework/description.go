package framework

import (
	"fmt"
	"strings"
)

// Description is what a Factory offers, for people and in JSON.
type Description struct {
	Name     string               `json:"name"`               // as in configs
	Doc      string               `json:"doc"`                // one line
	Source   string               `json:"source,omitempty"`   // literature or library, by title
	Params   []ParamDescription   `json:"params"`             // parameters
	Versions []VersionDescription `json:"versions"`           // implementations
	Formulas map[string]string    `json:"formulas,omitempty"` // how operations and bytes are counted
}

// ParamDescription describes a Param.
type ParamDescription struct {
	Name       string `json:"name"`                                         // key in configs, column in CSVs
	Doc        string `json:"doc"`                                          // meaning
	Unit       string `json:"unit,omitempty"`                               // absent for a count
	Default    Value  `json:"default" unit:"the parameter's"`               // a number or a word
	DefaultGPU *Value `json:"default_gpu,omitempty" unit:"the parameter's"` // of GPU versions, where another
	Range      string `json:"range"`                                        // values that it takes, in words
}

// VersionDescription describes a Version.
type VersionDescription struct {
	Name      string             `json:"name"`               // as in configs
	Doc       string             `json:"doc"`                // one line
	Processor Processor          `json:"processor"`          // CPU or GPU
	OpenCL    bool               `json:"opencl,omitempty"`   // true: runs on devices of OpenCL
	CUDA      bool               `json:"cuda,omitempty"`     // true: runs on devices of CUDA
	Peer      bool               `json:"peer"`               // true: another library's implementation
	Tunables  map[string][]Value `json:"tunables,omitempty"` // values that a search tries, by name
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
		x := VersionDescription{Name: v.Name, Doc: v.Doc, Processor: v.Processor, Peer: v.Peer, Tunables: map[string][]Value{},
			OpenCL: v.Processor == GPU && v.Takes(true) && !f.External, CUDA: v.Processor == GPU && v.Takes(false) && !f.External}
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
