package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// sources are MadeOf's.
var sources []fs.FS

// MadeOf says what the program's algorithms and measuring method are built from,
// before the first journal. Two programs of the same sources, libraries and
// compiler have the same fingerprint: one resumes the other's runs. Without it a
// program resumes its own runs only.
func MadeOf(list ...fs.FS) { sources = list }

// fingerprint identifies what MadeOf was told; empty without it.
var fingerprint = sync.OnceValue(func() string {
	sum, err := FingerprintOf(sources...)
	if err != nil || len(sources) == 0 {
		return ""
	}
	return sum
})

// sourcesSum identifies what MadeOf was told on any platform; empty without it.
var sourcesSum = sync.OnceValue(func() string {
	h := sha256.New()
	if err := hashSources(h, sources); err != nil || len(sources) == 0 {
		return ""
	}
	fmt.Fprintln(h, runtime.Version())
	hashModules(h)
	return hex.EncodeToString(h.Sum(nil))
})

// FingerprintOf returns the SHA-256 of the files but those of tests, by name, and of
// what else they are compiled with: Go's version, the platform, the flags that
// change code, and the modules.
func FingerprintOf(sources ...fs.FS) (string, error) {
	h := sha256.New()
	if err := hashSources(h, sources); err != nil {
		return "", err
	}
	fmt.Fprintln(h, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			if slices.Contains([]string{"-race", "-tags", "-gcflags", "-asmflags", "CGO_ENABLED", "GOAMD64", "GOARM64", "GOEXPERIMENT"}, s.Key) {
				fmt.Fprintln(h, s.Key, s.Value)
			}
		}
	}
	hashModules(h)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashSources writes the files but those of tests, by name.
func hashSources(h io.Writer, sources []fs.FS) error {
	for _, s := range sources {
		err := fs.WalkDir(s, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := fs.ReadFile(s, name)
			fmt.Fprintf(h, "%s %d\n%s\n", path.Clean(name), len(text), text)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// hashModules writes the modules that the program is linked with.
func hashModules(h io.Writer) {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return
	}
	for _, m := range b.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		fmt.Fprintln(h, m.Path, m.Version, m.Sum)
	}
}
