package nvrtc

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"example.org/bench/gpu"
	"example.org/bench/internal/diskcache"
)

// cache keeps images as files that are named by their key. A disk fault (unreadable, full or altered)
// costs only a compilation. The zero cache keeps nothing.
type cache struct{ folder string }

// defaultCache returns the disk cache of kernels, or one that keeps nothing if there is no folder for it.
func defaultCache() cache {
	folder, err := diskcache.Folder("kernels")
	if err != nil {
		return cache{}
	}
	return cache{folder: folder}
}

// keyOf returns the SHA-256, in hexadecimal, of everything that the code depends on. options hold the
// architecture and the defines.
func keyOf(src gpu.Source, options []string, major, minor int) string {
	h := sha256.New()
	// Quoting keeps fields apart; fmt prints maps in the order of their keys.
	fmt.Fprintf(h, "%q %q %q %q %q %q %d.%d", src.Name, src.Text, src.Headers, src.Kernels, src.Globals, options, major, minor)
	return hex.EncodeToString(h.Sum(nil))
}

// magic begins an entry. Then follow the SHA-256 of the rest, a byte that is 1 for PTX, the lengths of
// the log and of the names (8 bytes each, little-endian), the log, the lowered names as JSON, and the
// code.
var magic = []byte("benchK2\n")

const entryHeader = 1 + 8 + 8

func (c cache) path(key string) string { return filepath.Join(c.folder, key) }

// load returns the image of that key; nil if there is no valid entry.
func (c cache) load(key string) *Image {
	if c.folder == "" || !diskcache.Use(c.path(key)) {
		return nil
	}
	entry, err := os.ReadFile(c.path(key))
	if err != nil {
		return nil
	}
	return decode(entry)
}

// decode returns the image of an entry; nil if the entry is not valid.
func decode(entry []byte) *Image {
	rest, ok := bytes.CutPrefix(entry, magic)
	if !ok || len(rest) < sha256.Size+entryHeader {
		return nil
	}
	body := rest[sha256.Size:]
	if sum := sha256.Sum256(body); !bytes.Equal(sum[:], rest[:sha256.Size]) {
		return nil
	}
	log, names := binary.LittleEndian.Uint64(body[1:]), binary.LittleEndian.Uint64(body[9:])
	body, ptx := body[entryHeader:], body[0] == 1
	if size := uint64(len(body)); log >= size || names >= size-log {
		return nil
	}
	image := &Image{Code: body[log+names:], PTX: ptx, Log: string(body[:log]), Cached: true}
	if json.Unmarshal(body[log:log+names], &image.Lowered) != nil {
		return nil
	}
	return image
}

// store writes an entry whole or not at all, because other processes may read and write the same key.
func (c cache) store(key string, image *Image) {
	if c.folder == "" || os.MkdirAll(c.folder, 0o755) != nil {
		return
	}
	names, err := json.Marshal(image.Lowered)
	if err != nil {
		return
	}
	body := make([]byte, entryHeader, entryHeader+len(image.Log)+len(names)+len(image.Code))
	if image.PTX {
		body[0] = 1
	}
	binary.LittleEndian.PutUint64(body[1:], uint64(len(image.Log)))
	binary.LittleEndian.PutUint64(body[9:], uint64(len(names)))
	body = append(append(append(body, image.Log...), names...), image.Code...)
	sum := sha256.Sum256(body)

	f, err := os.CreateTemp(c.folder, "writing-*")
	if err != nil {
		return
	}
	_, err = f.Write(bytes.Join([][]byte{magic, sum[:], body}, nil))
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), c.path(key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}
