package parquet

import "encoding/binary"

// thrift is a message in Thrift's compact protocol ("Thrift Compact Protocol", Apache
// Thrift). Each field begins with its type and the difference between its number and the
// last one's. A struct ends with 0.
type thrift struct {
	text []byte
	last []int // number of the last field of each open struct
}

// The types of the protocol that Parquet's messages need here.
const (
	typeI32    = 5
	typeI64    = 6
	typeBinary = 8
	typeList   = 9
	typeStruct = 12
)

func message() *thrift { return &thrift{last: []int{0}} }

func (t *thrift) field(number, typ int) {
	last := &t.last[len(t.last)-1]
	t.text = append(t.text, byte((number-*last)<<4|typ))
	*last = number
}

func (t *thrift) i32(number int, x int32) {
	t.field(number, typeI32)
	t.text = binary.AppendVarint(t.text, int64(x)) // zigzag, as in the protocol
}

func (t *thrift) i64(number int, x int64) {
	t.field(number, typeI64)
	t.text = binary.AppendVarint(t.text, x)
}

func (t *thrift) string(number int, s string) {
	t.field(number, typeBinary)
	t.bare(s)
}

// bare appends a string without a field's number, as in a list.
func (t *thrift) bare(s string) {
	t.text = append(binary.AppendUvarint(t.text, uint64(len(s))), s...)
}

func (t *thrift) list(number, typ, length int) {
	t.field(number, typeList)
	if length < 15 {
		t.text = append(t.text, byte(length<<4|typ))
		return
	}
	t.text = binary.AppendUvarint(append(t.text, byte(0xF0|typ)), uint64(length))
}

// begin opens a struct: a field's, or in a list, where number is 0.
func (t *thrift) begin(number int) {
	if number > 0 {
		t.field(number, typeStruct)
	}
	t.last = append(t.last, 0)
}

// end closes the innermost struct, or the message.
func (t *thrift) end() {
	t.text, t.last = append(t.text, 0), t.last[:len(t.last)-1]
}
