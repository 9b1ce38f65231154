// Package trees opens what --root may name besides a folder: a bundle of bench doctor, or a board's files that come with the
// program.
package trees

import (
	"archive/tar"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

// Usage is what --root may name.
const Usage = "folder that contains /sys, /proc and /etc, a copied tree of another board; or a .tar.gz of bench doctor --bundle; or " + tx2 + ", a TX2's files that come with the program"

const tx2 = "jetson-tx2"

// bundles are those that come with the program, as bench doctor --bundle makes them.
//
//go:embed jetson-tx2.tar.gz
var jetsonTX2 []byte

// ending is the ending of bundles' names.
const ending = ".tar.gz"

var (
	unpacked []string // folders
	mutex    sync.Mutex
)

// Open returns the folder that root names, which must look like a tree. It unpacks a bundle into a temporary folder, which
// Remove removes. A folder with the name of what comes with the program takes precedence.
func Open(root string) (folder string, err error) {
	switch _, missing := os.Stat(root); {
	case root == tx2 && errors.Is(missing, os.ErrNotExist):
		return unpack(bytes.NewReader(jetsonTX2), tx2)
	case missing == nil && strings.HasSuffix(root, ending):
		f, err := os.Open(root)
		if err != nil {
			return "", err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil && info.IsDir() {
			break
		}
		return unpack(f, root)
	}
	err = machine.CheckRoot(root)
	if errors.Is(err, os.ErrNotExist) || err != nil && !filepath.IsAbs(root) && !strings.ContainsRune(root, filepath.Separator) {
		err = fmt.Errorf("%w; %s comes with the program", err, tx2)
	}
	return root, err
}

// Remove removes what Open unpacked.
func Remove() {
	mutex.Lock()
	defer mutex.Unlock()
	for _, folder := range unpacked {
		os.RemoveAll(folder)
	}
	unpacked = nil
}

// unpack writes the files of a bundle to a new folder. A bundle has no links and devices.
func unpack(bundle io.Reader, name string) (folder string, err error) {
	wrong := func(err error) error {
		return fmt.Errorf("%s is no bundle of bench doctor: %w", name, err)
	}
	text, err := bounded.Inflated(bundle, name)
	if err != nil {
		return "", wrong(err)
	}
	files := map[string][]byte{}
	for t := tar.NewReader(bounded.Reader(text, name, bounded.MostArchive)); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", wrong(err)
		}
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(h.Name) {
			return "", wrong(fmt.Errorf("%q is no file below its root", h.Name))
		}
		if files[h.Name], err = bounded.ReadAll(t, h.Name, bounded.MostText); err != nil {
			return "", wrong(err)
		}
	}
	if len(files) == 0 {
		return "", wrong(errors.New("it is empty"))
	}
	parent, err := safefile.TempFolder("bench-tree-")
	if err != nil {
		return "", err
	}
	mutex.Lock()
	unpacked = append(unpacked, parent)
	mutex.Unlock()
	folder = filepath.Join(parent, strings.TrimSuffix(filepath.Base(name), ending))
	terminal.Call(folder, name)
	for name, text := range files { // which need not survive a power cut
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return "", err
		}
	}
	return folder, nil
}
