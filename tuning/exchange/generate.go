package exchange

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"example.org/bench/framework/expression"
	"example.org/bench/internal/npy"
	"example.org/bench/internal/safefile"
)

// generated is an array that a KTT file computes, as the file beside the config that holds it.
type generated struct {
	path  string
	array npy.File
}

// maxGenerated bounds the elements of such an array.
const maxGenerated = 1 << 24

// generate makes the array of a fill by an expression over the index i of an element, and returns the file's name in the config.
func (c *converter) generate(name, of, text string, n int64) (string, error) {
	if n > maxGenerated {
		return "", fmt.Errorf("%d elements are computed; want at most %d", n, maxGenerated)
	}
	h := npy.Header{Shape: []int64{n}}
	var put func(b []byte, x float64) []byte
	least, greatest := math.Inf(-1), math.Inf(1)
	switch of {
	case "f32":
		h.Type = "<f4"
		put = func(b []byte, x float64) []byte {
			return binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
		}
	case "f64":
		h.Type = "<f8"
		put = func(b []byte, x float64) []byte { return binary.LittleEndian.AppendUint64(b, math.Float64bits(x)) }
	case "i32":
		h.Type, least, greatest = "<i4", math.MinInt32, math.MaxInt32
		put = func(b []byte, x float64) []byte { return binary.LittleEndian.AppendUint32(b, uint32(int32(x))) }
	case "u32":
		h.Type, least, greatest = "<u4", 0, math.MaxUint32
		put = func(b []byte, x float64) []byte { return binary.LittleEndian.AppendUint32(b, uint32(x)) }
	default:
		return "", fmt.Errorf("a Generator of %s is unknown; want f32, f64, i32 or u32", of)
	}
	values, err := expression.PythonSequence(text, "i", int(n))
	if err != nil {
		return "", err
	}
	var data []byte
	for i, x := range values {
		if whole := h.Type[1] != 'f'; whole && (x != math.Trunc(x) || x < least || x > greatest) {
			return "", fmt.Errorf("%q gives %g for i = %d, which is no %s", text, x, i, of)
		}
		data = put(data, x)
	}
	path := strings.TrimSuffix(c.config, filepath.Ext(c.config)) + "-" + name + ".npy"
	c.generated = append(c.generated, generated{path, npy.File{Header: h, Data: data}})
	return filepath.Base(path), nil
}

// write makes the file, which must be new.
func (g generated) write() error {
	if _, err := os.Lstat(g.path); err == nil {
		return fmt.Errorf("%s exists; want another name for the config", g.path)
	}
	return safefile.Write(g.path, g.array)
}

// reference takes the right answers of a KTT file, where each answer has one that is there.
func (c *converter) reference(k *kernelCode) error {
	files := map[string]string{}
	for _, r := range c.file.KernelSpecification.ReferenceArguments {
		for _, a := range k.Arguments {
			if a.Name != r.TargetName || a.Use == "" {
				continue
			}
			switch r.FillType {
			case "Generator":
				name, err := c.generate(a.Name+"-right", a.Type, r.DataSource, a.Size)
				if err != nil {
					return fmt.Errorf("reference of %s: %w", a.Name, err)
				}
				files[a.Name] = name
			case "BinaryRaw":
				path, at, err := beside(c.path, filepath.Dir(c.config), r.DataSource)
				if err != nil {
					return err
				}
				if _, err := os.Stat(at); errors.Is(err, os.ErrNotExist) {
					c.note("the right answer of %s, %s, is not there", a.Name, r.DataSource)
					continue
				}
				files[a.Name] = path
			}
		}
	}
	for _, a := range k.Arguments {
		if a.Use != "" && files[a.Name] == "" {
			return nil
		}
	}
	k.Verify = kernelVerify{Files: files}
	return nil
}
