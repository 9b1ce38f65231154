package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework/expression"
	"example.org/bench/internal/lazy"
)

// The parts of a config of a .cu or .cl file's kernels that a T1 file has (docs/kernels.md).
type (
	kernelConfig struct {
		Algorithm map[string]kernelCode `json:"algorithm"` // by interface
	}
	kernelCode struct {
		key         string           // of the interface: "cuda" or "opencl"
		Source      string           `json:"source"`
		Arguments   []kernelArgument `json:"arguments"`
		Constants   []kernelConstant `json:"constants,omitempty"`
		Kernels     []kernelLaunch   `json:"kernels"`
		Defines     map[string]int   `json:"defines"`
		Options     []string         `json:"options,omitempty"`
		Tunables    []kernelTunable  `json:"tunables"`
		Constraints []string         `json:"constraints,omitempty"`
		Verify      kernelVerify     `json:"verify"`
		generated   []generated      // files that it needs beside it
	}
	kernelArgument struct {
		Name  string      `json:"name"`
		Type  string      `json:"type"`
		Value any         `json:"value,omitempty"`
		Size  int64       `json:"size,omitempty"`
		Space string      `json:"space,omitempty"` // in OpenCL
		Use   string      `json:"use,omitempty"`
		Fill  *kernelFill `json:"fill,omitempty"`
	}
	kernelFill struct {
		Random   []float64 `json:"random,omitempty"`
		Constant *float64  `json:"constant,omitempty"`
		File     string    `json:"file,omitempty"`
	}
	kernelConstant struct {
		Name string `json:"name"`
		From string `json:"from"`
	}
	kernelLaunch struct {
		Name        string   `json:"name"`
		Grid        []string `json:"grid"`
		Block       []string `json:"block"`
		SharedBytes string   `json:"shared_bytes,omitempty"`
	}
	kernelTunable struct {
		Name    string `json:"name"`
		Values  []any  `json:"values"`
		Default any    `json:"default,omitempty"` // of a word an expression, in quotes
	}
	kernelVerify struct {
		Files map[string]string `json:"files,omitempty"`
		None  string            `json:"none,omitempty"`
	}
)

// t1Types are the types of a T1 file's arguments in configs.
var t1Types = map[string]string{
	"float": "f32", "double": "f64", "half": "f16", "char": "i8", "int8": "i8", "uint8": "u8", "int16": "i16", "short": "i16", "uint16": "u16",
	"int": "i32", "int32": "i32", "uint": "u32", "uint32": "u32", "unsignedint": "u32", "int64": "i64", "uint64": "u64", "float2": "f32x2", "float4": "f32x4", "int2": "i32x2", "int4": "i32x4",
	"double2": "f64x2", "half2": "f16x2",
}

// converter makes a config of a T1 file.
type converter struct {
	path     string // of the T1 file
	config   string // path of the config
	file     t1File
	study    *Study
	problem  []int64
	tunables map[string][]expression.Value
	ranges   expression.Ranges // of the tunables
	note     Note

	generated []generated
}

// convertKernel makes a config at the path config of the kernel of the T1 file at path; note is given what it
// has in another way.
func convertKernel(path, config string, note Note) (*kernelCode, *Study, error) {
	text, err := readMaybeGzip(path)
	if err != nil {
		return nil, nil, err
	}
	c := converter{path: path, config: config, note: note, tunables: map[string][]expression.Value{}, ranges: expression.Ranges{}}
	if c.study, err = ReadT1(text); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := decode(text, &c.file); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	k, err := c.kernel()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	if c.file.KernelSpecification.KernelFile == "" {
		return nil, nil, fmt.Errorf("%s: KernelSpecification.KernelFile is needed", path)
	}
	if k.Source, _, err = beside(path, filepath.Dir(config), c.file.KernelSpecification.KernelFile); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return k, c.study, nil
}

// beside returns the path of a file that stands beside the T1 file at path or in the folder above it: relative to the config's
// folder, and as it is.
func beside(path, folder, name string) (relative, at string, err error) {
	if filepath.IsAbs(name) {
		return name, name, nil
	}
	at = filepath.Join(filepath.Dir(path), name)
	if _, err := os.Stat(at); err != nil {
		above := filepath.Join(filepath.Dir(path), "..", name)
		if _, err := os.Stat(above); err == nil {
			at = above
		}
	}
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", "", err
	}
	to, err := filepath.Abs(at)
	if err != nil {
		return "", "", err
	}
	relative, err = filepath.Rel(from, to)
	return relative, at, err
}

func (c *converter) kernel() (*kernelCode, error) {
	s := &c.file.KernelSpecification
	if s.Language != "" && !strings.EqualFold(s.Language, "CUDA") && !c.opencl() {
		return nil, fmt.Errorf("the kernel is in %s; want CUDA or OpenCL", s.Language)
	}
	k := &kernelCode{key: "cuda", Defines: map[string]int{"kernel_tuner": 1}}
	if c.opencl() {
		k.key = "opencl"
	}
	var err error
	if k.Tunables, err = c.convertTunables(); err != nil {
		return nil, err
	}
	for i, text := range c.study.Conditions {
		e, err := expression.ParsePython(text)
		if err != nil {
			return nil, fmt.Errorf("condition %d: %w", i+1, err)
		}
		condition, err := e.ExprCondition(c.ranges)
		if err != nil {
			return nil, fmt.Errorf("condition %d, %s: %w", i+1, text, err)
		}
		k.Constraints = append(k.Constraints, condition)
	}
	if c.problem, err = problemSize(s.ProblemSize); err != nil {
		return nil, err
	}
	launch, err := c.launch()
	if err != nil {
		return nil, err
	}
	k.Kernels = []kernelLaunch{*launch}
	slices.SortStableFunc(s.Arguments, func(a, b t1Argument) int { return cmp.Compare(a.Order, b.Order) })
	for i, a := range s.Arguments {
		if a.Name == "" {
			a.Name = fmt.Sprint("argument", i+1)
		}
		argument, err := c.argument(a)
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", a.Name, err)
		}
		if strings.EqualFold(a.MemType, "Constant") && c.opencl() {
			argument.Space = "constant"
		}
		k.Arguments = append(k.Arguments, *argument)
		if strings.EqualFold(a.MemType, "Constant") && !c.opencl() {
			k.Constants = append(k.Constants, kernelConstant{a.Name, a.Name})
		}
	}
	if len(k.Arguments) == 0 {
		return nil, errors.New("KernelSpecification.Arguments is needed")
	}
	options, err := texts(s.CompilerOptions)
	if err != nil {
		return nil, fmt.Errorf("CompilerOptions: %w", err)
	}
	for _, o := range options {
		if strings.TrimSpace(o) != "" { // which stands for none
			k.Options = append(k.Options, o)
		}
	}
	k.Verify.None = "the T1 file has no right answer; want c, kernels, program or files here (docs/kernels.md, verification)"
	if err := c.reference(k); err != nil {
		return nil, err
	}
	k.generated = c.generated
	return k, nil
}

// argument converts one argument.
func (c *converter) argument(a t1Argument) (*kernelArgument, error) {
	k := &kernelArgument{Name: a.Name, Type: t1Types[strings.ToLower(a.Type)]}
	if k.Type == "" {
		return nil, fmt.Errorf("the type %q is unknown", a.Type)
	}
	switch a.MemoryType {
	case "Scalar":
		k.Value = a.FillValue
		if text, is := a.FillValue.(string); is { // an expression
			var err error
			if k.Value, err = c.size(text); err != nil {
				return nil, fmt.Errorf("FillValue: %w", err)
			}
		}
		return k, nil
	case "Vector", "Local":
	default:
		return nil, fmt.Errorf("the memory type %q is unknown; want Scalar, Vector or Local", a.MemoryType)
	}
	var err error
	if k.Size, err = c.count(a.Size); err != nil {
		return nil, fmt.Errorf("size: %w", err)
	}
	if a.MemoryType == "Local" {
		k.Space = "local"
		return k, nil
	}
	switch {
	case a.AccessType == "ReadWrite":
		k.Use = "in_place"
	case a.AccessType == "WriteOnly" || a.Output != nil && fmt.Sprint(a.Output) != "0" && fmt.Sprint(a.Output) != "false":
		k.Use = "output"
		if a.FillType != "Constant" { // which a kernel may add to
			return k, nil
		}
	}
	switch a.FillType {
	case "Constant":
		v, err := valueOf(a.FillValue)
		if err != nil || v.IsWord {
			return nil, fmt.Errorf("FillValue is %v; want a number", a.FillValue)
		}
		k.Fill = &kernelFill{Constant: &v.Number}
	case "Random":
		c.note("argument %s: random numbers are uniform from -1 to 1 here", a.Name)
		k.Fill = &kernelFill{Random: []float64{-1, 1}}
	case "BinaryRaw":
		path, _, err := beside(c.path, filepath.Dir(c.config), a.DataSource)
		if err != nil {
			return nil, err
		}
		k.Fill = &kernelFill{File: path}
	case "Generator":
		name, err := c.generate(a.Name, k.Type, a.DataSource, k.Size)
		if err != nil {
			return nil, err
		}
		k.Fill = &kernelFill{File: name}
	default:
		return nil, fmt.Errorf("FillType %q is unknown; want Constant, Random, Generator or BinaryRaw", a.FillType)
	}
	return k, nil
}

var (
	ofProblem = lazy.Regexp(`\bProblemSize\s*\[\s*(\d+)\s*\]`)
	ofValues  = lazy.Regexp(`\b(min|max)\s*\(\s*(\w+)\s*\)`)
)

// count is a number of elements: a Python expression over ProblemSize and the lists
// of the parameters' values.
func (c *converter) count(x any) (int64, error) {
	text := fmt.Sprint(x)
	if n, ok := x.(json.Number); ok {
		text = n.String()
	}
	text = ofProblem().ReplaceAllStringFunc(text, func(match string) string {
		i, err := strconv.Atoi(ofProblem().FindStringSubmatch(match)[1])
		if err != nil || i >= len(c.problem) {
			return match
		}
		return strconv.FormatInt(c.problem[i], 10)
	})
	text = ofValues().ReplaceAllStringFunc(text, func(match string) string {
		m := ofValues().FindStringSubmatch(match)
		values, ok := c.tunables[m[2]]
		if !ok {
			return match
		}
		numbers := make([]float64, len(values))
		for i, v := range values {
			numbers[i] = v.Number
		}
		if m[1] == "min" {
			return strconv.FormatFloat(slices.Min(numbers), 'f', -1, 64)
		}
		return strconv.FormatFloat(slices.Max(numbers), 'f', -1, 64)
	})
	values, err := expression.PythonValues("[" + text + "]")
	if err != nil {
		return 0, err
	}
	if len(values) != 1 || values[0].IsWord || values[0].Number < 1 || values[0].Number > 1<<40 || values[0].Number != float64(int64(values[0].Number)) {
		return 0, fmt.Errorf("%s gives %v; want a whole number of elements", text, values)
	}
	return int64(values[0].Number), nil
}
