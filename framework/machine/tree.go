package machine

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
)

// Tree is the folder that contains a machine's files. The names that its
// methods take and return are relative to it.
type Tree string

// Live is the machine that this process runs on.
const Live Tree = "/"

// IsLive reports whether the files are those of the machine that this process runs
// on. A container may have these in another folder, which has the same boot_id.
func (t Tree) IsLive() bool {
	const boot = "proc/sys/kernel/random/boot_id"
	id := t.Text(boot)
	return filepath.Clean(string(t)) == string(Live) || id != "" && id == Live.Text(boot)
}

// Path returns the path of the file with that name.
func (t Tree) Path(name string) string { return filepath.Join(string(t), name) }

// Target is the target, below the root, of the link at name, absolute links
// included; name's own path if it is not a link.
func (t Tree) Target(name string) string {
	p := t.Path(name)
	if to, err := os.Readlink(p); err == nil && filepath.IsAbs(to) {
		return t.Path(to)
	}
	return p
}

// Text is a small file's content without surrounding space and NUL; empty if it
// cannot be read.
func (t Tree) Text(name string) string {
	b, err := bounded.ReadFile(t.Path(name), bounded.MostText)
	if err != nil {
		return ""
	}
	return strings.TrimFunc(string(b), func(r rune) bool { return unicode.IsSpace(r) || r == 0 })
}

// mostWords is how many bytes of a file Line returns.
const mostWords = 1000

// Line is Text as one line and cut where it is long, for what is printed.
func (t Tree) Line(name string) string {
	text := terminal.OneLine(t.Text(name))
	if len(text) > mostWords {
		text = strings.ToValidUTF8(text[:mostWords], "") + "…"
	}
	return text
}

// value returns a file's number. ok is false if there is none, as in "<unknown>",
// "<unsupported>" and "nan", or if all its bits are set, which drivers show for none
// (ULONG_MAX, INT_MAX).
func (t Tree) value(name string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(t.Text(name), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v >= math.MaxInt64 {
		return 0, false
	}
	return v, !AllBits(v)
}

// number returns a file's number times unit; 0 if there is none or it is negative.
func (t Tree) number(name string, unit float64) float64 {
	v, ok := t.value(name)
	if !ok || v < 0 {
		return 0
	}
	return v * unit
}

// Exists reports whether there is a file or folder of that name.
func (t Tree) Exists(name string) bool {
	_, err := os.Stat(t.Path(name))
	return err == nil
}

// List returns the names in a folder, sorted; none if it cannot be read.
func (t Tree) List(folder string) []string {
	entries, _ := os.ReadDir(t.Path(folder))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// CheckSys refuses the root of a copied tree without the folder that sensors are in. This
// machine may be without, as in a container.
func CheckSys(root string) error {
	if Tree(root).IsLive() {
		return nil
	}
	if info, err := os.Stat(Tree(root).Path("sys")); err != nil || !info.IsDir() {
		return fmt.Errorf("%s has no folder sys, as the root of a copied tree has", root)
	}
	return nil
}

// CheckRoot refuses what is not a folder that a Tree can be of.
func CheckRoot(root string) error {
	info, err := os.Stat(root)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("the folder %s does not exist", root)
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a folder", root)
	}
	return err
}
