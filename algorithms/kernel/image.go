package kernel

import (
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// Types of arguments that are objects over an array of texels; see docs/kernels.md.
const (
	textureType = "texture"
	surfaceType = "surface"
	samplerType = "sampler" // of OpenCL: over nothing
)

// imageElement is the type of a texture or surface object, samplerElement that of a sampler.
var (
	imageElement   = element{&elementType{name: textureType, bytes: 8, part: "u64", lanes: 1}}
	samplerElement = element{&elementType{name: samplerType, bytes: 8, part: samplerType, lanes: 1}}
)

// sampler is how a texture reads.
type sampler struct {
	Filter     string    `json:"filter"` // point or linear
	Address    addresses `json:"address"`
	Normalized bool      `json:"normalized"`
	Read       string    `json:"read"` // element or normalized
}

// addresses is one word for all dimensions, or one for each.
type addresses []string

// UnmarshalJSON reads a word or a list of words.
func (a *addresses) UnmarshalJSON(b []byte) error { return (*sources)(a).UnmarshalJSON(b) }

// isLinear reports whether a texture of one dimension is over linear memory, for tex1Dfetch.
func (s *sampler) isLinear() bool {
	return s == nil || s.Filter == "" && s.Address == nil && !s.Normalized
}

// asDevice returns the sampler in the device's terms.
func (s *sampler) asDevice() (d gpu.Sampler) {
	for i := range d.Address {
		d.Address[i] = gpu.Clamp
	}
	if s == nil {
		return d
	}
	d.Linear, d.Normalized, d.Fraction = s.Filter == "linear", s.Normalized, s.Read == "normalized"
	words := map[string]gpu.Address{"wrap": gpu.Wrap, "clamp": gpu.Clamp, "mirror": gpu.Mirror, "border": gpu.Border}
	for i := range d.Address {
		if n := len(s.Address); n > 0 {
			d.Address[i] = words[s.Address[min(i, n-1)]]
		}
	}
	return d
}

// image is an argument that is a texture or a surface over another one.
type image struct {
	surface bool
	extents []*computed // the last varies fastest; those of the argument if there are none
}

// object compiles a texture, a surface or a sampler.
func (b *builder) object(path string, o *operand) {
	if o.isSampler() {
		b.samplerCL(path, o)
		return
	}
	b.image(path, o)
}

// image compiles a texture or a surface.
func (b *builder) image(path string, o *operand) {
	if o.Value != "" || o.Size != "" || o.Use != "" || o.Fill != nil || o.Compare != "" || o.Offset != "" || o.For != nil || o.Fields != nil || len(o.From) != 1 {
		b.fault(path, "a %s is over another argument, which has type, size, use and fill; want name, type, from with one name, and shape, layered or sampler", o.Type)
	}
	x := &image{surface: o.Type == surfaceType}
	if x.surface && o.Sampler != nil {
		b.fault(path+".sampler", "a surface is read and written as it is; a sampler is a texture's")
	}
	for i, f := range o.Shape {
		x.extents = append(x.extents, b.compile(fmt.Sprintf("%s.shape[%d]", path, i), f, b.problem))
	}
	o.loose, o.fixed, o.pointer = true, imageElement, &pointer{image: x}
}

// onto checks what a texture or a surface is over, when all arguments are known.
func (b *builder) onto(o, to *operand) {
	x := o.pointer.image
	if x.extents == nil {
		if x.extents = to.extents; x.extents == nil {
			x.extents = []*computed{to.size}
		}
	}
	switch n := len(x.extents); {
	case n > 3:
		b.fault(o.path, "%s has %d extents; want 1 to 3: depth, height and width", o.Name, n)
	case o.Layered && n < 2:
		b.fault(o.path+".layered", "the first extent counts layers; want a shape of layers and width, or of layers, height and width")
	case x.surface && !to.isAnswer() && to.Use != scratch:
		b.fault(o.path+".from", "%s is an input, which kernels do not change; a surface is over an output, an in_place or a scratch argument", to.Name)
	}
	if e := to.fixed; e.elementType != nil {
		if _, ok := e.texel(); !ok {
			b.fault(o.path+".from", "%s is of %s, which is no texel; want f32, f16, or whole numbers of up to 32 bits, one, two or four of them", to.Name, e.name)
		}
	}
}

// texel returns the texel of an array with elements of this type. A texture shows a double as two whole
// numbers, as kernels read it.
func (e element) texel() (t gpu.Texel, ok bool) {
	if e.elementType == nil || e.fields != nil || e.part == addressType {
		return t, false
	}
	t = gpu.Texel{Bytes: int(e.bytes / e.lanes), Channels: int(e.lanes)}
	switch {
	case e.name == "f64":
		return gpu.Texel{Kind: gpu.SignedTexel, Bytes: 4, Channels: 2}, true
	case e.part == "bf16" || t.Bytes > 4 || t.Channels == 3:
		return t, false
	case e.isFloat():
		t.Kind = gpu.FloatTexel
	case e.part[0] == 'i':
		t.Kind = gpu.SignedTexel
	}
	return t, true
}

// isImage reports whether an argument is a texture or a surface.
func (o *operand) isImage() bool { return o.pointer != nil && o.pointer.image != nil }

// array returns the form of the array for a texture or a surface.
func (a *algorithm) array(o *operand, params framework.Values, env scope) (f gpu.Array, err error) {
	x, to := o.pointer.image, &a.arguments[o.pointer.to[0]]
	var n []int
	texels := int64(1)
	for _, extent := range x.extents {
		k, err := extent.whole(env)
		if err == nil && (k < 1 || k > 1<<27) {
			err = extent.faultf("%s; want 1 to 2^27 texels", extent.is(k, env))
		}
		if err != nil {
			return f, fmt.Errorf("argument %s: shape: %w", o.Name, err)
		}
		n, texels = append(n, int(k)), texels*k
	}
	slices.Reverse(n)
	if o.Layered {
		f.Layers, n = n[len(n)-1], n[:len(n)-1]
	}
	n = append(n, 0, 0)
	f.Width, f.Height, f.Depth = n[0], n[1], n[2]
	f.Written = x.surface
	f.Fraction = o.Sampler != nil && o.Sampler.Read == "normalized"
	var ok bool
	if f.Texel, ok = to.element(params).texel(); !ok {
		return f, fmt.Errorf("argument %s: %s is of %s, which is no texel", o.Name, to.Name, to.element(params).name)
	}
	if has, err := a.size(to, env); err != nil || texels > has {
		return f, fmt.Errorf("argument %s: its shape has %d texels, and %s %d", o.Name, texels, to.Name, has)
	}
	return f, nil
}

// readyImage is a texture or a surface on the device.
type readyImage struct {
	object uint64
	array  gpu.ArrayID // 0 for a texture over linear memory
	over   gpu.Pointer // the argument
	input  bool        // no kernel changes it
	out    bool        // the array is copied back
}

// image returns the object for the argument with index i.
func (g *gpuRun) image(i int, env scope) (uint64, error) {
	if x, ok := g.images[i]; ok {
		return x.object, nil
	}
	o := &g.p.a.arguments[i]
	to := o.pointer.to[0]
	d := g.Device
	form, err := g.p.a.array(o, g.p.params, env)
	if err != nil {
		return 0, err
	}
	x := readyImage{over: g.vectors[to], input: g.p.a.arguments[to].Use == input, out: o.pointer.image.surface}
	fail := func(err error) (uint64, error) { return 0, fmt.Errorf("argument %s: %w", o.Name, err) }
	if d.Facts().OpenCL == nil && !x.out && form.Height == 0 && form.Layers == 0 && o.Sampler.isLinear() {
		if x.object, err = d.LinearTexture(x.over, form, o.Sampler.asDevice()); err != nil {
			return fail(err)
		}
		g.AtPostRun(func() error { return d.FreeTexture(x.object) })
	} else {
		if x.array, err = d.NewArray(form); err != nil {
			return fail(err)
		}
		g.AtPostRun(func() error { return d.FreeArray(x.array) })
		free := d.FreeTexture
		if x.out {
			free = d.FreeSurface
			x.object, err = d.Surface(x.array)
		} else {
			x.object, err = d.Texture(x.array, o.Sampler.asDevice())
		}
		if err != nil {
			return fail(err)
		}
		g.AtPostRun(func() error { return free(x.object) })
		if err := d.CopyToArray(x.array, x.over, g.Env.Stream); err != nil {
			return fail(err)
		}
	}
	if g.images == nil {
		g.images = map[int]readyImage{}
	}
	g.images[i] = x
	return x.object, nil
}

// show copies inputs to the arrays over them.
func (g *gpuRun) show() error {
	for _, x := range g.images {
		if x.array == 0 || !x.input {
			continue
		}
		if err := g.Device.CopyToArray(x.array, x.over, g.Env.Stream); err != nil {
			return err
		}
	}
	return nil
}

// shown returns the arrays that must be copied before a launch, because kernels or surfaces change the
// arguments below them, and those that must be copied back after it.
func (g *gpuRun) shown(l *kernelLaunch) (before, behind []readyImage) {
	for _, i := range l.reached {
		x, ok := g.images[i]
		if !ok || x.array == 0 || x.input {
			continue
		}
		before = append(before, x)
		if x.out {
			behind = append(behind, x)
		}
	}
	return before, behind
}

// imageNames are the names of the objects' types.
var imageNames = map[string]string{"cudaTextureObject_t": textureType, "cudaSurfaceObject_t": surfaceType}

// takesImage describes why a parameter is no place for a texture or a surface, or returns "".
func (p parameter) takesImage(o *operand, who string) string {
	for name, kind := range imageNames {
		if strings.Contains(p.text, name) && kind != o.Type {
			return fmt.Sprintf("argument %s is a %s, and %s takes %s; want the type %s", o.Name, o.Type, who, p.text, kind)
		}
	}
	if p.pointer || p.parts != nil && !slices.Equal(p.parts, []string{"u64"}) {
		return fmt.Sprintf("argument %s is a %s, and %s takes %s", o.Name, o.Type, who, p.text)
	}
	return ""
}

// ofImage describes why an argument is none of the objects that a parameter names, or returns "".
func (p parameter) ofImage(o *operand, who string) string {
	for name, kind := range imageNames {
		if strings.Contains(p.text, name) && !p.pointer {
			return fmt.Sprintf("argument %s is no %s, and %s takes %s; want the type %s over another argument", o.Name, kind, who, p.text, kind)
		}
	}
	return ""
}
