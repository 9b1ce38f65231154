package algorithmtest

import (
	"encoding/binary"
	"hash/maphash"
	"reflect"
	"unsafe"

	"example.org/bench/gpu"
)

// content describes reachable memory: its bytes in slices and a hash of all
// values, equal for equal ones.
type content struct {
	bytes int64
	hash  uint64
}

var (
	hashSeed   = maphash.MakeSeed()
	deviceType = reflect.TypeFor[gpu.Device]()
)

// contentOf follows pointers, interfaces and slices from x on.
func contentOf(x any) content {
	w := walker{seen: map[unsafe.Pointer]bool{}}
	w.hash.SetSeed(hashSeed)
	w.walk(reflect.ValueOf(x))
	return content{w.bytes, w.hash.Sum64()}
}

type walker struct {
	seen  map[unsafe.Pointer]bool
	hash  maphash.Hash
	bytes int64
}

func (w *walker) number(n uint64) { w.hash.Write(binary.LittleEndian.AppendUint64(nil, n)) }

func (w *walker) walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !w.seen[v.UnsafePointer()] {
			w.seen[v.UnsafePointer()] = true
			w.walk(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() && !v.Elem().Type().Implements(deviceType) { // whose memory is not the host's
			w.walk(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			w.walk(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			w.walk(v.Index(i))
		}
	case reflect.Slice:
		w.slice(v)
	case reflect.String:
		w.hash.WriteString(v.String())
	case reflect.Bool:
		w.hash.WriteString(map[bool]string{false: "f", true: "t"}[v.Bool()])
	case reflect.Map: // of no order: lengths alone are hashed
		w.number(uint64(v.Len()))
		for m := v.MapRange(); m.Next(); {
			part := walker{seen: w.seen}
			part.walk(m.Value())
			w.bytes += part.bytes
		}
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
	default:
		w.hash.Write(bytesOf(v))
	}
}

// slice hashes numbers as they lie in memory, and walks through other
// elements.
func (w *walker) slice(v reflect.Value) {
	if v.Len() == 0 || w.seen[v.UnsafePointer()] {
		return
	}
	w.seen[v.UnsafePointer()] = true
	size := int64(v.Type().Elem().Size())
	w.bytes += size * int64(v.Cap())
	if k := v.Type().Elem().Kind(); k >= reflect.Int && k <= reflect.Complex128 {
		w.hash.Write(unsafe.Slice((*byte)(v.UnsafePointer()), size*int64(v.Len())))
		return
	}
	for i := range v.Len() {
		w.walk(v.Index(i))
	}
}

// bytesOf is a number's.
func bytesOf(v reflect.Value) []byte {
	c := reflect.New(v.Type()).Elem()
	switch {
	case v.CanInt():
		c.SetInt(v.Int())
	case v.CanUint():
		c.SetUint(v.Uint())
	case v.CanFloat():
		c.SetFloat(v.Float())
	default:
		c.SetComplex(v.Complex())
	}
	return unsafe.Slice((*byte)(c.Addr().UnsafePointer()), v.Type().Size())
}
