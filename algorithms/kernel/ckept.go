package kernel

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/internal/diskcache"
)

// lasting reports whether the result of compiling with these options depends only on the text and the
// options. -march=native depends on the machine, and an option may name a file.
func lasting(options []string) bool {
	return !slices.ContainsFunc(options, func(o string) bool {
		return !slices.ContainsFunc([]string{"-D", "-U", "-I", "-O", "-std="}, func(p string) bool {
			return strings.HasPrefix(o, p)
		})
	})
}

// keptLibrary returns the path in the user's cache for the library of a source with the file at path, or ""
// if nothing can be kept. The name is a hash of the preprocessed text of both, headers included, of the
// arguments, and of the compiler.
func keptLibrary(compiler, source, path string, args []string) string {
	info, err := os.Stat(compiler)
	if err != nil {
		return ""
	}
	folder, err := diskcache.Folder("c")
	if err != nil {
		return ""
	}
	// The text includes the compiler's release, because a compiler may be a script that starts another.
	release := source + ".release.h"
	if err := os.WriteFile(release, []byte("static const char *bench_release[] __attribute__((unused)) = {__VERSION__};\n"), 0o600); err != nil {
		return ""
	}
	text, err := hostcompiler.Output(exec.Command(compiler, slices.Concat(args, []string{"-include", "stdint.h", "-include", path, "-include", release, "-E", "-P", source})...), path)
	if err != nil || bytes.Contains(text, []byte(".incbin")) {
		return ""
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %d %s %q\n%s", compiler, info.Size(), info.ModTime().UnixNano(), runtime.GOARCH, args, text))
	return filepath.Join(folder, hex.EncodeToString(sum[:16])+".so")
}

// takeLibrary copies a kept library, so that a library that is loaded twice has its variables twice.
func takeLibrary(kept, to string) bool {
	if !diskcache.UseLibrary(kept) {
		return false
	}
	code, err := os.ReadFile(kept)
	return err == nil && os.WriteFile(to, code, 0o700) == nil
}

// keepLibrary keeps a library, at best effort: a library that cannot be kept is compiled again.
func keepLibrary(library, kept string) {
	if code, err := os.ReadFile(library); err == nil {
		_ = diskcache.PutLibrary(code, kept)
	}
}

// compiled holds the libraries that this process has loaded, by a hash of what they were made from. The next
// instance of a point then needs no compiler, not even to preprocess.
var compiled = struct {
	sync.Mutex
	of map[[sha256.Size]byte][]byte
}{of: map[[sha256.Size]byte][]byte{}}

// mostCompiled bounds how many libraries, of some 16 kB each, a process keeps in memory.
const mostCompiled = 256

// sameLibrary identifies a library that this process may have loaded before.
type sameLibrary struct{ sum [sha256.Size]byte }

// inThisProcess returns a hash of all that the library is made from except the headers. A config's sources
// include headers as they were when the process first compiled them.
func inThisProcess(compiler, text, path string, args []string) sameLibrary {
	source, err := os.ReadFile(path)
	return sameLibrary{sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %v\n%s", compiler, text, path, args, err, source))}
}

// take writes the library to a file of its own, so that a library that is loaded twice has its variables
// twice.
func (s sameLibrary) take(to string) bool {
	compiled.Lock()
	code := compiled.of[s.sum]
	compiled.Unlock()
	return code != nil && os.WriteFile(to, code, 0o700) == nil
}

// keep stores a library that take did not find.
func (s sameLibrary) keep(file string) {
	code, err := os.ReadFile(file)
	if err != nil {
		return
	}
	compiled.Lock()
	defer compiled.Unlock()
	if len(compiled.of) < mostCompiled {
		compiled.of[s.sum] = code
	}
}
