package mismatch

import (
	"fmt"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/npy"
	"example.org/bench/internal/safefile"
)

// Picture draws where an answer is wrong into a PNG file of a folder; title says of what.
type Picture func(dir *safefile.Folder, name, title string, m *Mismatch) error

var notInNames = lazy.Regexp(`[^A-Za-z0-9.=_-]+`)

// longest is the greatest length of a file's name without its ending, in bytes; file
// systems allow 255.
const longest = 200

// Dump writes NAME.got.npy and NAME.want.npy into folder, and NAME.png where draw is not
// nil; NAME begins with that of the point. It returns the path without the endings.
func (m *Mismatch) Dump(folder, point string, draw Picture) (string, error) {
	dir, err := safefile.MakeFolder(folder)
	if err != nil {
		return "", err
	}
	defer dir.Close()
	name := notInNames().ReplaceAllString(point, "-")
	name = strings.Trim(name[:min(len(name), longest)], "-") + "." + notInNames().ReplaceAllString(m.Name, "-")
	for _, x := range []struct {
		ending string
		array  framework.Array
	}{{".got.npy", m.Got}, {".want.npy", m.Want}} {
		if err := dir.Write(name+x.ending, npy.File{Header: npy.Header{Type: x.array.Type, Shape: m.shape(x.array)}, Data: x.array.Bytes}); err != nil {
			return "", err
		}
	}
	if draw != nil {
		if err := draw(dir, name+".png", point+": "+m.Name, m); err != nil {
			return "", fmt.Errorf("the picture of %s: %w", m.Name, err)
		}
	}
	return dir.Path(name), nil
}

// shape is that of an array's file; vectors of several numbers have an axis more.
func (m *Mismatch) shape(a framework.Array) []int64 {
	list := []int64{int64(m.Elements)}
	if m.extent() == m.Elements && len(m.Shape) > 0 {
		list = append([]int64{}, m.Shape...)
	}
	if a.Lanes > 1 {
		list = append(list, int64(a.Lanes))
	}
	return list
}

// Grid is the answer as rows and columns, for a picture: its last extent by the others, or
// where there is but one, rows of a power of two elements.
func (m *Mismatch) Grid() (rows, columns int) {
	if m.Elements == 0 {
		return 0, 0
	}
	if n := len(m.Shape); n > 1 && m.extent() == m.Elements {
		columns = int(m.Shape[n-1])
		return m.Elements / columns, columns
	}
	columns = 32
	for columns*columns*2 < m.Elements {
		columns *= 2
	}
	columns = min(columns, m.Elements)
	return (m.Elements + columns - 1) / columns, columns
}
