package kernel

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"bench/cuda"
	"bench/framework/config"
)

// unit is a .cu file with the headers beside it that it includes.
type unit struct {
	path    string // as messages show it
	text    string
	headers map[string]string
}

var includes = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)

// maxHeaders bounds the files that a source includes.
const maxHeaders = 200

// maxSourceBytes bounds one source file.
const maxSourceBytes = 16 << 20

// readSource reads a regular file of at most maxSourceBytes.
func readSource(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxSourceBytes:
		return nil, fmt.Errorf("%s has %d bytes; want a source of at most %d", path, info.Size(), maxSourceBytes)
	}
	b, err := os.ReadFile(path)
	return append([]byte{}, b...), err
}

// readUnit reads a source of a config in that folder.
func readUnit(folder, name string) (*unit, error) {
	path := name
	if !filepath.IsAbs(path) {
		path = filepath.Join(folder, name)
	}
	text, err := readSource(path)
	if err != nil {
		return nil, err
	}
	u := &unit{path: path, text: string(text), headers: map[string]string{}}
	return u, u.include(filepath.Dir(path), "", u.text)
}

// include reads the files that text, which stands in folder/sub, includes. A
// file that is not there may be the compiler's own.
func (u *unit) include(folder, sub, text string) error {
	for _, m := range includes.FindAllStringSubmatch(text, -1) {
		for _, name := range []string{filepath.Join(sub, m[1]), m[1]} {
			if _, had := u.headers[m[1]]; had {
				break
			}
			b, err := readSource(filepath.Join(folder, name))
			if err != nil {
				continue
			}
			if len(u.headers) == maxHeaders {
				return fmt.Errorf("%s includes more than %d files", u.path, maxHeaders)
			}
			u.headers[m[1]] = string(b)
			if err := u.include(folder, filepath.Dir(name), string(b)); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// source is the unit to be compiled for these kernels.
func (u *unit) source(defines map[string]string, options []string, launches []launch) cuda.Source {
	s := cuda.Source{Name: u.path, Text: u.text, Headers: u.headers, Defines: defines, Options: options}
	seen := map[string]bool{}
	for _, l := range launches {
		if !seen[l.Name] {
			seen[l.Name] = true
			s.Kernels = append(s.Kernels, l.Name)
		}
	}
	return s
}

var (
	comment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	declare = regexp.MustCompile(`__global__\b[^;{}]*?\b(\w+)\s*\(([^(){};]*)\)\s*[{;]`)
)

// kernels are the __global__ functions of the unit with their numbers of
// parameters. Of one that macros hide the number is -1.
func (u *unit) kernels() map[string]int {
	found := map[string]int{}
	for _, text := range append([]string{u.text}, slices.Collect(maps.Values(u.headers))...) {
		for _, m := range declare.FindAllStringSubmatch(comment.ReplaceAllString(text, " "), -1) {
			n := 0
			if list := strings.TrimSpace(m[2]); list != "" && list != "void" {
				n = strings.Count(list, ",") + 1
			}
			if strings.ContainsAny(m[2], "#<") { // conditions and templates
				n = -1
			}
			if had, twice := found[m[1]]; twice && had != n { // under different conditions
				n = -1
			}
			found[m[1]] = n
		}
	}
	return found
}

// missing says what is wrong with a kernel that the unit is to have and that
// takes so many arguments; empty where nothing is.
func (u *unit) missing(name string, arguments int) string {
	found := u.kernels()
	n, ok := found[name]
	switch {
	case !ok && !strings.Contains(u.text, name):
		return fmt.Sprintf("%s has no kernel %s%s", u.path, name, config.Choice(name, slices.Sorted(maps.Keys(found)), "kernels"))
	case ok && n >= 0 && n != arguments:
		return fmt.Sprintf("kernel %s takes %d arguments in %s, and %d are given", name, n, u.path, arguments)
	case !strings.Contains(u.text, `extern "C"`):
		return fmt.Sprintf("%s has no extern \"C\"; want extern \"C\" __global__ void %s(…), whose name stays as it is", u.path, name)
	}
	return ""
}
