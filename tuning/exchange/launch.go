package exchange

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"example.org/bench/framework/expression"
)

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
		block, err := c.modified("Local", axis, local[axis])
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
		} else if grid, err = c.modified("Global", axis, global[axis]); err != nil {
			return nil, fmt.Errorf("GlobalSize: %w", err)
		} else if grid != "" && strings.EqualFold(cmp.Or(s.GlobalSizeType, s.Language), "OpenCL") {
			grid = fmt.Sprintf("ceil((%s) / (%s))", grid, l.Block[axis])
		}
		l.Grid = append(l.Grid, cmp.Or(grid, "1"))
	}
	shared, err := c.size(s.SharedMemory)
	if err != nil {
		return nil, fmt.Errorf("SharedMemory: %w", err)
	}
	switch {
	case shared == "" || shared == "0":
	case c.opencl():
		c.note("SharedMemory %s is left out: OpenCL has local memory as arguments", shared)
	default:
		l.SharedBytes = shared
	}
	return l, nil
}

// opencl reports whether the kernel is in OpenCL C.
func (c *converter) opencl() bool {
	return strings.EqualFold(c.file.KernelSpecification.Language, "OpenCL")
}

// modified is size, with what KTT's modifiers of the axis do to it.
func (c *converter) modified(of string, axis int, x any) (string, error) {
	text, err := c.size(x)
	for _, m := range c.file.KernelSpecification.Modifiers {
		if err != nil || !strings.EqualFold(m.Type, of) || !strings.EqualFold(m.Dimension, "xyz"[axis:axis+1]) {
			continue
		}
		if c.tunables[m.Parameter] == nil {
			return "", fmt.Errorf("its modifier's Parameter is %q, which is no parameter", m.Parameter)
		}
		form, is := map[string]string{"multiply": "(%s) * %s", "divide": "floor((%s) / %s)", "divideceil": "ceil((%s) / %s)", "add": "(%s) + %s", "subtract": "(%s) - %s"}[strings.ToLower(m.Action)]
		if !is {
			return "", fmt.Errorf("its modifier's Action is %q; want Multiply, Divide, DivideCeil, Add or Subtract", m.Action)
		}
		if text = cmp.Or(text, "1"); text == "1" && strings.EqualFold(m.Action, "Multiply") {
			text = m.Parameter
		} else {
			text = fmt.Sprintf(form, text, m.Parameter)
		}
	}
	return text, err
}

// texts is a list of texts, a text alone, or nothing.
func texts(x any) (list []string, err error) {
	switch x := x.(type) {
	case nil:
	case string:
		list = strings.Fields(x)
	case []any:
		for _, y := range x {
			text, is := y.(string)
			if !is {
				return nil, fmt.Errorf("%v is no text", y)
			}
			list = append(list, text)
		}
	default:
		return nil, fmt.Errorf("%v is no list of texts", x)
	}
	return list, nil
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
