package nvrtc

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"testing"
)

// FuzzEntry: what is kept of a compilation is refused, or has code that is no longer than the
// file; the sum is put right, so that the lengths in it are looked at.
func FuzzEntry(f *testing.F) {
	body := make([]byte, entryHeader)
	binary.LittleEndian.PutUint64(body[1:], 3)
	binary.LittleEndian.PutUint64(body[9:], 2)
	f.Add(append(bytes.Clone(body), "log{}code"...))
	binary.LittleEndian.PutUint64(body[9:], 1<<63)
	f.Add(append(bytes.Clone(body), "log{}code"...))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, body []byte) {
		sum := sha256.Sum256(body)
		image := decode(bytes.Join([][]byte{magic, sum[:], body}, nil))
		if image != nil && len(image.Code)+len(image.Log) > len(body) {
			t.Errorf("%+v of %d bytes", image, len(body))
		}
		if decode(body) != nil {
			t.Error("an entry without a sum was taken")
		}
	})
}
