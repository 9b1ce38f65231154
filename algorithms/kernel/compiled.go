package kernel

import (
	"bytes"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/cubin"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/terminal"
)

// isCompiled reports whether a source is compiled code.
func isCompiled(name string) bool {
	return slices.Contains([]string{".ptx", ".cubin", ".fatbin"}, filepath.Ext(name))
}

// placeholder matches a parameter or tunable in the name of a file.
var placeholder = lazy.Regexp(`\{(\w+)\}`)

// readCompiled reads the file at path or, if path has placeholders, all files that it may stand for.
func (u *unit) readCompiled(path string) error {
	u.compiled = true
	files := []string{path}
	if placeholder().MatchString(path) {
		var err error
		if files, err = u.from.glob(placeholder().ReplaceAllString(path, "*")); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if len(files) == 0 {
			return fmt.Errorf("there is no file %s", path)
		}
	}
	for _, f := range files {
		image, err := u.from.read(f)
		if err != nil {
			return err
		}
		u.images = append(u.images, image)
	}
	return nil
}

// ptx returns the texts of compiled code.
func (u *unit) ptx() (list []string) {
	for _, image := range u.images {
		if !bytes.HasPrefix(image, []byte(elf.ELFMAG)) {
			list = append(list, string(image))
		}
	}
	return list
}

// placeholders reports placeholders in a file's name for which there is no value.
func (b *builder) placeholders(path string, u *unit, names scope) {
	if u == nil || !u.compiled {
		return
	}
	for _, m := range placeholder().FindAllStringSubmatch(u.path, -1) {
		if _, ok := names[m[1]]; !ok || m[1] == deviceName {
			b.fault(path, "{%s} is neither a parameter nor a tunable%s", m[1],
				config.Choice(m[1], slices.Sorted(maps.Keys(names)), "names"))
		}
	}
}

// file returns the file of compiled code for those settings.
func (u *unit) file(lists ...framework.Values) string {
	return filled(u.path, lists)
}

// runsOn reports an error if compiled code cannot run: in the simulator, or if there is no file for these
// settings.
func (u *unit) runsOn(facts gpu.Facts, params, tunables framework.Values) error {
	if !u.compiled {
		return nil
	}
	if facts.Simulated {
		return fmt.Errorf("%s is compiled code, and the simulator runs CUDA C++", filepath.Base(u.path))
	}
	_, err := os.Stat(u.file(params, tunables))
	return err
}

var entry = lazy.Regexp(`\.entry\s+([\w$]+)\s*(?:\(([^()]*)\))?`)

// formOfEntry matches a parameter of PTX: its type and, for an array of bytes, the number of bytes.
var formOfEntry = lazy.Regexp(`\.param\s+(?:\.align\s+\d+\s+)?\.([a-z])(\d+)\s+[^,\[]*(?:\[(\d+)\])?`)

// entryParameters returns the parameters of a kernel in PTX, or nil if files differ. PTX gives only their
// bytes, and whether numbers have a fraction.
func (u *unit) entryParameters(name string) (list []parameter) {
	found := ""
	for _, text := range u.ptx() {
		for _, m := range entry().FindAllStringSubmatch(text, -1) {
			if m[1] != name || found == m[2] {
				continue
			}
			if found != "" {
				return nil
			}
			found = m[2]
		}
	}
	for _, m := range formOfEntry().FindAllStringSubmatch(found, -1) {
		bits, _ := strconv.ParseInt(m[2], 10, 64)
		n := int64(1)
		if m[3] != "" {
			n, _ = strconv.ParseInt(m[3], 10, 64)
		}
		list = append(list, parameter{text: strings.TrimSpace(m[0]), bytes: bits / 8 * n, kind: m[1][0]})
	}
	return list
}

// missingEntry is missing for compiled code.
func (u *unit) missingEntry(name string, arguments int) string {
	found := map[string]int{}
	for _, image := range u.images {
		if bytes.HasPrefix(image, []byte(elf.ELFMAG)) {
			kernels, err := cubin.Kernels(image)
			if err != nil {
				return "" // a later format; the driver knows
			}
			for k := range kernels {
				found[k] = -1
			}
			continue
		}
		for _, m := range entry().FindAllStringSubmatch(string(image), -1) {
			found[m[1]] = strings.Count(m[2], ".param")
		}
	}
	n, ok := found[name]
	switch {
	case len(found) == 0:
		return "" // a fat binary
	case !ok:
		return fmt.Sprintf("%s has no kernel %s%s", u.path, name, config.Choice(name, slices.Sorted(maps.Keys(found)), "kernels"))
	case n >= 0 && n != arguments:
		return fmt.Sprintf("kernel %s takes %s in %s, and %d are given", name, terminal.Count(n, "argument"), u.path, arguments)
	}
	return ""
}
