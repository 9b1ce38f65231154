package nvrtc

import (
	"fmt"

	"example.org/bench/gpu"
	"example.org/bench/internal/dynlib"
)

// nameExpressions returns NVRTC's name expressions for the source's kernels and globals: a kernel by its
// name, a variable by its address ("NVRTC User Guide", accessing lowered names).
func nameExpressions(src gpu.Source) map[string]string {
	list := map[string]string{}
	for _, k := range src.Kernels {
		list[k] = k
	}
	for _, g := range src.Globals {
		list[g] = "&" + g
	}
	return list
}

// addNames asks for the lowered names, which also instantiates the templates.
func (l *library) addNames(p program, src gpu.Source) error {
	expressions := nameExpressions(src)
	for _, name := range sortedKeys(expressions) {
		if err := l.check("nvrtcAddNameExpression", l.addNameExpression(p, expressions[name])); err != nil {
			return fmt.Errorf("name %s: %w", name, err)
		}
	}
	return nil
}

// lowered returns the names in the compiled program that differ from the source's.
func (l *library) lowered(p program, src gpu.Source) (map[string]string, error) {
	expressions := nameExpressions(src)
	list := map[string]string{}
	for _, name := range sortedKeys(expressions) {
		var text *byte
		if err := l.check("nvrtcGetLoweredName", l.getLoweredName(p, expressions[name], &text)); err != nil {
			return nil, fmt.Errorf("name %s: %w", name, err)
		}
		if got := dynlib.String(text); got != name {
			list[name] = got
		}
	}
	return list, nil
}
