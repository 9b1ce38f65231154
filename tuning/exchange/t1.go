package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/bench/framework/expression"
	"example.org/bench/tuning"
)

// t1File is what a T1 file says of the space and the kernel; the rest (how to
// run the kernel) is the other tuner's.
type t1File struct {
	ConfigurationSpace  *t1Space   `json:"ConfigurationSpace"`
	KernelSpecification t1Kernel   `json:"KernelSpecification"`
	General             *t1General `json:"General,omitempty"`
	Budget              []t1Budget `json:"Budget,omitempty"`
	Search              *t1Search  `json:"Search,omitempty"`
}

type t1Space struct {
	TuningParameters []t1Parameter `json:"TuningParameters"`
	Conditions       []t1Condition `json:"Conditions"`
}

type t1Parameter struct {
	Name    string `json:"Name"`
	Type    string `json:"Type"`
	Values  any    `json:"Values"` // a string that holds a Python expression
	Default any    `json:"Default,omitempty"`
}

type t1Condition struct {
	Parameters []string `json:"Parameters"`
	Expression string   `json:"Expression"`
}

type t1Kernel struct {
	Language       string  `json:"Language"`
	KernelName     string  `json:"KernelName"`
	KernelFile     string  `json:"KernelFile"`
	GlobalSizeType string  `json:"GlobalSizeType,omitempty"`
	GlobalSize     t1Sizes `json:"GlobalSize"`
	LocalSize      t1Sizes `json:"LocalSize"`
	ProblemSize    any     `json:"ProblemSize,omitempty"`
	Device         any     `json:"Device,omitempty"`
	// SimulationInput is the path of a cache file.
	SimulationInput string       `json:"SimulationInput,omitempty"`
	CompilerOptions any          `json:"CompilerOptions,omitempty"` // a list, or one text
	SharedMemory    any          `json:"SharedMemory,omitempty"`
	GridDivX        []string     `json:"GridDivX,omitempty"`
	GridDivY        []string     `json:"GridDivY,omitempty"`
	GridDivZ        []string     `json:"GridDivZ,omitempty"`
	Arguments       []t1Argument `json:"Arguments,omitempty"`
	Modifiers       []t1Modifier `json:"Modifiers,omitempty"` // KTT's
	// ReferenceArguments are KTT's right answers.
	ReferenceArguments []t1Reference `json:"ReferenceArguments,omitempty"`
}

// t1Modifier changes an extent of a launch by a parameter.
type t1Modifier struct {
	Type      string `json:"Type"`      // Global or Local
	Dimension string `json:"Dimension"` // X, Y or Z
	Parameter string `json:"Parameter"`
	Action    string `json:"Action"` // such as Divide
}

// t1Argument is a kernel's argument.
type t1Argument struct {
	Name       string `json:"Name"`
	Type       string `json:"Type"`
	MemoryType string `json:"MemoryType"`
	MemType    string `json:"MemType,omitempty"` // Kernel Tuner's: Constant of one that is also a __constant__ variable
	AccessType string `json:"AccessType"`
	FillType   string `json:"FillType"`
	FillValue  any    `json:"FillValue,omitempty"`
	DataSource string `json:"DataSource,omitempty"`
	Size       any    `json:"Size,omitempty"`
	Output     any    `json:"Output,omitempty"`
	Order      int    `json:"Order,omitempty"` // KTT's, of arguments that are not in order
}

// t1Reference is the right answer of the argument TargetName.
type t1Reference struct {
	TargetName string `json:"TargetName"`
	FillType   string `json:"FillType"`
	DataSource string `json:"DataSource"`
}

type t1Sizes struct {
	X any `json:"X,omitempty"`
	Y any `json:"Y,omitempty"`
	Z any `json:"Z,omitempty"`
}

type t1General struct {
	FormatVersion any    `json:"FormatVersion,omitempty"`
	TimeUnit      string `json:"TimeUnit,omitempty"`
	OutputFormat  string `json:"OutputFormat,omitempty"`
	BenchmarkName string `json:"BenchmarkName,omitempty"`
	Objective     string `json:"Objective,omitempty"`
	Minimize      *bool  `json:"Minimize,omitempty"`
}

type t1Budget struct {
	Type        string `json:"Type"`
	BudgetValue any    `json:"BudgetValue"`
}

type t1Search struct {
	Name       string `json:"Name"`
	Attributes []any  `json:"Attributes"`
}

// ReadT1 reads a T1 file: parameters and conditions, without results.
func ReadT1(text []byte) (*Study, error) {
	s, err := readT1(text)
	return s, tuning.Brief(err)
}

func readT1(text []byte) (*Study, error) {
	var f t1File
	if err := decode(text, &f); err != nil {
		return nil, fmt.Errorf("T1 file: %w", err)
	}
	if f.ConfigurationSpace == nil || len(f.ConfigurationSpace.TuningParameters) == 0 {
		return nil, errors.New("T1 file: ConfigurationSpace.TuningParameters is needed")
	}
	s := &Study{Kernel: f.KernelSpecification.KernelName, ProblemSize: f.KernelSpecification.ProblemSize}
	for _, x := range f.ConfigurationSpace.TuningParameters {
		if x.Name == "" {
			return nil, errors.New("T1 file: a parameter has no Name")
		}
		p := Parameter{Name: x.Name}
		var err error
		if p.Values, err = t1Values(x); err != nil {
			return nil, fmt.Errorf("T1 file: values of %s: %w", x.Name, err)
		}
		if twice := p.distinct(); len(twice) > 0 {
			s.note("%s lists %s more than once; it counts once", x.Name, strings.Join(twice, ", "))
		}
		if x.Default != nil {
			if v, err := valueOf(x.Default); err == nil {
				p.Default = &v
			}
		}
		s.Parameters = append(s.Parameters, p)
	}
	for i, c := range f.ConfigurationSpace.Conditions {
		e, err := expression.ParsePython(c.Expression)
		if err != nil {
			return nil, fmt.Errorf("T1 file: condition %d: %w", i+1, err)
		}
		for _, n := range e.Names() {
			if s.parameter(n) < 0 {
				return nil, fmt.Errorf("T1 file: condition %d: %s is not a parameter", i+1, n)
			}
		}
		s.Conditions = append(s.Conditions, c.Expression)
	}
	return s, nil
}

// distinct drops the values that are there already, and returns these.
func (p *Parameter) distinct() (twice []string) {
	seen := map[any]bool{}
	p.Values = slices.DeleteFunc(p.Values, func(v expression.Value) bool {
		var key any = v.Number
		if v.IsWord {
			key = v.Word
		}
		again := seen[key]
		if again && !slices.Contains(twice, v.String()) {
			twice = append(twice, v.String())
		}
		seen[key] = true
		return again
	})
	return twice
}

func (s *Study) parameter(name string) int {
	for i, p := range s.Parameters {
		if p.Name == name {
			return i
		}
	}
	return -1
}

// t1Values are a parameter's: the text of a Python expression or, as some
// files have it, a list. Type int makes whole floats ints and bool numbers
// truths; float writes every number with a point.
func t1Values(p t1Parameter) ([]expression.Value, error) {
	var values []expression.Value
	switch x := p.Values.(type) {
	case string:
		var err error
		if values, err = expression.PythonValues(x); err != nil {
			return nil, err
		}
	case []any:
		for _, y := range x {
			v, err := valueOf(y)
			if err != nil {
				return nil, err
			}
			values = append(values, v)
		}
	default:
		return nil, errors.New("want a string with a list")
	}
	for i := range values {
		v := &values[i]
		switch p.Type {
		case "float":
			v.Float = !v.IsWord
		case "int", "uint":
			if v.IsWord || v.Number != float64(int64(v.Number)) {
				return nil, fmt.Errorf("%s is not a whole number, and Type is %s", v, p.Type)
			}
			v.Float = false
		case "string":
			*v = expression.Value{Word: v.String(), IsWord: true}
		}
	}
	if len(values) == 0 {
		return nil, errors.New("the list is empty")
	}
	return values, nil
}

// WriteT1 writes a study's space as a T1 file.
func WriteT1(out io.Writer, s *Study) error {
	minimize := true
	f := t1File{
		ConfigurationSpace: &t1Space{Conditions: []t1Condition{}},
		KernelSpecification: t1Kernel{Language: "CUDA", KernelName: s.Kernel, KernelFile: s.Kernel + ".cu", GlobalSizeType: "CUDA",
			GlobalSize: t1Sizes{X: "1", Y: "1", Z: "1"}, LocalSize: t1Sizes{X: "1", Y: "1", Z: "1"},
			Device: map[string]any{"Name": s.Device, "DeviceId": 0, "PlatformId": 0}},
		General: &t1General{FormatVersion: 1, TimeUnit: "Milliseconds", OutputFormat: "JSON", BenchmarkName: s.Kernel, Objective: "time", Minimize: &minimize},
		Search:  &t1Search{Name: "brute_force", Attributes: []any{}},
		Budget:  []t1Budget{{"ConfigurationCount", max(1, len(s.Results))}},
	}
	for _, p := range s.Parameters {
		x := t1Parameter{Name: p.Name, Type: typeOf(p.Values), Values: pythonList(p.Values)}
		if p.Default != nil {
			x.Default = scalar(*p.Default)
		} else if len(p.Values) > 0 {
			x.Default = scalar(p.Values[0])
		}
		f.ConfigurationSpace.TuningParameters = append(f.ConfigurationSpace.TuningParameters, x)
	}
	for _, c := range s.Conditions {
		e, err := expression.ParsePython(c)
		if err != nil {
			return err
		}
		f.ConfigurationSpace.Conditions = append(f.ConfigurationSpace.Conditions, t1Condition{e.Names(), c})
	}
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(f)
}

func typeOf(values []expression.Value) string {
	kind := "int"
	for _, v := range values {
		switch {
		case v.IsWord:
			return "string"
		case v.Bool:
			kind = "bool"
		case v.Float:
			kind = "float"
		}
	}
	return kind
}

// pythonList writes values as Python would read them.
func pythonList(values []expression.Value) string {
	var parts []string
	for _, v := range values {
		text := v.String()
		if v.IsWord {
			text = "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(v.Word) + "'"
		}
		parts = append(parts, text)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
