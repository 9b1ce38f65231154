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

	"bench/cuda/diskcache"
	"bench/cuda/hostcompiler"
)

// lasting reports whether what is compiled with these options depends on the text and
// them alone: -march=native is of a machine, and an option may name a file.
func lasting(options []string) bool {
	return !slices.ContainsFunc(options, func(o string) bool {
		return !slices.ContainsFunc([]string{"-D", "-U", "-I", "-O", "-std="}, func(p string) bool {
			return strings.HasPrefix(o, p)
		})
	})
}

// keptLibrary is where the user's cache has, or gets, the library of a source with the
// file at path: a name of the text that the preprocessor makes of both, headers
// included, of the arguments, and of the compiler. It is empty where nothing can be kept.
func keptLibrary(compiler, source, path string, args []string) string {
	info, err := os.Stat(compiler)
	if err != nil {
		return ""
	}
	folder, err := diskcache.Folder("c")
	if err != nil {
		return ""
	}
	// A compiler may be a script that starts another: its release is in the text.
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

// takeLibrary copies a kept library: what is loaded twice is to have its variables twice.
func takeLibrary(kept, to string) bool {
	if !diskcache.UseLibrary(kept) {
		return false
	}
	code, err := os.ReadFile(kept)
	return err == nil && os.WriteFile(to, code, 0o700) == nil
}

// keepLibrary is best effort: what cannot be kept is compiled again.
func keepLibrary(library, kept string) {
	if code, err := os.ReadFile(library); err == nil {
		_ = diskcache.PutLibrary(code, kept)
	}
}

// compiled are the libraries that this process has loaded, by what they were made of: the next
// instance of a point needs no compiler, not even to preprocess.
var compiled = struct {
	sync.Mutex
	of map[[sha256.Size]byte][]byte
}{of: map[[sha256.Size]byte][]byte{}}

// mostCompiled bounds how many libraries a process keeps in memory, of some 16 kB each.
const mostCompiled = 256

// sameLibrary is a library that this process may have loaded before.
type sameLibrary struct{ sum [sha256.Size]byte }

// inThisProcess names the library by all that it is made of but the headers, which a config's
// sources include as they were when the process first compiled them.
func inThisProcess(compiler, text, path string, args []string) sameLibrary {
	source, err := os.ReadFile(path)
	return sameLibrary{sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %v\n%s", compiler, text, path, args, err, source))}
}

// take writes the library to a file of its own: what is loaded twice is to have its variables twice.
func (s sameLibrary) take(to string) bool {
	compiled.Lock()
	code := compiled.of[s.sum]
	compiled.Unlock()
	return code != nil && os.WriteFile(to, code, 0o700) == nil
}

// keep is for a library that take did not have.
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
