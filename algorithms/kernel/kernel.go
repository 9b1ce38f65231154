// Package kernel makes an algorithm from a config's {"cuda": …}, kernels of a .cu file, or {"opencl": …},
// kernels of a .cl file, with their arguments, launches, tunables, counts and verification. docs/kernels.md
// describes the form.
package kernel

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// New returns the factory of the config's kernels. Its errors are *config.Errors with the places in the
// config.
func New(cfg *config.Config) (*framework.Factory, error) {
	f, err := Draft(cfg)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// Draft does what New does, but also beside errors it returns a factory with what is known: parameters, and
// versions with their tunables. The factory serves to find further mistakes; nothing of it may run.
func Draft(cfg *config.Config) (*framework.Factory, error) {
	b := &builder{cfg: cfg, errs: &config.Errors{}, a: &algorithm{folder: filepath.Dir(cfg.Path)}}
	a := b.build()
	if err := b.errs.Err(); err != nil {
		if b.problem == nil { // the JSON has another form
			return nil, err
		}
		return a.draft(cfg), err
	}
	cfg.Extend(b.files...)
	f := &framework.Factory{
		Name:       cfg.Algorithm,
		Doc:        a.def.Doc,
		Source:     a.def.Literature,
		Check:      a.check,
		Inputs:     a.refuseInputs,
		HostBytes:  a.hostBytes,
		Formulas:   a.formulas(),
		NewProblem: a.newProblem,
		Keep:       a.keep,

		Verification: a.verification(cfg.Judge != nil),
	}
	if f.Doc == "" {
		f.Doc = "kernels of " + a.def.Source.String()
	}
	if a.def.Items != nil {
		f.Items = a.def.Items.Name
	}
	for _, p := range a.def.Params {
		f.Params = append(f.Params, p.parameter())
	}
	for _, v := range a.versions {
		f.Versions = append(f.Versions, a.version(v))
	}
	return f, nil
}

// draft returns a factory for Draft.
func (a *algorithm) draft(cfg *config.Config) *framework.Factory {
	f := &framework.Factory{Name: cfg.Algorithm, Inputs: a.refuseInputs}
	for i := range a.def.Params {
		f.Params = append(f.Params, a.def.Params[i].parameter())
	}
	for _, v := range a.versions {
		made := framework.Version{Name: v.Name, Processor: framework.GPU, OpenCL: a.opencl, Portable: v.portable != nil}
		for i := range v.settings {
			made.Tunables = append(made.Tunables, v.settings[i].as)
		}
		f.Versions = append(f.Versions, made)
	}
	return f
}

// parameter converts p to the framework's form.
func (p *param) parameter() framework.Param {
	q := framework.Param{Name: p.Name, Doc: p.Doc, Unit: p.Unit, Kind: p.kind(), Default: p.Default, Choices: p.Choices}
	if q.Kind == framework.Float && q.Default.Kind() == framework.Int {
		q.Default = framework.FloatValue(q.Default.Float())
	}
	if p.Min != nil || p.Max != nil {
		q.Min, q.Max = -1<<53, 1<<53
		if p.Min != nil {
			q.Min = *p.Min
		}
		if p.Max != nil {
			q.Max = *p.Max
		}
	}
	return q
}

func (p *param) kind() framework.Kind {
	switch p.Kind {
	case "float":
		return framework.Float
	case "text":
		return framework.Text
	}
	return framework.Int
}

// version converts v to the framework's form.
func (a *algorithm) version(v *variant) framework.Version {
	version := framework.Version{Name: v.Name, Doc: v.Doc, Source: v.Literature, Processor: framework.GPU}
	if v.C != nil {
		version.Processor = framework.CPU
		version.Available = compilerAvailable
		version.New = framework.Typed(func(env framework.Env, p *problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
			return newCPURun(env, a, v, p, tunables)
		})
		if version.Doc == "" {
			version.Doc = fmt.Sprintf("C function %s of %s, one thread", v.C.Function, v.C.Source)
			if v.C.threaded() {
				version.Doc = fmt.Sprintf("C function %s of %s, on all processors", v.C.Function, v.C.Source)
			}
		}
	} else if version.Doc == "" {
		version.Doc = "kernels of " + v.Source.String()
	}
	for i := range v.settings {
		version.Tunables = append(version.Tunables, v.settings[i].as)
	}
	version.Defaults = v.defaults
	version.HostBytes = func(params, tunables framework.Values, _ bool) int64 { return a.takenBytes(v, params, tunables) }
	version.Valid = func(params, tunables framework.Values, facts gpu.Facts) error {
		return a.valid(v, params, tunables, facts)
	}
	if len(v.settings) == 0 { // the runner calls Valid only for versions with tunables
		version.Supports = func(params framework.Values, facts gpu.Facts) error { return a.valid(v, params, nil, facts) }
	}
	if v.C != nil {
		return version
	}
	version.OpenCL, version.Portable = a.opencl, v.portable != nil
	version.DeviceBytes = func(params, tunables framework.Values) int64 { return a.deviceBytes(v, params, tunables) }
	version.New = framework.Typed(func(env framework.Env, p *problem, tunables framework.Values) (framework.BaseAlgorithm, error) {
		return newGPURun(env, a, v.on(env.Device.Facts()), p, tunables)
	})
	return version
}

func (a *algorithm) formulas() []framework.Formula {
	var list []framework.Formula
	add := func(name string, x *computed) {
		if x != nil {
			list = append(list, framework.Formula{Name: name, Text: x.Text})
		}
	}
	add("nominal_flops", a.nominal.flops)
	add("nominal_bytes", a.nominal.bytes)
	if a.nominal.bytes == nil {
		list = append(list, framework.Formula{Name: "nominal_bytes", Text: "the sizes of the inputs and outputs"})
	}
	for _, v := range a.versions {
		add("flops ("+v.Name+")", v.counts.flops)
		add("load_bytes ("+v.Name+")", v.counts.load)
		add("store_bytes ("+v.Name+")", v.counts.store)
	}
	return list
}

// verification returns the problems at which answers are checked on a device: those of verify.at,
// if there are any. On a GPU it adds the defaults, which would take the simulator long. A task's are
// left out, as a judgement also verifies the problems that it times.
func (a *algorithm) verification(task bool) func(device string) []framework.Values {
	return func(device string) []framework.Values {
		var list []framework.Values
		for _, at := range a.def.Verify.At {
			list = append(list, framework.Values(at))
		}
		if len(list) == 0 || (strings.HasPrefix(device, "cuda:") || strings.HasPrefix(device, "opencl:")) && !task {
			list = append(list, framework.Values{})
		}
		return list
	}
}
