package plots

import (
	"image/png"
	"io"
	"sync"

	"gonum.org/v1/plot/vg/vgimg"
)

// pngCanvas is a picture that is written as PNG. gonum's own (vgimg.PngCanvas) takes
// new buffers for each.
type pngCanvas struct{ *vgimg.Canvas }

// WriteTo writes the picture. It gives no count: its writers are files of which nobody
// asks one.
func (c pngCanvas) WriteTo(w io.Writer) (int64, error) {
	return 0, encoder.Encode(w, c.Image())
}

// encoder takes a third of the default level's time.
var encoder = png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &buffers{}}

// buffers are those of pictures that were written.
type buffers struct{ sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	buffer, _ := b.Pool.Get().(*png.EncoderBuffer) // nil: the encoder makes one
	return buffer
}

func (b *buffers) Put(buffer *png.EncoderBuffer) { b.Pool.Put(buffer) }
