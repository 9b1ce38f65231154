package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"example.org/bench/internal/diskcache"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
)

// program is the SHA-256 of the file that this process runs; empty where it
// cannot be read.
var program = sync.OnceValue(func() string { return sumOf("/proc/self/exe") })

// settled is after how long a file's next change has another time than its last one, on
// any file system.
const settled = 2 * time.Second

// sumOf returns a file's SHA-256. It is kept in the user's cache folder for as long as the
// file does not change: to hash the program takes longer than to start it.
func sumOf(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	kept := keptSum(f)
	if kept != "" && diskcache.Use(kept) {
		if sum, err := os.ReadFile(kept); err == nil && len(sum) == hex.EncodedLen(sha256.Size) {
			return string(sum)
		}
	}
	h := sha256.New()
	// A file copies itself in pieces of 32 KiB, and the program has tens of MB.
	if _, err := io.CopyBuffer(h, struct{ io.Reader }{f}, make([]byte, 1<<20)); err != nil {
		return ""
	}
	sum := hex.EncodeToString(h.Sum(nil))
	if kept != "" && keptSum(f) == kept {
		_ = safefile.Write(kept, bytes.NewReader([]byte(sum))) // else it is hashed again
	}
	return sum
}

// keptSum is where the sum of the file as it is now is kept; empty for one that can
// change unseen, having just changed, and without a cache.
func keptSum(f *os.File) string {
	info, err := f.Stat()
	if err != nil {
		return ""
	}
	at, file, known := linux.Change(info)
	// A clock that was set may be anywhere.
	if !known || time.Since(at).Abs() < settled {
		return ""
	}
	folder, err := diskcache.Folder("programs")
	if err != nil {
		return ""
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s, changed %v", file, at.UnixNano()))
	return filepath.Join(folder, hex.EncodeToString(key[:16]))
}
