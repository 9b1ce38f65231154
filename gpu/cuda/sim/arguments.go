package sim

import (
	"fmt"
	"unsafe"

	"example.org/bench/gpu"
	"example.org/bench/internal/terminal"
)

// argumentBytes is the alignment of stored arguments, the greatest of CUDA's types.
const argumentBytes = 16

// room returns aligned memory for an argument.
func room(bytes int) unsafe.Pointer {
	b := make([]byte, bytes+argumentBytes)
	at := unsafe.Pointer(&b[0])
	return unsafe.Add(at, (argumentBytes-uintptr(at)%argumentBytes)%argumentBytes)
}

// pack checks args against the kernel's parameters and stores them.
func (k *kernel) pack(given named) ([]unsafe.Pointer, error) {
	args := given.list
	if len(args) != len(k.signature) {
		return nil, fmt.Errorf("%s: it takes %d", terminal.Count(len(args), "argument"), len(k.signature))
	}
	values := make([]unsafe.Pointer, len(args))
	for i, a := range args {
		p := room(int(k.sizes[i]))
		values[i] = p
		var code byte
		switch v := a.(type) {
		case gpu.Pointer:
			*(*gpu.Pointer)(p), code = v, 'p'
		case int32:
			*(*int32)(p), code = v, 'i'
		case uint32:
			*(*uint32)(p), code = v, 'u'
		case int64:
			*(*int64)(p), code = v, 'I'
		case uint64:
			*(*uint64)(p), code = v, 'U'
		case float32:
			*(*float32)(p), code = v, 'f'
		case float64:
			*(*float64)(p), code = v, 'd'
		case gpu.Raw:
			if len(v) != int(k.sizes[i]) || k.signature[i] == 'p' {
				return nil, fmt.Errorf("%s has %s: the parameter is a %s of %d", given.name(i), terminal.Count(len(v), "byte"), parameters[k.signature[i]], k.sizes[i])
			}
			copy(unsafe.Slice((*byte)(p), len(v)), v)
			continue
		}
		if code != k.signature[i] && !k.isEnumeration(i, a) {
			return nil, fmt.Errorf("%s is a %T: the parameter is a %s", given.name(i), a, parameters[k.signature[i]])
		}
	}
	return values, nil
}

// isEnumeration reports whether parameter i is an enumeration as wide as the integer a.
func (k *kernel) isEnumeration(i int, a any) bool {
	switch a.(type) {
	case int32, uint32:
		return k.types[i] == "enum4"
	case int64, uint64:
		return k.types[i] == "enum8"
	}
	return false
}

// named holds a launch's arguments, with their names where it has any.
type named struct {
	list  []any
	names []string
}

func (n named) name(i int) string {
	if i < len(n.names) {
		return fmt.Sprintf("argument %d, %s", i+1, n.names[i])
	}
	return fmt.Sprintf("argument %d", i+1)
}

// parameters names what each code of a signature stands for.
var parameters = map[byte]string{
	'p': "pointer (gpu.Pointer)",
	'i': "int (int32)",
	'u': "unsigned int (uint32)",
	'I': "64-bit integer (int64)",
	'U': "64-bit unsigned integer (uint64)",
	'f': "float (float32)",
	'd': "double (float64)",
	'?': "type of its own (gpu.Raw)",
}
