package kernel

import (
	"bytes"
	"encoding/json"
	"strings"

	"example.org/bench/framework"
)

// definition is the value of {"cuda": …} or {"opencl": …} in a config. configs/schema.json describes its
// form, docs/kernels.md the meaning of its keys.
type definition struct {
	Name         string     `json:"name"`
	Doc          string     `json:"doc"`
	Literature   string     `json:"literature"`
	Params       []param    `json:"params"`
	Requires     []formula  `json:"requires"`
	Arguments    []argument `json:"arguments"`
	NominalFLOPs formula    `json:"nominal_flops"`
	NominalBytes formula    `json:"nominal_bytes"`
	Items        *items     `json:"items"`
	Verify       verify     `json:"verify"`
	Versions     []version  `json:"versions"`
	code
}

// code is the part of a definition that a version may have of its own.
type code struct {
	Source sources `json:"source"`
	// OpenCLSource has the same kernels in OpenCL C, for devices of OpenCL.
	OpenCLSource sources           `json:"opencl_source"`
	Kernels      []launch          `json:"kernels"`
	Constants    []constant        `json:"constants"`
	Defines      map[string]define `json:"defines"`
	Options      []option          `json:"options"`
	Benign       []benign          `json:"benign"`
	Tunables     []tunable         `json:"tunables"`
	Constraints  []formula         `json:"constraints"`
	FLOPs        formula           `json:"flops"`
	LoadBytes    formula           `json:"load_bytes"`
	StoreBytes   formula           `json:"store_bytes"`
}

// benign is a line of the source whose races and reads of unwritten memory are harmless.
type benign struct {
	Line   string `json:"line"` // such as bfs.cu:30
	Reason string `json:"reason"`
}

type param struct {
	Name    string          `json:"name"`
	Doc     string          `json:"doc"`
	Kind    string          `json:"kind"`
	Default framework.Value `json:"default"`
	Min     *float64        `json:"min"`
	Max     *float64        `json:"max"`
	Choices []string        `json:"choices"`
	Unit    string          `json:"unit"`
	Define  bool            `json:"define"`
}

type argument struct {
	Name  string  `json:"name"`
	Type  string  `json:"type"`
	Value formula `json:"value"`
	Size  formula `json:"size"`
	// Shape gives the extents of a vector instead of its size.
	Shape []formula `json:"shape"`
	// Space is the address space of a kernel's parameter in OpenCL C.
	Space string `json:"space"`
	Use   string `json:"use"`
	Fill  *fill  `json:"fill"`
	// Compare is how an answer is compared; "" means element by element.
	Compare string `json:"compare"`
	// Fields makes a structure, or a vector of structures.
	Fields []argument `json:"fields"`
	// From makes a pointer into the argument of that name or, with several names or For, an array of pointers.
	From   sources `json:"from"`
	Offset formula `json:"offset"`
	// Layered and Sampler belong to a texture or a surface over From.
	Layered bool               `json:"layered"`
	Sampler *sampler           `json:"sampler"`
	For     map[string]formula `json:"for"`
}

// constant is a __constant__ or __device__ variable of the source.
type constant struct {
	argument
	From string `json:"from"` // an argument's name
}

// Uses of a vector.
const (
	input   = "input"
	output  = "output"
	inPlace = "in_place"
	scratch = "scratch"
)

// localSpace is the space of memory that belongs to one work-group, and to which nothing is copied.
const localSpace = "local"

// isLocal reports whether the argument is local memory.
func (a *argument) isLocal() bool { return a.Space == localSpace }

func (a *argument) isVector() bool { return a.Size != "" && !a.isLocal() }

// isWritten reports whether each run writes every element of the vector, so that each is compared.
func (a *argument) isWritten() bool {
	return a.Use == output && a.Fill == nil && (a.Compare == "" || a.Compare == byElement)
}

// isAnswer reports whether a run writes its answer to the vector.
func (a *argument) isAnswer() bool { return a.Use == output || a.Use == inPlace }

// isFilled reports whether the vector holds something before the first run.
func (a *argument) isFilled() bool { return a.Fill != nil }

type fill struct {
	Random   []float64 `json:"random"`
	Keep     bool      `json:"keep"` // for every kind of inputs
	Constant *float64  `json:"constant"`
	File     string    `json:"file"`
}

// launch is a launch of a kernel or, if it has For, a loop around launches.
type launch struct {
	Name        string   `json:"name"`
	Grid        extent   `json:"grid"`
	Block       extent   `json:"block"`
	Global      extent   `json:"global"` // instead of Grid and Block: work-items in all
	Local       extent   `json:"local"`  // work-items of a work-group
	SharedBytes formula  `json:"shared_bytes"`
	Cooperative bool     `json:"cooperative"`
	Arguments   []string `json:"arguments"`
	When        formula  `json:"when"`

	For     map[string]formula `json:"for"`
	Kernels []launch           `json:"kernels"`
}

// first returns the first launch of a list.
func first(list []launch) launch {
	for len(list) > 0 {
		if list[0].For == nil {
			return list[0]
		}
		list = list[0].Kernels
	}
	return launch{}
}

type tunable struct {
	Name    string            `json:"name"`
	Doc     string            `json:"doc"`
	Values  []framework.Value `json:"values"`
	Default formula           `json:"default"`
	Define  *bool             `json:"define"`
}

type items struct {
	Name  string  `json:"name"`
	Count formula `json:"count"`
}

type verify struct {
	C         *function                    `json:"c"`
	Kernels   []launch                     `json:"kernels"`
	Source    sources                      `json:"source"`
	Program   []string                     `json:"program"`
	Files     map[string]string            `json:"files"`
	None      string                       `json:"none"`
	Tolerance tolerance                    `json:"tolerance"`
	At        []map[string]framework.Value `json:"at"`
}

// function is a C function.
type function struct {
	Source   string   `json:"source"`
	Function string   `json:"function"`
	Options  []option `json:"options"`
	Double   bool     `json:"double"`
}

type version struct {
	Name       string    `json:"name"`
	Doc        string    `json:"doc"`
	Literature string    `json:"literature"`
	C          *function `json:"c"`
	code
}

// sources is one or more files.
type sources []string

// UnmarshalJSON reads a name or a list of names.
func (s *sources) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, (*[]string)(s))
	}
	*s = sources{""}
	return json.Unmarshal(b, &(*s)[0])
}

func (s sources) String() string { return strings.Join(s, ", ") }

// formula is an expression as written: a number or a string. It is empty if there is none.
type formula string

// UnmarshalJSON reads a number, a truth or a string.
func (f *formula) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] != '"' {
		*f = formula(b)
		return nil
	}
	return json.Unmarshal(b, (*string)(f))
}

// extent is one to three formulas.
type extent []formula

// UnmarshalJSON reads a formula or a list of formulas.
func (e *extent) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("[")) {
		return json.Unmarshal(b, (*[]formula)(e))
	}
	*e = extent{""}
	return json.Unmarshal(b, &(*e)[0])
}

// tolerance is one number for every output, or one for each.
type tolerance struct {
	All   *float64
	Named map[string]float64
}

// UnmarshalJSON reads a number or an object of numbers.
func (t *tolerance) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("{")) {
		return json.Unmarshal(b, &t.Named)
	}
	return json.Unmarshal(b, &t.All)
}
