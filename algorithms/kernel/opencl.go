package kernel

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/gpu"
	"example.org/bench/internal/lazy"
)

// extension returns the extension of source files.
func (b *builder) extension() string {
	if b.a.opencl {
		return ".cl"
	}
	return ".cu"
}

// inSpace refuses an address space where there are none, and what OpenCL cannot pass.
func (b *builder) inSpace(path string, o *operand) {
	switch {
	case !b.a.opencl && o.Space != "":
		b.fault(path+".space", "address spaces are OpenCL's; CUDA has none for arguments")
	case b.a.opencl && !o.isSampler() && o.Sampler != nil && (o.Sampler.Filter != "" || o.Sampler.Address != nil || o.Sampler.Normalized):
		b.fault(path+".sampler", "in OpenCL C filter, address and normalized are of a sampler_t, the kernel's own or an argument of the type sampler; want read alone")
	case b.a.opencl && o.From != nil && o.Type != textureType && o.Type != surfaceType:
		b.fault(path+".from", "OpenCL gives kernels no addresses: an argument cannot point into others; want an offset as a value")
	case b.a.opencl && o.Type == addressType:
		b.fault(path+".type", "OpenCL gives kernels no addresses; want a vector")
	case o.Space != "" && !o.isLocal() && o.Size == "":
		b.fault(path+".space", "the space %s is of a vector, which has a size", o.Space)
	}
}

// objectCL finds the type of a parameter that is an image or a sampler.
var objectCL = lazy.Regexp(`\b(?:image[123]d(?:_array|_buffer)?(?:_msaa|_depth)*|sampler)_t\b`)

const samplerCL = "sampler_t"

// isSampler reports whether an argument is a sampler.
func (a *argument) isSampler() bool { return a.Type == samplerType }

// objectCL returns the type in OpenCL C of a texture, a surface or a sampler; "" for another argument.
func (o *operand) objectCL() string {
	switch {
	case o.isSampler():
		return samplerCL
	case !o.isImage():
		return ""
	}
	n, of := len(o.pointer.image.extents), ""
	if o.Layered {
		n, of = n-1, "_array"
	}
	return fmt.Sprintf("image%dd%s_t", n, of)
}

// takesObjectCL describes why a parameter in OpenCL C and an argument do not fit if one of them is an image
// or a sampler, or returns "".
func (p parameter) takesObjectCL(o *operand, who string) string {
	is, takes := o.objectCL(), objectCL().FindString(p.text)
	switch writes := strings.Contains(p.text, "write_only"); {
	case is == "" && takes == samplerCL:
		return fmt.Sprintf("argument %s is no sampler, and %s takes %s; want the type sampler", o.Name, who, p.text)
	case is == "":
		return fmt.Sprintf("argument %s is no image, and %s takes %s; want the type texture or surface over another argument", o.Name, who, p.text)
	case is != takes:
		return fmt.Sprintf("argument %s is of %s, and %s takes %s", o.Name, is, who, p.text)
	case o.isImage() && writes != o.pointer.image.surface && !strings.Contains(p.text, "read_write"):
		return fmt.Sprintf("argument %s is a %s, and %s takes %s; a texture is read_only and a surface write_only", o.Name, o.Type, who, p.text)
	}
	return ""
}

// samplerCL compiles a sampler.
func (b *builder) samplerCL(path string, o *operand) {
	s := o.Sampler
	switch {
	case !b.a.opencl:
		b.fault(path+".type", "a sampler is an argument in OpenCL alone; in CUDA it is part of a texture: want its sampler")
	case o.Value != "" || o.Size != "" || o.Shape != nil || o.Use != "" || o.Fill != nil || o.Compare != "" || o.Offset != "" || o.For != nil || o.Fields != nil || o.From != nil || o.Layered || o.Space != "":
		b.fault(path, "a sampler is how images are read; want name, type and sampler alone")
	case s != nil && s.Read != "":
		b.fault(path+".sampler.read", "how whole numbers are read is a texture's; want filter, address and normalized")
	case s != nil && len(s.Address) > 1:
		b.fault(path+".sampler.address", "OpenCL reads alike beyond every side; want one word")
	case s != nil && len(s.Address) == 1 && (s.Address[0] == "wrap" || s.Address[0] == "mirror") && !s.Normalized:
		b.fault(path+".sampler.address", `%s is for coordinates from 0 to 1; want "normalized": true`, s.Address[0])
	}
	o.loose, o.fixed = true, samplerElement
}

// sampler returns the object for the argument with index i.
func (g *gpuRun) sampler(i int) (uint64, error) {
	if x, ok := g.samplers[i]; ok {
		return x, nil
	}
	o := &g.p.a.arguments[i]
	d, ok := g.Device.(gpu.Samplers)
	if !ok {
		return 0, fmt.Errorf("argument %s: %s has no samplers", o.Name, g.Device.ID())
	}
	x, err := d.NewSampler(o.Sampler.asDevice())
	if err != nil {
		return 0, fmt.Errorf("argument %s: %w", o.Name, err)
	}
	g.AtPostRun(func() error { return d.FreeSampler(x) })
	if g.samplers == nil {
		g.samplers = map[int]uint64{}
	}
	g.samplers[i] = x
	return x, nil
}

// local compiles an argument in local memory.
func (b *builder) local(path string, o *operand) {
	b.types(path, o)
	switch {
	case o.Value != "" || o.Use != "" || o.Fill != nil || o.Compare != "" || o.Fields != nil || o.From != nil:
		b.fault(path, "local memory has a type and a size alone: each work-group begins with whatever is there")
	case o.Size == "":
		b.fault(path, "how much local memory? want size")
	default:
		b.size(path, o, b.launchNames())
	}
	o.loose = true
}

// localBytes returns the bytes of an argument in local memory.
func (a *algorithm) localBytes(o *operand, env scope) (int64, error) {
	n, err := a.size(o, env)
	if err != nil {
		return 0, fmt.Errorf("argument %s: %w", o.Name, err)
	}
	return n * o.fixed.bytes, nil
}

// localLimit refuses more local memory than the device has.
func (a *algorithm) localLimit(o *operand, env scope, f gpu.Facts) error {
	n, err := a.localBytes(o, env)
	if err == nil && n > int64(f.SharedPerBlock) {
		err = o.size.refusef("argument %s: %d bytes of local memory; the device allows %d", o.Name, n, f.SharedPerBlock)
	}
	return err
}

// shaped refuses a launch whose extents are not given in one way.
func (b *builder) shaped(path string, l *launch) {
	inGroups, inItems := l.Grid != nil || l.Block != nil, l.Global != nil || l.Local != nil
	switch {
	case !b.a.opencl && inItems:
		b.fault(path, "global and local are OpenCL's; want grid and block")
	case inGroups && inItems:
		b.fault(path, "want grid and block, or global and local")
	case inItems && (l.Global == nil || l.Local == nil):
		b.fault(path, "want both global, the work-items in all, and local, those of a work-group")
	case !inItems && b.a.opencl && (l.Grid == nil || l.Block == nil):
		b.fault(path, "want grid and block, or global and local")
	case !inItems && l.Grid == nil:
		b.fault(path, `the key "grid" is missing`)
	case !inItems && l.Block == nil:
		b.fault(path, `the key "block" is missing`)
	case b.a.opencl && l.SharedBytes != "":
		b.fault(path+".shared_bytes", `OpenCL has no such size: local memory is an argument with "space": "local"`)
	case b.a.opencl && l.Cooperative:
		b.fault(path+".cooperative", "OpenCL has no cooperative launches")
	case b.a.opencl && !plainName().MatchString(l.Name):
		b.fault(path+".name", "%s: a kernel of OpenCL C has a plain name", l.Name)
	}
}

var plainName = lazy.Regexp(`^[A-Za-z_]\w*$`)

// ofInterface refuses keys of a version that the interface does not have.
func (b *builder) ofInterface(own string, c code) {
	if !b.a.opencl {
		return
	}
	if c.Constants != nil {
		b.fault(b.either(own, "constants"), `OpenCL's host does not reach variables of a program: want an argument with "space": "constant"`)
	}
	if c.Benign != nil {
		b.fault(b.either(own, "benign"), "the simulator, which finds races, runs CUDA C++ alone")
	}
}

// portable returns the form of a CUDA version that devices of OpenCL run: the same launches, macros, tunables
// and counts with the kernels of opencl_source. at says where each key of the version stands.
func (b *builder) portable(v *variant, at map[string]string, names scope) *variant {
	path := at["opencl_source"]
	if b.a.opencl {
		b.fault(path, "source is OpenCL C already; opencl_source is of kernels in CUDA C++")
		return nil
	}
	b.a.opencl = true
	defer func() { b.a.opencl = false }()
	own := *v
	own.Source, own.Options, own.Benign = v.OpenCLSource, nil, nil // those are of NVRTC and of the simulator
	own.unit = b.unit(path, own.Source, nil)
	b.ofInterface(strings.TrimSuffix(at["constants"], "constants"), own.code)
	own.launches = b.launches(at["kernels"], v.Kernels, own.unit, names)
	for _, l := range own.launches {
		for _, j := range l.operands {
			b.inSpace(b.a.arguments[j].path, &b.a.arguments[j])
		}
	}
	if b.a.def.Verify.Kernels != nil {
		b.fault("verify.kernels", "the kernels that verify are CUDA C++, and a device of OpenCL is to run version %s; want c, program or files", v.Name)
	}
	return &own
}

// either returns the path of a version's own key, or of the one common to all.
func (b *builder) either(own, key string) string {
	if b.position(own+key).Line > 0 {
		return own + key
	}
	return key
}

// names returns the keys of the launch's extents.
func (l *kernelLaunch) names() [2]string {
	if l.items {
		return [2]string{"global", "local"}
	}
	return [2]string{"grid", "block"}
}

// divide makes work-groups of work-items.
func (l *kernelLaunch) divide(s *gpu.Launch) error {
	for i, x := range []struct{ grid, block *int }{{&s.Grid.X, &s.Block.X}, {&s.Grid.Y, &s.Block.Y}, {&s.Grid.Z, &s.Block.Z}} {
		if *x.grid%*x.block != 0 {
			return l.grid[min(i, len(l.grid)-1)].refusef("global %d is no multiple of local %d in %c; OpenCL 1.2 wants one", *x.grid, *x.block, "xyz"[i])
		}
		*x.grid /= *x.block
	}
	return nil
}

var (
	spaceCL     = lazy.Regexp(`\b(?:__)?(global|constant|local)\b`)
	qualifierCL = lazy.Regexp(`\b(?:(?:__)?(?:global|constant|local|private|read_only|write_only|read_write)|__attribute__\s*\(\(.*?\)\))\b`)
)

// parametersCL parses a list of parameters in OpenCL C.
func (t types) parametersCL(list string) (all []parameter) {
	if list = strings.TrimSpace(list); list == "" || list == "void" {
		return nil
	}
	for text := range strings.SplitSeq(list, ",") {
		p := t.parameter(qualifierCL().ReplaceAllString(text, " "), 0)
		p.text, p.opencl = strings.Join(strings.Fields(text), " "), true
		if m := spaceCL().FindStringSubmatch(text); m != nil && p.pointer {
			p.space = m[1]
		}
		// A vector of three numbers is stored as four.
		if len(p.parts) == 3 && !slices.Contains(p.parts, "void") {
			p.parts = nil
		}
		all = append(all, p)
	}
	return all
}
