package kernel

import (
	"regexp"
	"slices"
	"strings"
)

// called refuses arguments that do not fit the C function's declaration, as far as its source shows.
func (b *builder) called(path string, f *function, text string) {
	t := types{texts: []string{comment().ReplaceAllString(text, " ")}}
	declared := regexp.MustCompile(`\b` + regexp.QuoteMeta(f.Function) + `\s*\(([^(){};]*)\)\s*\{`)
	found := declared.FindAllStringSubmatch(t.texts[0], -1)
	if len(found) != 1 || strings.ContainsAny(found[0][1], "#") {
		return
	}
	takes, passed := t.parameters(found[0][1]), b.passed()
	var names []string
	for _, o := range passed {
		names = append(names, o.Name)
	}
	what := "as listed in arguments, without scratch"
	if slices.ContainsFunc(b.a.arguments, func(o operand) bool { return o.value != nil && o.loose }) {
		what += " and values that depend on launches"
	}
	if slices.ContainsFunc(b.a.common, func(g global) bool { return g.from < 0 }) {
		what += ", and then constants"
	}
	if len(takes) != len(passed) {
		b.fault(path, "%s is called with (%s), %s, and takes %d: (%s)", f.Function, strings.Join(names, ", "), what, len(takes), strings.Join(strings.Fields(found[0][1]), " "))
		return
	}
	for i, o := range passed {
		e := o.fixed
		if e.elementType == nil {
			continue // a text parameter chooses the type
		}
		if f.Double && e.widens() {
			e = e.double()
		}
		if !takes[i].takesInC(e, o.isVector()) {
			b.fault(path, "%s is called with (%s), %s, and argument %s is %s here: the function takes %s",
				f.Function, strings.Join(names, ", "), what, o.Name, inC(e, o.isVector()), takes[i].text)
		}
	}
}

// passed returns what a C function gets: the arguments that are inC, and constants that are not filled
// from an argument.
func (b *builder) passed() (list []*operand) {
	for i := range b.a.arguments {
		if b.a.arguments[i].inC() {
			list = append(list, &b.a.arguments[i])
		}
	}
	for i := range b.a.common {
		if b.a.common[i].from < 0 {
			list = append(list, &b.a.common[i].operand)
		}
	}
	return list
}

// inC returns the type of an argument of a C function.
func inC(e element, isVector bool) string {
	if isVector {
		return e.c + " *"
	}
	return e.c
}

// takesInC is takes for C, which converts numbers that are passed by value, and whose compilers accept a
// pointer to numbers of the other sign.
func (p parameter) takesInC(e element, isVector bool) bool {
	if p.parts == nil && !p.pointer {
		return true // a type name of the source may be a pointer
	}
	if !isVector && e.name != addressType {
		return !p.pointer
	}
	unsigned := func(part string) string { return strings.Replace(part, "i", "u", 1) }
	if !isVector || !p.pointer || len(p.parts) != 1 || e.isFloat() {
		return p.takes(e, isVector)
	}
	e.elementType = &elementType{name: e.name, bytes: e.bytes, part: unsigned(e.part), lanes: e.lanes}
	p.parts = []string{unsigned(p.parts[0])}
	return p.takes(e, isVector)
}
