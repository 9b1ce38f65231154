package exchange

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"example.org/bench/framework/expression"
)

// The parts of a config of a .cu file's kernels that a T1 file has (docs/kernels.md).
type (
	kernelConfig struct {
		Algorithm kernelAlgorithm `json:"algorithm"`
	}
	kernelAlgorithm struct {
		CUDA kernelCUDA `json:"cuda"`
	}
	kernelCUDA struct {
		Source      string           `json:"source"`
		Arguments   []kernelArgument `json:"arguments"`
		Constants   []kernelConstant `json:"constants,omitempty"`
		Kernels     []kernelLaunch   `json:"kernels"`
		Defines     map[string]int   `json:"defines"`
		Options     []string         `json:"options,omitempty"`
		Tunables    []kernelTunable  `json:"tunables"`
		Constraints []string         `json:"constraints,omitempty"`
		Verify      kernelVerify     `json:"verify"`
	}
	kernelArgument struct {
		Name  string      `json:"name"`
		Type  string      `json:"type"`
		Value any         `json:"value,omitempty"`
		Size  int64       `json:"size,omitempty"`
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
		None string `json:"none"`
	}
)

// t1Types are the types of a T1 file's arguments in configs.
var t1Types = map[string]string{
	"float": "f32", "double": "f64", "half": "f16", "char": "i8", "int8": "i8", "uint8": "u8", "int16": "i16", "short": "i16", "uint16": "u16",
	"int": "i32", "int32": "i32", "uint32": "u32", "int64": "i64", "uint64": "u64", "float2": "f32x2", "float4": "f32x4", "int2": "i32x2", "int4": "i32x4",
	"double2": "f64x2", "half2": "f16x2",
}

// converter makes a config of a T1 file.
type converter struct {
	file     t1File
	study    *Study
	problem  []int64
	tunables map[string][]expression.Value
	ranges   expression.Ranges // of the tunables
	note     Note
}

// convertKernel makes a config of the kernel of the T1 file at path that lies in
// folder; note is given what it has in another way.
func convertKernel(path, folder string, note Note) (*kernelCUDA, *Study, error) {
	text, err := readMaybeGzip(path)
	if err != nil {
		return nil, nil, err
	}
	c := converter{note: note, tunables: map[string][]expression.Value{}, ranges: expression.Ranges{}}
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
	if k.Source, err = besideT1(path, folder, c.file.KernelSpecification.KernelFile); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return k, c.study, nil
}

// besideT1 is the kernel's file, which stands beside the T1 file or in the folder
// above it, relative to the config's folder.
func besideT1(path, folder, name string) (string, error) {
	if name == "" {
		return "", errors.New("KernelSpecification.KernelFile is needed")
	}
	if filepath.IsAbs(name) {
		return name, nil
	}
	beside := filepath.Dir(path)
	at := filepath.Join(beside, name)
	if _, err := os.Stat(at); err != nil {
		above := filepath.Join(beside, "..", name)
		if _, err := os.Stat(above); err == nil {
			at = above
		}
	}
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(at)
	if err != nil {
		return "", err
	}
	return filepath.Rel(from, to)
}

func (c *converter) kernel() (*kernelCUDA, error) {
	s := &c.file.KernelSpecification
	if s.Language != "" && !strings.EqualFold(s.Language, "CUDA") {
		return nil, fmt.Errorf("the kernel is in %s; want CUDA", s.Language)
	}
	k := &kernelCUDA{Defines: map[string]int{"kernel_tuner": 1}}
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
	for i, a := range s.Arguments {
		argument, err := c.argument(a)
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", cmp.Or(a.Name, strconv.Itoa(i+1)), err)
		}
		k.Arguments = append(k.Arguments, *argument)
		if strings.EqualFold(a.MemType, "Constant") {
			k.Constants = append(k.Constants, kernelConstant{a.Name, a.Name})
		}
	}
	if len(k.Arguments) == 0 {
		return nil, errors.New("KernelSpecification.Arguments is needed")
	}
	for _, o := range s.CompilerOptions {
		if strings.TrimSpace(o) != "" { // which stands for none
			k.Options = append(k.Options, o)
		}
	}
	k.Verify.None = "the T1 file has no right answer; want c, kernels, program or files here (docs/kernels.md, verification)"
	return k, nil
}

// problemSize is a number, a list of them, or absent.
func problemSize(x any) (list []int64, err error) {
	values, ok := x.([]any)
	if !ok && x != nil {
		values = []any{x}
	}
	for _, y := range values {
		v, err := valueOf(y)
		if err != nil || v.IsWord || v.Number != float64(int64(v.Number)) || v.Number < 1 {
			return nil, fmt.Errorf("ProblemSize has %v; want whole numbers", y)
		}
		list = append(list, int64(v.Number))
	}
	return list, nil
}

// launch is the kernel's: blocks by LocalSize, the grid by ProblemSize and the
// divisors where the file has them, as Kernel Tuner does, else by GlobalSize.
func (c *converter) launch() (*kernelLaunch, error) {
	s := &c.file.KernelSpecification
	l := &kernelLaunch{Name: s.KernelName}
	local := []any{s.LocalSize.X, s.LocalSize.Y, s.LocalSize.Z}
	global := []any{s.GlobalSize.X, s.GlobalSize.Y, s.GlobalSize.Z}
	for axis, divisors := range [][]string{s.GridDivX, s.GridDivY, s.GridDivZ} {
		name := "block_size_" + string("xyz"[axis])
		block, err := c.size(local[axis])
		if err != nil {
			return nil, fmt.Errorf("LocalSize: %w", err)
		}
		if _, tuned := c.tunables[name]; block == "" && tuned {
			block = name
		}
		l.Block = append(l.Block, cmp.Or(block, "1"))
		grid := "1"
		if c.problem != nil {
			if axis < len(c.problem) {
				if divisors == nil && block != "" {
					divisors = []string{name}
				}
				grid = c.divided(c.problem[axis], divisors)
			}
		} else if grid, err = c.size(global[axis]); err != nil {
			return nil, fmt.Errorf("GlobalSize: %w", err)
		} else if grid != "" && strings.EqualFold(s.GlobalSizeType, "OpenCL") {
			grid = fmt.Sprintf("ceil((%s) / (%s))", grid, l.Block[axis])
		}
		l.Grid = append(l.Grid, cmp.Or(grid, "1"))
	}
	shared, err := c.size(s.SharedMemory)
	if err != nil {
		return nil, fmt.Errorf("SharedMemory: %w", err)
	}
	if shared != "0" {
		l.SharedBytes = shared
	}
	return l, nil
}

// size is a number or the text of a Python expression in the language of configs.
func (c *converter) size(x any) (string, error) {
	if x == nil {
		return "", nil
	}
	text, ok := x.(string)
	if !ok {
		text = fmt.Sprint(x)
	}
	e, err := expression.ParsePython(text)
	if err != nil {
		return "", err
	}
	return e.ExprNumber(c.ranges)
}

// divided is a problem's extent divided by what tunables give.
func (c *converter) divided(n int64, divisors []string) string {
	var list []string
	for _, d := range divisors {
		if _, err := strconv.Atoi(d); err != nil && c.tunables[d] == nil {
			c.note("%s divides the grid and is not a parameter; it counts as 1", d)
			continue
		}
		list = append(list, d)
	}
	if len(list) == 0 {
		return strconv.FormatInt(n, 10)
	}
	return fmt.Sprintf("ceildiv(%d, %s)", n, strings.Join(list, "*"))
}

// argument converts one argument.
func (c *converter) argument(a t1Argument) (*kernelArgument, error) {
	k := &kernelArgument{Name: a.Name, Type: t1Types[a.Type]}
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
	case "Vector":
	default:
		return nil, fmt.Errorf("the memory type %q is unknown; want Scalar or Vector", a.MemoryType)
	}
	var err error
	if k.Size, err = c.count(a.Size); err != nil {
		return nil, fmt.Errorf("size: %w", err)
	}
	switch {
	case a.AccessType == "ReadWrite":
		k.Use = "in_place"
	case a.AccessType == "WriteOnly" || a.Output != nil && fmt.Sprint(a.Output) != "0" && fmt.Sprint(a.Output) != "false":
		k.Use = "output"
		return k, nil
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
		k.Fill = &kernelFill{File: a.DataSource}
	default:
		return nil, fmt.Errorf("FillType %q is unknown; want Constant, Random or BinaryRaw", a.FillType)
	}
	return k, nil
}

var (
	ofProblem = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bProblemSize\s*\[\s*(\d+)\s*\]`) })
	ofValues  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(min|max)\s*\(\s*(\w+)\s*\)`) })
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
