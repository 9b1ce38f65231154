package kernel

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/expression"
	"example.org/bench/gpu"
)

// builder makes an algorithm from a config and collects the config's errors.
type builder struct {
	cfg   *config.Config
	key   string // of the kernels in the config: "cuda" or "opencl"
	errs  *config.Errors
	a     *algorithm
	files [][]byte // read so far

	problem  scope // parameters
	units    map[string]*unit
	constant map[string][]global // compiled, by path
}

// position returns where the config has a key of the kernels; the whole of them for "".
func (b *builder) position(path string) config.Position {
	return b.cfg.PositionOf(strings.TrimSuffix("algorithm."+b.key+"."+path, "."))
}

func (b *builder) fault(path, format string, args ...any) {
	b.errs.Add(b.cfg.Path, b.position(path), format, args...)
}

func (b *builder) build() *algorithm {
	a := b.a
	var text json.RawMessage
	text, b.key = b.cfg.Kernels()
	a.opencl = b.key == "opencl"
	if err := json.Unmarshal(text, &a.def); err != nil {
		b.fault("", "%v", err)
		return a
	}
	b.units, b.constant = map[string]*unit{}, map[string][]global{}
	b.params()
	b.arguments()
	d := &a.def
	for i, r := range d.Requires {
		a.requires = append(a.requires, b.compile(fmt.Sprintf("requires[%d]", i), r, b.problem))
	}
	a.nominal.flops = b.compile("nominal_flops", d.NominalFLOPs, b.problem)
	a.nominal.bytes = b.compile("nominal_bytes", d.NominalBytes, b.problem)
	if d.Items != nil {
		a.nominal.items = b.compile("items.count", d.Items.Count, b.problem)
	}
	b.versions()
	b.reference()
	return a
}

// compile compiles the formula at path. It returns nil if there is none or if it is wrong, which it notes.
func (b *builder) compile(path string, f formula, names scope) *computed {
	if f == "" {
		return nil
	}
	x, err := compile(f, names)
	if err != nil {
		b.fault(path, "%v", err)
		return nil
	}
	x.at = b.position(path)
	return x
}

// named reports an error if a name is taken or has another meaning in formulas.
func (b *builder) named(path, name string, taken map[string]string) {
	switch {
	case expression.HasMeaning(name):
		b.fault(path, "%s has a meaning in expressions; want another name", name)
	default:
		b.once(path, name, taken)
	}
	taken[name] = path
}

// once reports an error if a name is taken.
func (b *builder) once(path, name string, taken map[string]string) {
	if taken[name] != "" {
		b.fault(path, "%s is the name of %s already; want another", name, taken[name])
	}
	taken[name] = path
}

func (b *builder) params() {
	b.problem = scope{}
	taken := map[string]string{}
	for i := range b.a.def.Params {
		p := &b.a.def.Params[i]
		path := fmt.Sprintf("params[%d]", i)
		b.named(path+".name", p.Name, taken)
		kind := p.kind()
		if got := p.Default.Kind(); (kind == framework.Text) != (got == framework.Text) || kind == framework.Int && got != framework.Int {
			b.fault(path+".default", "%s is not a %s; want one, or another kind", p.Default, kind)
			b.problem[p.Name] = map[framework.Kind]any{framework.Int: 1, framework.Float: 1., framework.Text: ""}[kind] // a value that makes the name and its kind known
			continue
		}
		x := p.Default.Float()
		switch {
		case kind == framework.Text && (p.Min != nil || p.Max != nil):
			b.fault(path, "a text has no min and max; want choices")
		case kind != framework.Text && len(p.Choices) > 0:
			b.fault(path+".choices", "choices are of a text; want min and max, or the kind text")
		case kind == framework.Text && len(p.Choices) > 0 && !slices.Contains(p.Choices, p.Default.String()):
			b.fault(path+".default", "%q is none of the choices %s", p.Default, strings.Join(p.Choices, ", "))
		case p.Min != nil && x < *p.Min || p.Max != nil && x > *p.Max:
			b.fault(path+".default", "%s is not from min to max; want %s", p.Default, limits(p.Min, p.Max))
		}
		v := p.Default
		if kind == framework.Float {
			v = framework.FloatValue(x)
		}
		b.problem.Set(p.Name, v)
	}
}

// limits describes a parameter's limits.
func limits(least, most *float64) string {
	switch {
	case least == nil:
		return fmt.Sprintf("at most %v", *most)
	case most == nil:
		return fmt.Sprintf("at least %v", *least)
	case *least > *most:
		return fmt.Sprintf("a min, which is %v, of at most %v, the max", *least, *most)
	}
	return fmt.Sprintf("%v to %v", *least, *most)
}

func (b *builder) arguments() {
	taken := map[string]string{}
	answers := false
	for i := range b.a.def.Arguments {
		path := fmt.Sprintf("arguments[%d]", i)
		o := operand{argument: b.a.def.Arguments[i], path: path}
		b.once(path+".name", o.Name, taken) // which no expression uses
		isObject := o.Type == textureType || o.Type == surfaceType || o.isSampler()
		if !isObject {
			b.sized(path, &o)
		}
		b.inSpace(path, &o)
		switch {
		case isObject:
			b.object(path, &o)
		case o.Layered || o.Sampler != nil:
			b.fault(path, "layered and sampler are of a texture or a surface, sampler of a sampler too; want such a type")
		case o.isLocal():
			b.local(path, &o)
		case o.Fields != nil:
			b.fieldsOf(path, &o)
		case o.From != nil:
			b.points(path, &o)
		case o.Offset != "" || o.For != nil:
			b.fault(path, "offset and for belong to from, the argument that %s points into", o.Name)
		case o.Value != "" && o.Size != "":
			b.fault(path, "value makes a scalar and size a vector; want one of them")
		case o.Value == "" && o.Size == "":
			b.types(path, &o)
			b.fault(path, "want value, which makes a scalar, or size, which makes a vector")
		case o.Value != "":
			b.types(path, &o)
			b.scalar(path, &o, b.launchNames())
		default:
			b.vector(path, &o, b.types(path, &o))
		}
		answers = answers || o.isVector() && o.isAnswer()
		b.a.arguments = append(append(b.a.arguments, o), o.fields...)
	}
	for i := range b.a.arguments {
		b.find(&b.a.arguments[i])
	}
	switch {
	case !answers:
		b.fault("arguments", "no vector has the use output or in_place; the answer is in one")
	case len(b.a.comparedAnswers()) == 0 && b.a.def.Verify.None == "":
		b.fault("arguments", `nothing is compared: every answer has "compare": "none"; want one without it, or verify with none and a reason`)
	}
}

// types returns the types that the argument may have.
func (b *builder) types(path string, o *operand) (list []element) {
	if o.Type == addressType {
		if o.Size != "" {
			b.fault(path+".type", "a pointer is passed as 0 and has a value; a vector has the type of its elements")
		}
		o.fixed = addressElement
		return []element{o.fixed}
	}
	if o.Type == "" {
		b.fault(path, `the key "type" is missing`)
		return nil
	}
	if e, ok := elementNamed(o.Type); ok {
		o.fixed = e
		return []element{e}
	}
	for _, p := range b.a.def.Params {
		if p.Name != o.Type || p.kind() != framework.Text {
			continue
		}
		for _, c := range p.Choices {
			e, ok := elementNamed(c)
			if !ok {
				b.fault(path+".type", "%s may be %q, which is not a type%s", o.Type, c, config.Choice(c, elementNames(), "types"))
				return list
			}
			list = append(list, e)
		}
		if len(list) > 0 {
			return list
		}
	}
	if here := nameHere(o.Type); here != "" {
		b.fault(path+".type", "%q is %s here; want that", o.Type, here)
	} else {
		b.fault(path+".type", "%q is not a type%s; or want a text parameter whose choices are types", o.Type,
			config.Choice(o.Type, elementNames(), "types"))
	}
	return nil
}

// scalar compiles the value of a scalar; names are the names that it may use.
func (b *builder) scalar(path string, o *operand, names scope) {
	if o.Use != "" || o.Fill != nil || o.Compare != "" {
		b.fault(path, "use, fill and compare are a vector's; a scalar has a value")
	}
	o.value = b.compile(path+".value", o.Value, names)
	o.loose = !b.isOfProblem(o.value)
}

func (b *builder) vector(path string, o *operand, types []element) {
	b.content(path, o, types)
	b.vectorSize(path, o)
	b.looseAnswer(path, o)
}

// content checks what a vector holds, and what of it is compared.
func (b *builder) content(path string, o *operand, types []element) {
	if o.Use == "" {
		o.Use = input
	}
	switch {
	case (o.Use == input || o.Use == inPlace) && o.Fill == nil:
		b.fault(path, `what does %s hold before a run? want fill, such as {"random": [-1, 1]}`, o.Name)
	case o.Use == scratch && o.Fill != nil:
		b.fault(path+".fill", "scratch vectors start without values; want the use input, output or in_place")
	case o.Fill != nil:
		b.fill(path+".fill", o.Fill, types)
	}
	if o.Compare != "" && !o.isAnswer() {
		b.fault(path+".compare", "%s is not an answer; want the use output or in_place", o.Name)
	}
}

// vectorSize compiles a vector's size.
func (b *builder) vectorSize(path string, o *operand) {
	names := b.problem
	if o.Use == scratch || o.Use == output {
		names = maps.Clone(b.problem)
		for _, t := range b.allTunables() {
			names[t.Name] = t.example()
		}
	}
	b.size(path, o, names)
	o.loose = o.Use == scratch || o.Use == output && !b.isOfProblem(o.size)
}

// looseAnswer refuses an output whose size depends on tunables if another size makes another answer.
func (b *builder) looseAnswer(path string, o *operand) {
	if !o.loose || o.Use != output {
		return
	}
	i := slices.IndexFunc(o.size.Names, func(n string) bool {
		_, ok := b.problem[n]
		return !ok
	})
	switch {
	case o.Fill != nil:
		b.fault(path+".fill", "the size depends on %s; want a size without tunables, or no fill", o.size.Names[i])
	case o.Compare == "" || o.Compare == byElement:
		b.fault(b.sizePath(path, o), `this depends on %s, so that the answer's elements do too; want "compare", such as "sum"`, o.size.Names[i])
	}
}

// allTunables returns the tunables of every version.
func (b *builder) allTunables() []tunable {
	list := slices.Clone(b.a.def.Tunables)
	for _, v := range b.a.def.Versions {
		list = append(list, v.Tunables...)
	}
	return list
}

func (b *builder) fill(path string, f *fill, types []element) {
	given := 0
	for _, has := range []bool{f.Random != nil, f.Constant != nil, f.File != ""} {
		if has {
			given++
		}
	}
	switch {
	case given != 1:
		b.fault(path, "want one of random, constant and file")
	case f.Keep && f.Random == nil:
		b.fault(path+".keep", "it is of random numbers: others are kept as they are")
	}
	numbers := f.Random
	if f.Constant != nil {
		numbers = []float64{*f.Constant}
	}
	for _, e := range types {
		for _, x := range numbers {
			err := e.check(x)
			if err == nil && !e.isFloat() && math.Abs(x) > 1<<53 {
				err = fmt.Errorf("%v is beyond 2^53, where a number of JSON is not exact", x)
			}
			if err != nil {
				b.fault(path, "%v", err)
			}
		}
	}
	if len(f.Random) == 2 && f.Random[0] > f.Random[1] {
		b.fault(path+".random", "%v is above %v; want [least, greatest]", f.Random[0], f.Random[1])
	}
	if f.File != "" {
		b.array(path+".file", f.File)
	}
}

// inFolder returns a path of the config relative to the working directory.
func (a *algorithm) inFolder(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.folder, name)
}

// read returns the bytes of a source. It notes an error if it cannot.
func (b *builder) read(path, name string) []byte {
	data, err := sourceFiles{b.cfg}.read(b.a.inFolder(name))
	if err != nil {
		b.fault(path, "%v; a path is relative to the config", err)
		return nil
	}
	return data
}

// array notes that a file of numbers is used, or that it does not exist. The numbers are read with the
// problem.
func (b *builder) array(path, name string) {
	info, err := os.Stat(b.a.inFolder(name))
	switch {
	case err != nil:
		b.fault(path, "%v; a path is relative to the config", err)
	case !info.Mode().IsRegular():
		b.fault(path, "%s is not a regular file", name)
	default:
		b.files = append(b.files, fmt.Appendf(nil, "%s %d %d", name, info.Size(), info.ModTime().UnixNano()))
	}
}

// unit reads the files of a source, once.
func (b *builder) unit(path string, names sources, options []option) *unit {
	search := b.a.searched(options)
	key := strings.Join(slices.Concat([]string{b.extension()}, names, search), "\x00")
	if u, ok := b.units[key]; ok {
		return u
	}
	u, err := readUnit(b.a.folder, names, search, sourceFiles{b.cfg}, b.a.opencl)
	if err != nil {
		b.fault(path, "%v; a path is relative to the config", err)
		u = nil
	} else {
		b.files = append(append(b.files, []byte(u.text)), u.images...)
		for _, h := range slices.Sorted(maps.Keys(u.headers)) {
			b.files = append(b.files, []byte(u.headers[h]))
		}
	}
	b.units[key] = u
	return u
}

// anyFacts has the kinds of a device's facts, for compiling formulas.
var anyFacts = settings(gpu.Facts{})[deviceName]
