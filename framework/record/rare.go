package record

// Rare is a part of a row that most rows lack or share with the row before. It takes one pointer, to a value
// that never changes.
type Rare[T comparable] struct{ of *T }

// RareOf returns x as a part of a row. It keeps nothing of the zero T.
func RareOf[T comparable](x T) Rare[T] {
	var none T
	if x == none {
		return Rare[T]{}
	}
	return Rare[T]{&x}
}

// Get returns the part; the zero T if the row lacks it.
func (r Rare[T]) Get() T {
	if r.of == nil {
		var none T
		return none
	}
	return *r.of
}
