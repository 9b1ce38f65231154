package kernel

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/bench/framework/config"
)

// versions makes the config's versions, or the only one, which has no name of its own.
func (b *builder) versions() {
	d := &b.a.def
	b.a.common = b.constants("constants", d.Constants, nil)
	if len(d.Versions) == 0 {
		if len(d.Kernels) == 0 {
			b.fault("", "what runs? want kernels, or versions with kernels of their own")
			return
		}
		b.a.versions = append(b.a.versions, b.version("", version{Name: lastName(first(d.Kernels).Name)}))
		return
	}
	seen := map[string]bool{}
	for i, v := range d.Versions {
		own := fmt.Sprintf("versions[%d].", i)
		if seen[v.Name] {
			b.fault(own+"name", "two versions are called %q; want another name", v.Name)
		}
		seen[v.Name] = true
		b.a.versions = append(b.a.versions, b.version(own, v))
	}
}

// version makes one version. own is the path of its own keys; keys that it lacks are taken from those common
// to all.
func (b *builder) version(own string, v version) *variant {
	at := map[string]string{} // where each key stands
	inherit := func(key string, has bool, take func()) {
		at[key] = own + key
		if !has {
			at[key] = key
			take()
		}
	}
	common := &b.a.def.code
	if v.C != nil {
		b.function(own+"c", v.C)
		if v.Kernels != nil || v.Source != nil || v.OpenCLSource != nil || v.Constants != nil || v.Options != nil || v.Benign != nil {
			b.fault(own+"c", "a version of a C function has no source, kernels, constants, benign lines and options of its own; options belong in c")
		}
		for _, key := range []string{"tunables", "constraints"} {
			at[key] = own + key
		}
		if v.C.Double {
			b.fault(own+"c.double", "only the right answer may be in double precision")
		}
	} else {
		inherit("source", v.Source != nil, func() { v.Source = common.Source })
		inherit("opencl_source", v.OpenCLSource != nil, func() { v.OpenCLSource = common.OpenCLSource })
		inherit("kernels", v.Kernels != nil, func() { v.Kernels = common.Kernels })
		inherit("constants", v.Constants != nil, func() { v.Constants = common.Constants })
		inherit("defines", v.Defines != nil, func() { v.Defines = common.Defines })
		inherit("options", v.Options != nil, func() { v.Options = common.Options })
		inherit("benign", v.Benign != nil, func() { v.Benign = common.Benign })
		inherit("tunables", v.Tunables != nil, func() { v.Tunables = common.Tunables })
		inherit("constraints", v.Constraints != nil, func() { v.Constraints = common.Constraints })
		inherit("flops", v.FLOPs != "", func() { v.FLOPs = common.FLOPs })
		inherit("load_bytes", v.LoadBytes != "", func() { v.LoadBytes = common.LoadBytes })
		inherit("store_bytes", v.StoreBytes != "", func() { v.StoreBytes = common.StoreBytes })
	}
	b.ofInterface(own, v.code)
	made := &variant{version: v}
	names := maps.Clone(b.problem)
	if v.C == nil {
		names[deviceName] = anyFacts
	}
	b.tunables(made, at["tunables"], names)
	made.Defines = b.defines(cmp.Or(at["defines"], own+"defines"), v.Defines, names)
	for i, c := range v.Constraints {
		made.constraints = append(made.constraints, b.compile(fmt.Sprintf("%s[%d]", at["constraints"], i), c, names))
	}
	if v.C != nil {
		c := *v.C
		c.Options = b.options(own+"c.options", c.Options, names)
		made.C = &c
		b.needs(own+"c", nil, names, "version "+v.Name)
	} else {
		switch {
		case len(v.Kernels) == 0:
			b.fault(own+"name", "what does version %s run? want kernels or c", v.Name)
		case len(v.Source) == 0:
			// At the object that lacks it: there a misspelt key is the mistake (config.Errors.Join).
			b.fault("", "of what file are the kernels? want source, a %s file", b.extension())
		default:
			made.Options = b.options(at["options"], v.Options, names)
			made.unit = b.unit(at["source"], v.Source, v.Options)
			b.benign(at["benign"], v.Benign, made.unit)
			made.globals = b.constants(at["constants"], v.Constants, made.unit)
			b.placeholders(at["source"], made.unit, names)
			made.launches = b.launches(at["kernels"], v.Kernels, made.unit, names)
			for i := range made.globals {
				if c := &made.globals[i]; c.object {
					for k := range made.launches {
						made.launches[k].reached = append(made.launches[k].reached, b.a.reached([]int{c.from})...)
					}
				}
			}
			b.templateArguments(made.launches, made.unit, names, v)
			b.needs(at["kernels"], made.launches, names, "version "+v.Name)
			if v.OpenCLSource != nil {
				made.portable = b.portable(made, at, names)
			}
		}
	}
	made.counts.flops = b.compile(cmp.Or(at["flops"], own+"flops"), v.FLOPs, names)
	made.counts.load = b.compile(cmp.Or(at["load_bytes"], own+"load_bytes"), v.LoadBytes, names)
	made.counts.store = b.compile(cmp.Or(at["store_bytes"], own+"store_bytes"), v.StoreBytes, names)
	return made
}

// function checks that a C function's file exists and defines the function.
func (b *builder) function(path string, f *function) {
	text := b.read(path+".source", f.Source)
	if text == nil {
		return
	}
	b.files = append(b.files, text)
	if !strings.Contains(string(text), f.Function) {
		b.fault(path+".function", "%s has no function %s", b.a.inFolder(f.Source), f.Function)
		return
	}
	b.called(path+".function", f, string(text))
}

// reference checks where the right answer comes from.
func (b *builder) reference() {
	v := &b.a.def.Verify
	given := 0
	for _, has := range []bool{v.C != nil, v.Kernels != nil, v.Program != nil, v.Files != nil, v.None != ""} {
		if has {
			given++
		}
	}
	if given != 1 {
		b.fault("verify", "want one of c, kernels, program, files and none, which say where the right answer comes from; got %d", given)
		return
	}
	if v.Source != nil && v.Kernels == nil {
		b.fault("verify.source", "this is the %s file of kernels; there are none here", b.extension())
	}
	b.a.reference = reference{a: b.a}
	switch {
	case v.C != nil:
		b.function("verify.c", v.C)
		v.C.Options = b.options("verify.c.options", v.C.Options, b.problem)
	case v.Kernels != nil:
		b.referenceKernels(v)
	}
	b.referenceSizes()
	if v.Files != nil {
		for _, i := range b.a.comparedAnswers() {
			if v.Files[b.a.arguments[i].Name] == "" {
				b.fault("verify.files", "there is no file for %s, which the kernels write", b.a.arguments[i].Name)
			}
		}
	}
	answers := []string{}
	for _, i := range b.a.comparedAnswers() {
		answers = append(answers, b.a.arguments[i].Name)
	}
	for _, name := range slices.Sorted(maps.Keys(v.Files)) {
		if !slices.Contains(answers, name) {
			b.fault("verify.files."+name, "%s is not an output%s", name, config.Choice(name, answers, "outputs"))
		} else {
			b.array("verify.files."+name, v.Files[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v.Tolerance.Named)) {
		if !slices.Contains(answers, name) {
			b.fault("verify.tolerance."+name, "%s is not an output%s", name, config.Choice(name, answers, "outputs"))
		}
	}
	for i, at := range v.At {
		for _, name := range slices.Sorted(maps.Keys(at)) {
			if _, ok := b.problem[name]; !ok || name == deviceName {
				b.fault(fmt.Sprintf("verify.at[%d].%s", i, name), "%s is not a parameter%s", name,
					config.Choice(name, slices.Sorted(maps.Keys(b.problem)), "parameters"))
			}
		}
	}
}

// referenceSizes finds the version whose sizes the right answer has.
func (b *builder) referenceSizes() {
	loose := b.a.loose(nil)
	if len(loose) == 0 || b.a.reference.as != nil {
		return
	}
	for _, v := range b.a.versions {
		if v.C == nil {
			b.a.reference.as = v // needs has refused versions without the tunables
			return
		}
	}
	b.a.reference.as = b.a.versions[0]
}

// referenceKernels compiles the launches that compute the right answer. Their macros are those of the first
// version that has kernels, with the defaults of its tunables.
func (b *builder) referenceKernels(v *verify) {
	r := &b.a.reference
	for _, x := range b.a.versions {
		if x.C != nil {
			b.fault("verify.kernels", "version %s runs on the CPU, where no kernel can give the right answer; want c, program or files", x.Name)
		} else if r.as == nil {
			r.as = x
		}
	}
	if r.as == nil {
		return
	}
	source, path := v.Source, "verify.source"
	if source == nil {
		source, path = r.as.Source, "verify.kernels"
	}
	if source == nil {
		return // noted with the version
	}
	names := maps.Clone(b.problem)
	names[deviceName] = anyFacts
	for _, t := range r.as.settings {
		names[t.Name] = t.example()
	}
	r.unit = b.unit(path, source, r.as.Options)
	r.launches = b.launches("verify.kernels", v.Kernels, r.unit, names)
	b.templateArguments(r.launches, r.unit, names, r.as.version)
	b.needs("verify.kernels", r.launches, names, "version "+r.as.Name)
}
