// Package guest boots a Linux kernel under QEMU, with the kernel's own ina3221
// driver bound to chips whose registers a program sets, and measures a known
// power there through the built program.
package guest

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// archive is an initial RAM file system (Linux, "initramfs buffer format"):
// entries of the form "newc".
type archive struct {
	data    bytes.Buffer
	entries int
	folders map[string]bool
}

// The file types of inode modes.
const (
	folderMode  = 0o040755
	programMode = 0o100755
	linkMode    = 0o120777
)

// add appends a file with the folders that it lies in.
func (a *archive) add(name string, mode int, content []byte) {
	if a.folders == nil {
		a.folders = map[string]bool{".": true}
	}
	if dir := path.Dir(name); !a.folders[dir] {
		a.folders[dir] = true
		a.add(dir, folderMode, nil)
	}
	a.entries++
	// magic, inode, mode, uid, gid, links, mtime, size, device and special
	// device as major and minor, length of the name, checksum
	fmt.Fprintf(&a.data, "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x",
		a.entries, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name)+1, 0)
	a.data.WriteString(name + "\x00")
	a.pad()
	a.data.Write(content)
	a.pad()
}

func (a *archive) pad() {
	for a.data.Len()%4 != 0 {
		a.data.WriteByte(0)
	}
}

// addFile adds a file of this machine.
func (a *archive) addFile(name, from string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	a.add(name, programMode, content)
	return nil
}

// bytes is the finished archive.
func (a *archive) bytes() []byte {
	a.add("TRAILER!!!", 0, nil)
	return a.data.Bytes()
}

// addLibraries adds the loader and the shared libraries that a program needs,
// from this machine.
func (a *archive) addLibraries(program string) error {
	f, err := elf.Open(program)
	if err != nil {
		return err
	}
	defer f.Close()
	if s := f.Section(".interp"); s != nil {
		b, err := s.Data()
		if err != nil {
			return err
		}
		loader := strings.TrimRight(string(b), "\x00")
		if err := a.addOnce(loader, loader); err != nil {
			return err
		}
	}
	names, err := f.ImportedLibraries()
	if err != nil {
		return err
	}
	for _, n := range names {
		found := false
		for _, dir := range []string{"/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64"} {
			file := filepath.Join(dir, n)
			if _, err := os.Stat(file); err != nil {
				continue
			}
			found = true
			if a.folders["lib/"+n] {
				break
			}
			if err := a.addOnce("/lib/"+n, file); err != nil {
				return err
			}
			if err := a.addLibraries(file); err != nil {
				return err
			}
			break
		}
		if !found {
			return fmt.Errorf("%s needs %s, which is not on this machine", program, n)
		}
	}
	return nil
}

func (a *archive) addOnce(name, from string) error {
	name = strings.TrimPrefix(name, "/")
	if a.folders[name] {
		return nil
	}
	if err := a.addFile(name, from); err != nil {
		return err
	}
	a.folders[name] = true
	return nil
}
