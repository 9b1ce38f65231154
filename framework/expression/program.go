package expression

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// Program is a compiled expression of a config. The time to evaluate it grows only with its length, because loops and
// lists are refused.
type Program struct {
	// Text is as written, Names those used, in order, without device, and UsesDevice says whether that is, too.
	Text       string
	Names      []string
	UsesDevice bool
	program    *vm.Program
}

// Scope maps the names that an expression may use to values of the right kind: int, float64 or string, and device.
type Scope map[string]any

// Device is the name of the device's facts.
const Device = "device"

// HasMeaning reports whether a name is one of the language's own, so that nothing else can have it.
func HasMeaning(name string) bool {
	return name == Device || slices.Contains(functions, name) || slices.Contains([]string{"true", "false", "nil", "in", "not", "and", "or", "let", "if", "else", "matches", "contains"}, name)
}

// DeviceFacts are a device's by the names that conditions have for them (Variable): device.warp_size.
func DeviceFacts(f gpu.Facts) map[string]float64 {
	named := map[string]float64{}
	of := reflect.ValueOf(factsOf(f))
	for i := range of.NumField() {
		named[Device+"."+of.Type().Field(i).Tag.Get("expr")] = float64(of.Field(i).Int())
	}
	return named
}

// Settings are a scope of values, and of a device's facts as device.NAME.
func Settings(f gpu.Facts, lists ...framework.Values) Scope {
	s := Scope{Device: factsOf(f)}
	for _, list := range lists {
		for name, v := range list {
			s.Set(name, v)
		}
	}
	return s
}

// Set gives a name a value.
func (s Scope) Set(name string, v framework.Value) {
	switch v.Kind() {
	case framework.Int:
		s[name] = int(v.Int())
	case framework.Float:
		s[name] = v.Float()
	default:
		s[name] = v.String()
	}
}

// facts is what a formula may use of the device, as device.NAME.
type facts struct {
	Compute         int `expr:"compute"` // 90 for 9.0
	Multiprocessors int `expr:"multiprocessors"`
	WarpSize        int `expr:"warp_size"`
	MaxThreadsBlock int `expr:"max_threads_per_block"`
	MaxThreadsSM    int `expr:"max_threads_per_sm"`
	RegistersBlock  int `expr:"registers_per_block"`
	RegistersSM     int `expr:"registers_per_sm"`
	SharedPerBlock  int `expr:"shared_per_block_bytes"`
	SharedOptIn     int `expr:"shared_optin_bytes"`
	SharedPerSM     int `expr:"shared_per_sm_bytes"`
	L2Bytes         int `expr:"l2_bytes"`
}

func factsOf(f gpu.Facts) facts {
	return facts{
		Compute:         f.ComputeMajor*10 + f.ComputeMinor,
		Multiprocessors: f.Multiprocessors,
		WarpSize:        f.WarpSize,
		MaxThreadsBlock: f.MaxThreadsBlock,
		MaxThreadsSM:    f.MaxThreadsPerSM,
		RegistersBlock:  f.RegistersBlock,
		RegistersSM:     f.RegistersPerSM,
		SharedPerBlock:  f.SharedPerBlock,
		SharedOptIn:     f.SharedOptIn,
		SharedPerSM:     f.SharedPerSM,
		L2Bytes:         f.L2Bytes,
	}
}

// survey refuses what formulas have no use for, and notes the names used.
type survey struct {
	known   Scope
	refused ast.Node
	what    string
	names   []string
	settled map[ast.Node]bool // the functions that settle put in
}

// Visit implements ast.Visitor.
func (s *survey) Visit(node *ast.Node) {
	refuse := func(format string, args ...any) {
		if s.refused == nil {
			s.refused, s.what = *node, fmt.Sprintf(format, args...)
		}
	}
	// A chained comparison has its middle twice, as the same node.
	if call, ok := (*node).(*ast.CallNode); ok && s.settled[call.Callee] || s.settled[*node] {
		return
	}
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode, *ast.UnaryNode, *ast.ConditionalNode:
	case *ast.IdentifierNode:
		// The expression compiler accepts unknown arguments of a function.
		if _, ok := s.known[n.Value]; !ok && !slices.Contains(functions, n.Value) {
			refuse("%q is not a name here%s", n.Value, config.Choice(n.Value, slices.Sorted(maps.Keys(s.known)), "names"))
		}
		if !slices.Contains(s.names, n.Value) {
			s.names = append(s.names, n.Value)
		}
	case *ast.BinaryNode:
		if !slices.Contains(operators, n.Operator) {
			refuse("%q is not an operator here; there are %s", n.Operator, strings.Join(operators, " "))
		}
	case *ast.CallNode:
		if f, ok := n.Callee.(*ast.IdentifierNode); !ok || !slices.Contains(functions, f.Value) {
			refuse("unknown function; there are %s", strings.Join(functions, ", "))
		} else if _, ok := numbers(n.Arguments...); !ok {
			refuse("%s is of numbers", f.Value)
		}
	case *ast.BuiltinNode:
		if !slices.Contains(functions, n.Name) {
			refuse("unknown function %s; there are %s", n.Name, strings.Join(functions, ", "))
		}
	case *ast.MemberNode:
		if of, ok := n.Node.(*ast.IdentifierNode); !ok || of.Value != Device {
			refuse("only device has members, such as device.warp_size")
		}
	case *ast.ArrayNode:
		for _, x := range n.Nodes {
			switch x.(type) {
			case *ast.IntegerNode, *ast.FloatNode, *ast.StringNode:
			default:
				refuse("a list holds numbers and words alone, as in X in [1, 2, 4]")
			}
		}
	default:
		refuse("an expression has numbers, names, %s, ?: and the functions %s", strings.Join(operators, " "), strings.Join(functions, ", "))
	}
	if s.refused == nil {
		s.settle(node)
	}
}

// Compile makes an expression of these names ready to evaluate. The error says where it is wrong.
func Compile(text string, names Scope) (*Program, error) {
	s := &survey{known: names}
	options := append(language(), expr.Env(map[string]any(names)), expr.Patch(s))
	program, err := compileText(text, options...)
	if s.refused != nil {
		return nil, fmt.Errorf("at character %d: %s", s.refused.Location().From+1, s.what)
	}
	if err != nil {
		return nil, err
	}
	p := &Program{Text: text, program: program}
	for _, name := range s.names {
		p.UsesDevice = p.UsesDevice || name == Device
		if _, known := names[name]; known && name != Device {
			p.Names = append(p.Names, name)
		}
	}
	return p, nil
}

// IsCondition reports whether the expression is true or false.
func (p *Program) IsCondition() bool { return p.program.Node().Type() == kindOfTruth }

// Run evaluates the expression to an int, a float64, a bool or a string.
func (p *Program) Run(env Scope) (any, error) {
	got, err := expr.Run(p.program, map[string]any(env))
	var at *file.Error
	if errors.As(err, &at) {
		err = errors.New(at.Message)
	}
	return got, err
}
