package kernel

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"example.org/bench/internal/lazy"
)

// parameter is what is known of a parameter of a kernel or a C function.
type parameter struct {
	text    string // as declared
	pointer bool
	// parts lists, by the names of their elements and in order, the numbers that the parameter consists of or
	// points to; nil if unknown. Other names are "void", "char" and "bool", and "enum4" for an enumeration of
	// 4 bytes.
	parts []string
	// bytes and kind are what compiled code gives: the parameter's bytes, and f, u, s or b, as in PTX.
	bytes int64
	kind  byte
	// space is the address space of a pointer in OpenCL C: global, constant or local; empty if unknown.
	space  string
	opencl bool
}

// plainNames maps names of CUDA and C to plain numbers.
var plainNames = map[string]string{
	"float": "f32", "double": "f64", "__half": "f16", "half": "f16", "_Float16": "f16", "__nv_bfloat16": "bf16", "nv_bfloat16": "bf16",
	"bool": "bool", "_Bool": "bool", "char": "char", "signed char": "i8", "unsigned char": "u8", "uchar": "u8",
	"short": "i16", "unsigned short": "u16", "ushort": "u16", "int": "i32", "unsigned int": "u32", "uint": "u32",
	"long": "i64", "unsigned long": "u64", "ulong": "u64", "void": "void",
	"int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64",
	"size_t": "u64", "ptrdiff_t": "i64", "intptr_t": "i64", "uintptr_t": "u64",
}

// Names of numbers with several parts.
var (
	vectorName = lazy.Regexp(`^(u?char|u?short|u?int|u?long|u?longlong|float|double)([1-4])$`)
	wordOfType = lazy.Regexp(`[A-Za-z_][\w:]*`)
	qualifiers = lazy.Regexp(`\b(?:const|volatile|restrict|__restrict__|__restrict|register|static|struct|enum|class|typename|__grid_constant__)\b`)
	specifiers = []string{"unsigned", "signed", "char", "short", "int", "long", "float", "double", "bool", "_Bool", "void", "_Complex", "complex"}
	several    = map[string][]string{
		"cuComplex": {"f32", "f32"}, "cuFloatComplex": {"f32", "f32"}, "cuDoubleComplex": {"f64", "f64"}, "__half2": {"f16", "f16"}, "half2": {"f16", "f16"},
		"__nv_bfloat162": {"bf16", "bf16"}, "nv_bfloat162": {"bf16", "bf16"}, "float _Complex": {"f32", "f32"}, "double _Complex": {"f64", "f64"},
	}
)

// specified returns a C type in its own words, which may have any order: unsigned int for int unsigned.
func specified(words []string) string {
	has := func(w string) bool { return slices.Contains(words, w) }
	sign := ""
	if has("unsigned") {
		sign = "unsigned "
	}
	switch {
	case has("_Complex") || has("complex"):
		if has("float") {
			return "float _Complex"
		}
		return "double _Complex"
	case has("char") && has("signed"):
		return "signed char"
	}
	for _, w := range []string{"char", "short", "long"} {
		if has(w) && !has("double") {
			return sign + w
		}
	}
	for _, w := range []string{"float", "double", "bool", "_Bool", "void"} {
		if has(w) {
			return w
		}
	}
	return sign + "int"
}

// nameHere returns what configs call a type of CUDA or C, or "" if they have no such type.
func nameHere(name string) string {
	if strings.HasSuffix(strings.TrimSpace(name), "*") {
		name = strings.TrimRight(name, " *")
	}
	parts := types{}.parameter(name, 0).parts
	switch {
	case len(parts) == 0 || parts[0] == "void":
		return ""
	case name == "cuComplex" || name == "cuFloatComplex" || name == "float _Complex":
		return "c64"
	case name == "cuDoubleComplex" || name == "double _Complex":
		return "c128"
	}
	part := map[string]string{"char": "i8", "bool": "u8"}[parts[0]]
	if part == "" {
		part = parts[0]
	}
	if len(parts) > 1 {
		part = fmt.Sprintf("%sx%d", part, len(parts))
	}
	if _, ok := elementNamed(part); !ok {
		return ""
	}
	return part
}

// types holds the declarations of a source that name types.
type types struct {
	texts []string // without comments
}

// partsOf returns the parts of the named type, or nil if they are unknown.
func (t types) partsOf(name string, depth int) []string {
	if part := plainNames[name]; part != "" {
		return []string{part}
	}
	if list := several[name]; list != nil {
		return list
	}
	if m := vectorName().FindStringSubmatch(name); m != nil {
		base := strings.Replace(strings.TrimPrefix(m[1], "u"), "longlong", "long", 1)
		if strings.HasPrefix(m[1], "u") {
			base = "unsigned " + base
		}
		part := strings.Replace(plainNames[base], "char", "i8", 1)
		return slices.Repeat([]string{part}, int(m[2][0]-'0'))
	}
	if depth > 4 || strings.Contains(name, ":") {
		return nil
	}
	return t.declared(regexp.QuoteMeta(name), depth)
}

// declared returns the parts of a type that the source declares once and not as a macro.
func (t types) declared(name string, depth int) (parts []string) {
	found := 0
	for _, text := range t.texts {
		if regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+` + name + `\b|\btemplate\s*<[^>]*\b` + name + `\b`).MatchString(text) {
			return nil
		}
		for _, m := range regexp.MustCompile(`\btypedef\s+([^;{}()]+?)\b`+name+`\s*;|\busing\s+`+name+`\s*=\s*([^;{}()]+);`).FindAllStringSubmatch(text, -1) {
			found++
			if p := t.parameter(m[1]+m[2], depth+1); !p.pointer {
				parts = p.parts
			}
		}
		for _, m := range regexp.MustCompile(`\bstruct\s+(?:(?:__align__|alignas)\s*\(\s*\d+\s*\)\s*)?`+name+`\s*\{([^{}()]*)\}|\btypedef\s+struct\s*\w*\s*\{([^{}()]*)\}\s*`+name+`\s*;`).FindAllStringSubmatch(text, -1) {
			found++
			parts = t.fields(m[1]+m[2], depth+1)
		}
		for _, m := range regexp.MustCompile(`\benum\s+(?:class\s+|struct\s+)?`+name+`\s*(?::([^{};()]*))?\{|\btypedef\s+enum\s*\w*\s*\{[^{}]*\}\s*`+name+`\s*;`).FindAllStringSubmatch(text, -1) {
			found++
			parts = []string{"enum4"}
			if m[1] != "" {
				parts = enumeration(t.parameter(m[1], depth+1).parts)
			}
		}
	}
	if found != 1 {
		return nil
	}
	return parts
}

// enumeration returns the parts of an enumeration with those whole numbers.
func enumeration(of []string) []string {
	if len(of) != 1 {
		return nil
	}
	switch of[0] {
	case "char", "bool":
		return []string{"enum1"}
	}
	if e, ok := elementNamed(of[0]); ok {
		return []string{fmt.Sprintf("enum%d", e.bytes)}
	}
	return nil
}

// fields returns the parts of a structure with that body.
func (t types) fields(body string, depth int) (parts []string) {
	if strings.ContainsAny(body, "#:<") {
		return nil
	}
	for _, line := range strings.Split(strings.TrimSpace(body), ";") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		declarators := strings.Split(line, ",")
		p := t.parameter(declarators[0], depth)
		if p.pointer || p.parts == nil || strings.ContainsAny(line, "[*&=") {
			return nil
		}
		for range declarators {
			parts = append(parts, p.parts...)
		}
	}
	return parts
}

// parameter parses a declaration, or a type alone.
func (t types) parameter(text string, depth int) parameter {
	p := parameter{text: strings.Join(strings.Fields(text), " ")}
	declared, _, _ := strings.Cut(text, "=")
	if strings.ContainsAny(declared, "&<>(){}#") {
		return p
	}
	stars := strings.Count(declared, "*") + strings.Count(declared, "[")
	p.pointer = stars > 0
	declared, _, _ = strings.Cut(declared, "[")
	words := wordOfType().FindAllString(qualifiers().ReplaceAllString(declared, " "), -1)
	n := 0
	for n < len(words) && slices.Contains(specifiers, words[n]) {
		n++
	}
	if n == 1 && words[0] == "complex" { // a type of that name; C has another word for complex numbers
		n = 0
	}
	name := ""
	switch {
	case n > 0:
		name = specified(words[:n])
	case len(words) > 0:
		name, n = words[0], 1
	}
	if len(words) > n+1 || stars > strings.Count(declared, "*")+1 || strings.Count(declared, "*") > 1 {
		return p // a macro, or a pointer to pointers
	}
	p.parts = t.partsOf(strings.TrimPrefix(name, "std::"), depth)
	return p
}

// parameters parses a list of parameters as declared.
func (t types) parameters(list string) (all []parameter) {
	if list = strings.TrimSpace(list); list == "" || list == "void" {
		return nil
	}
	for _, text := range strings.Split(list, ",") {
		all = append(all, t.parameter(text, 0))
	}
	return all
}

// types returns the types of the unit.
func (u *unit) types() (t types) {
	for _, text := range u.texts() {
		t.texts = append(t.texts, comment().ReplaceAllString(text, " "))
	}
	return t
}

// simulated parses the simulator's description of a parameter, such as "f32*", "f32 i32" for a structure, or
// "?" if it is unknown.
func simulated(text string) parameter {
	p := parameter{}
	text, p.pointer = strings.CutSuffix(text, "*")
	if !strings.Contains(text, "?") {
		p.parts = strings.Fields(text)
	}
	p.text = strings.Join(strings.Fields(text), ", ")
	if p.pointer {
		p.text += " *"
	}
	return p
}

// takes reports whether an argument with elements of e may be the parameter.
func (p parameter) takes(e element, isVector bool) bool {
	switch {
	case e.fields != nil && p.bytes == 0:
		return p.takesStructure(e, isVector)
	case p.bytes > 0 && (isVector || e.name == addressType):
		return p.bytes == 8 && p.kind != 'f'
	case p.bytes > 0:
		return p.bytes == e.bytes && (p.kind == 'b' || e.lanes > 1 || e.fields != nil || (p.kind == 'f') == e.isFloat())
	case e.name == addressType:
		return p.pointer || p.parts == nil
	case isVector && !p.pointer:
		return p.parts == nil
	case !isVector && p.pointer:
		return false
	case p.parts == nil:
		return true
	}
	if !isVector {
		return len(p.parts) == int(e.lanes) && !slices.ContainsFunc(p.parts, func(part string) bool { return !isPart(part, e.part) })
	}
	// Bytes may stand for anything, and anything may be read as bytes.
	if e.name == "u8" || e.name == "i8" {
		return len(p.parts) > 1 || isPart(p.parts[0], e.part) || p.parts[0] == "void" || p.parts[0] == "u8" || p.parts[0] == "i8"
	}
	return !slices.ContainsFunc(p.parts, func(part string) bool {
		return part != "void" && part != "char" && part != "u8" && !isPart(part, e.part)
	})
}

// takesStructure is takes for a structure. Fields that it has beyond the parameter's fill it up.
func (p parameter) takesStructure(e element, isVector bool) bool {
	switch {
	case p.parts == nil:
		return p.pointer || !isVector
	case isVector != p.pointer:
		return false
	case isVector && (p.parts[0] == "void" || p.parts[0] == "char" || p.parts[0] == "u8" || p.parts[0] == "i8") && len(p.parts) == 1:
		return true
	}
	return len(p.parts) <= len(e.fields) && slices.EqualFunc(p.parts, e.fields[:len(p.parts)], isPart)
}

// isPart reports whether a part of a parameter is a number of that type.
func isPart(part, number string) bool {
	whole := number[0] == 'i' || number[0] == 'u'
	switch part {
	case "char", "bool", "enum1":
		return number == "i8" || number == "u8"
	case "enum2", "enum4", "enum8":
		e, _ := elementNamed(number)
		return whole && fmt.Sprint("enum", e.bytes) == part
	case "u16": // the bits of a half
		return number == "u16" || number == "f16" || number == "bf16"
	}
	return part == number
}

// wanted returns the type that the parameter would take, or "" if there is none.
func (p parameter) wanted(isVector bool) string {
	for _, e := range elements {
		if isVector == p.pointer && p.takes(e, isVector) && (isVector && e.lanes == int64(len(p.parts)) || !isVector) {
			return "; want the type " + e.name
		}
	}
	return ""
}

// mismatch describes why an argument does not fit a kernel or a function, or returns "" if nothing is known
// to be wrong.
func (p parameter) mismatch(o *operand, e element, who string) string {
	if p.opencl && (o.objectCL() != "" || objectCL().MatchString(p.text)) {
		return p.takesObjectCL(o, who)
	}
	if o.isImage() {
		return p.takesImage(o, who)
	}
	if wrong := p.ofImage(o, who); wrong != "" {
		return wrong
	}
	if o.isLocal() != (p.space == localSpace) && p.space != "" {
		return fmt.Sprintf("argument %s is in the space %s, and %s takes %s", o.Name, cmp.Or(o.Space, "global"), who, p.text)
	}
	isVector := o.isVector() || o.pointer != nil || o.isLocal()
	isList := o.pointer != nil && o.pointer.list
	if p.takes(e, isVector) && !(isList && p.parts != nil && p.parts[0] != "void") {
		return ""
	}
	form := e.name
	if e.fields != nil {
		form = "structure of " + strings.Join(e.fields, ", ")
	}
	switch {
	case isList:
		form = "an array of pointers"
	case isVector:
		form = "a vector of " + form
	default:
		form = "a " + form
	}
	return fmt.Sprintf("argument %s is %s, and %s takes %s%s", o.Name, form, who, p.text, p.wanted(isVector))
}

// parameters returns the parameters of the unit's kernel of that name, or nil if they are unknown.
func (u *unit) parameters(name string) []parameter {
	bare := lastName(name)
	if u.compiled {
		return u.entryParameters(name)
	}
	lists := u.kernels()[bare]
	if len(lists) != 1 {
		return nil
	}
	t := u.types()
	if u.opencl {
		return t.parametersCL(slices.Collect(maps.Keys(lists))[0])
	}
	if u.isTemplate(bare) {
		t.texts = nil // the names may be parameters of the template
	}
	return t.parameters(slices.Collect(maps.Keys(lists))[0])
}
