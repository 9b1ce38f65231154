package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/gpu"
)

// A structure is laid out as in C: each field at a multiple of its alignment, which is also that of CUDA's
// vector types. Structures are packed only for the device; for the host each field is a vector of its own.

// alignment returns what an element's address is a multiple of.
func (e element) alignment() int64 {
	if e.lanes == 3 {
		return e.bytes / e.lanes
	}
	return min(e.bytes, 16)
}

// layout returns the offsets of fields in a structure, and the structure's bytes.
func layout(fields []operand, params framework.Values) (offsets []int64, bytes int64) {
	most := int64(1)
	for i := range fields {
		e := fields[i].element(params)
		to := e.alignment()
		bytes = (bytes + to - 1) / to * to
		offsets = append(offsets, bytes)
		bytes += e.bytes
		most = max(most, to)
	}
	return offsets, (bytes + most - 1) / most * most
}

// structureType is the name of a structure's type.
const structureType = "structure"

// structure returns the type of a structure with those fields.
func structure(fields []operand, params framework.Values) element {
	_, bytes := layout(fields, params)
	t := &elementType{name: structureType, bytes: bytes, part: structureType, lanes: 1}
	for i := range fields {
		e := fields[i].element(params)
		for range e.lanes {
			t.fields = append(t.fields, e.part)
		}
	}
	return element{t}
}

// around returns the index of the structure whose field has index i, and which of its fields that is.
func (a *algorithm) around(i int) (whole, field int) {
	for whole = i; a.arguments[whole].inside; whole-- {
	}
	return whole, i - whole - 1
}

// packed returns the vector of structures with index i, whose fields the problem has as inputs.
func (p *problem) packed(i int) vector {
	fields := p.a.arguments[i].fields
	offsets, _ := layout(fields, p.params)
	v := newVector(p.element(i), p.sizes[i])
	for f := range fields {
		in := p.inputs[i+1+f]
		for k := range v.size {
			copy(v.data[k*v.bytes+offsets[f]:], in.data[k*in.bytes:(k+1)*in.bytes])
		}
	}
	return v
}

// column downloads the field with index i of a vector of structures.
func (g *gpuRun) column(i int, to vector) error {
	whole, field := g.p.a.around(i)
	offsets, bytes := layout(g.p.a.arguments[whole].fields, g.p.params)
	all := make([]byte, g.bytes[whole])
	if err := gpu.Download(g.Device, all, g.vectors[whole]); err != nil {
		return err
	}
	for k := range to.size {
		copy(to.data[k*to.bytes:(k+1)*to.bytes], all[k*bytes+offsets[field]:])
	}
	return nil
}

// passed returns what a launch passes for the argument with index i.
func (g *gpuRun) passed(i int, env scope) (any, error) {
	o := &g.p.a.arguments[i]
	switch {
	case o.isImage():
		object, err := g.image(i, env)
		if g.Device.Facts().OpenCL != nil {
			return gpu.Image(object), err
		}
		return object, err
	case o.isSampler():
		return g.sampler(i)
	case o.pointer != nil:
		return g.pointer(o, env)
	case o.isVector():
		return g.vectors[i], nil
	case o.isLocal():
		n, err := g.p.a.localBytes(o, env)
		return gpu.Local(n), err
	case o.fields == nil:
		return g.p.a.scalar(o, g.p.element(i), env)
	}
	offsets, bytes := layout(o.fields, g.p.params)
	whole := make(gpu.Raw, bytes)
	for f := range o.fields {
		x, err := g.passed(i+1+f, env)
		if err != nil {
			return nil, err
		}
		copy(whole[offsets[f]:], bytesOf(x))
	}
	return whole, nil
}

// bytesOf returns the bytes of an argument of a launch.
func bytesOf(x any) []byte {
	switch x := x.(type) {
	case float32:
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(x))
	case float64:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(x))
	case int32:
		return binary.LittleEndian.AppendUint32(nil, uint32(x))
	case uint32:
		return binary.LittleEndian.AppendUint32(nil, x)
	case int64:
		return binary.LittleEndian.AppendUint64(nil, uint64(x))
	case uint64:
		return binary.LittleEndian.AppendUint64(nil, x)
	case gpu.Pointer:
		return binary.LittleEndian.AppendUint64(nil, uint64(x))
	}
	return x.(gpu.Raw)
}

// fieldsOf makes the operands of a structure's fields, and its type.
func (b *builder) fieldsOf(path string, o *operand) {
	switch {
	case o.Type != "" || o.Value != "" || o.Fill != nil || o.Compare != "" || o.From != nil:
		b.fault(path, "a structure has fields with types, values, fills and ways to compare of their own; want only name, fields, size or shape, and use")
	case !o.isVector() && o.Use != "":
		b.fault(path+".use", "%s is passed by value; with size or shape it would be a vector of structures", o.Name)
	case o.isVector() && o.Use == "":
		o.Use = input
	}
	if o.isVector() {
		b.vectorSize(path, o)
	}
	taken := map[string]string{}
	filled := 0
	for i, f := range o.Fields {
		at := fmt.Sprintf("%s.fields[%d]", path, i)
		b.once(at+".name", f.Name, taken)
		f.Name = o.Name + "." + f.Name
		x := operand{argument: f, path: at, inside: true}
		if o.isVector() {
			x.Use, x.Size, x.Shape, x.size, x.extents, x.loose = o.Use, o.Size, o.Shape, o.size, o.extents, o.loose
			b.vectorField(at, &x)
		} else {
			b.scalarField(at, &x)
		}
		if x.isFilled() {
			filled++
		}
		o.fields = append(o.fields, x)
	}
	if !slices.ContainsFunc(o.fields, func(x operand) bool { return x.fixed.elementType == nil }) {
		o.fixed = structure(o.fields, nil)
	}
	switch {
	case filled == len(o.fields):
		o.Fill = &fill{} // by the fields
	case filled > 0:
		b.fault(path+".fields", "%d of %d fields have a fill; want all or none", filled, len(o.fields))
	}
}

func (b *builder) vectorField(path string, x *operand) {
	if x.Value != "" || x.From != nil || x.Offset != "" {
		b.fault(path, "%s is a field of every element; want type, and fill or compare", x.Name)
	}
	b.content(path, x, b.types(path, x))
	b.looseAnswer(path, x)
}

func (b *builder) scalarField(path string, x *operand) {
	switch {
	case x.Fill != nil || x.Compare != "":
		b.fault(path, "fill and compare are of a vector's fields; a structure that is passed by value has fields with a value, or from")
	case (x.Value == "") == (x.From == nil):
		b.fault(path, "what is %s? want value, or from, the argument that it points into", x.Name)
	case x.From != nil:
		b.points(path, x)
	default:
		b.types(path, x)
		b.scalar(path, x, b.launchNames())
	}
}

// typePath returns where the config has the argument's type, or the argument if it has none.
func (o *operand) typePath() string {
	if o.Type == "" || o.pointer != nil && !o.isImage() {
		return o.path
	}
	return o.path + ".type"
}
