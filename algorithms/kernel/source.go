package kernel

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/standard"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/terminal"
)

// unit is a version's source: CUDA C++ with the headers that it includes from beside it, or compiled code.
type unit struct {
	from    sourceFiles
	search  []string // folders of headers
	path    string   // as messages show it
	text    string
	headers map[string]string
	lines   map[string]int // of the files, by their last names

	opencl   bool // the text is OpenCL C
	compiled bool
	images   [][]byte // all files of compiled code
}

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
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > maxSourceBytes:
		return nil, fmt.Errorf("%s has %d bytes; want a source of at most %d", path, info.Size(), maxSourceBytes)
	}
	b, err := os.ReadFile(path)
	return append([]byte{}, b...), err
}

// readUnit reads the source of a config in folder: CUDA C++ in one or more files, with headers beside it or
// in other folders, or one file of compiled code.
func readUnit(folder string, names sources, search []string, from sourceFiles, opencl bool) (*unit, error) {
	u := &unit{search: search, headers: map[string]string{}, lines: map[string]int{}, from: from, opencl: opencl}
	for i, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, name)
		}
		if i == 0 {
			u.path = path
		}
		if opencl && filepath.Ext(name) != ".cl" && (isCompiled(name) || filepath.Ext(name) == ".cu" || filepath.Ext(name) == ".spv") {
			return nil, fmt.Errorf("%s is no OpenCL C; want a .cl file", name)
		}
		if isCompiled(name) {
			if len(names) > 1 {
				return nil, fmt.Errorf("%s is compiled code, which is a source alone", name)
			}
			return u, u.readCompiled(path)
		}
		text, err := from.read(path)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			u.text += fmt.Sprintf("\n#line 1 %q\n", path)
		}
		plain := plainLines(text)
		u.text += plain
		u.lines[filepath.Base(path)] = strings.Count(plain, "\n") + 1
		if err := u.include(filepath.Dir(path), "", plain); err != nil {
			return nil, err
		}
	}
	if opencl {
		return u, nil
	}
	included := slices.Sorted(maps.Keys(u.headers))
	texts := []string{u.text}
	for _, name := range included {
		texts = append(texts, u.headers[name])
	}
	unreached(texts, byName(from.cfg))
	for i := range texts {
		texts[i] = standard.Accept(withoutHost(texts[i]))
	}
	u.text = texts[0]
	for i, name := range included {
		u.headers[name] = texts[i+1]
	}
	u.standard()
	return u, nil
}

// Files that a host's program includes as a string: a raw literal of C++, whose first and last line hold
// nothing else, or the argument of a macro that makes a string of it, with "\n" before what must begin a
// line.
var (
	rawLine     = lazy.Regexp(`(?m)^[ \t]*(R"\w*\(|\)\w*";?)[ \t]*$`)
	stringified = lazy.Regexp(`(?s)\A(\s*)\w+\([ \t]*(\n.*)\);?\s*\z`)
	brokenText  = lazy.Regexp(`(?m)^\\n`)
)

var brokenLine = lazy.Regexp(`\\[ \t]+\n`)

// plainLines returns text with line ends of one form, as compilers read those of other systems, and without
// spaces after a backslash that joins lines. For a file that a host's program includes as a string it returns
// the string, with the file's lines.
func plainLines(text []byte) string {
	plain := strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
	plain = brokenLine().ReplaceAllString(plain, "\\\n")
	if first := rawLine().FindStringSubmatch(plain); first != nil && strings.HasPrefix(first[1], "R") {
		return rawLine().ReplaceAllString(plain, "")
	}
	if text := stringified().FindStringSubmatch(plain); text != nil {
		return text[1] + brokenText().ReplaceAllString(text[2], "")
	}
	return plain
}

// byName returns the parts of a config's definition in which words may name parts of the source.
func byName(cfg *config.Config) string {
	type calls struct{ Kernels, Defines, Options, Tunables, Params json.RawMessage }
	var d struct {
		calls
		Versions []calls
	}
	if json.Unmarshal(cfg.CUDA, &d) != nil { // another check reports that mistake
		return ""
	}
	var b strings.Builder
	for _, c := range append(d.Versions, d.calls) {
		for _, text := range []json.RawMessage{c.Kernels, c.Defines, c.Options, c.Tunables, c.Params} {
			b.Write(text)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// include reads the files that text includes; text is from a file in folder/sub. A missing file may be the
// compiler's own. A file in angle brackets is looked for in the other folders first, and then beside the
// source unless it is a standard header.
func (u *unit) include(folder, sub, text string) error {
	for _, i := range standard.Includes(text) {
		name := i.Name
		beside := []place{{folder, filepath.Join(sub, name)}, {folder, name}}
		var places []place
		for _, other := range u.search {
			places = append(places, place{other, name})
		}
		if _, known := standard.Find(name); !i.Brackets {
			places = append(beside, places...)
		} else if !known {
			places = append(places, beside...)
		}
		for _, p := range places {
			if _, had := u.headers[name]; had {
				break
			}
			b, err := u.from.read(filepath.Join(p.folder, p.name))
			if err != nil {
				continue
			}
			if len(u.headers) == maxHeaders {
				return fmt.Errorf("%s includes more than %d files", u.path, maxHeaders)
			}
			text := plainLines(b)
			u.headers[name] = text
			u.lines[filepath.Base(name)] = strings.Count(text, "\n") + 1
			if err := u.include(p.folder, filepath.Dir(p.name), text); err != nil {
				return err
			}
			break
		}
	}
	return nil
}

// place is where a header may be.
type place struct{ folder, name string }

// source returns the source of a version's kernels for these launches, to be compiled or compiled already.
func (u *unit) source(a *algorithm, v *variant, params, tunables framework.Values, facts gpu.Facts, launches []kernelLaunch) (gpu.Source, error) {
	s := gpu.Source{Name: u.path, Text: u.text, Headers: u.headers}
	var err error
	if s.Options, err = given(v.Options, params, tunables); err != nil {
		return s, err
	}
	if option := standard.Dialect(u.texts()); option != "" && !slices.ContainsFunc(s.Options, isDialect) {
		s.Options = append(slices.Clone(s.Options), option)
	}
	if s.Defines, err = a.macros(v, params, tunables, facts); err != nil {
		return s, err
	}
	if launches, err = chosen(launches, params, tunables); err != nil {
		return s, err
	}
	for _, l := range v.Benign {
		s.Benign = append(s.Benign, l.Line)
	}
	for _, l := range launches {
		if name := l.expression(s.Defines, params, tunables); !slices.Contains(s.Kernels, name) {
			s.Kernels = append(s.Kernels, name)
		}
	}
	for i := range v.globals {
		s.Globals = append(s.Globals, v.globals[i].Name)
	}
	if u.compiled {
		s.Name = u.file(params, tunables)
		s.Image, err = u.from.read(s.Name)
		return s, err
	}
	return s, nil
}

// isDialect reports whether a compiler option names the C++ standard.
func isDialect(option string) bool { return strings.HasPrefix(strings.TrimLeft(option, "-"), "std=") }

var word = lazy.Regexp(`[A-Za-z_]\w*`)

// expression returns the kernel's name in C++, with the values of parameters and tunables in its template
// arguments. Names that are macros stay.
func (l *launch) expression(macros map[string]string, lists ...framework.Values) string {
	name, arguments, ok := strings.Cut(l.Name, "<")
	if !ok {
		return name
	}
	return name + "<" + word().ReplaceAllStringFunc(arguments, func(w string) string {
		for _, list := range lists {
			if v, ok := list[w]; ok && macros[w] == "" {
				return v.String()
			}
		}
		return w
	})
}

var (
	comment   = lazy.Regexp(`(?s)/\*.*?\*/|//[^\n]*`)
	declare   = lazy.Regexp(`__global__\b[^;{}]*?\b(\w+)\s*\(([^(){};]*)\)\s*[{;]`)
	declareCL = lazy.Regexp(`\b(?:__)?kernel\b[^;{}]*?\b(\w+)\s*\(([^(){};]*)\)\s*[{;]`)
)

// kernels returns the __global__ functions of the unit with their lists of parameters. A kernel has several
// lists if conditions of the preprocessor select among them.
func (u *unit) kernels() map[string]map[string]bool {
	found := map[string]map[string]bool{}
	pattern := declare()
	if u.opencl {
		pattern = declareCL()
	}
	for _, text := range u.texts() {
		for _, m := range pattern.FindAllStringSubmatch(comment().ReplaceAllString(text, " "), -1) {
			if found[m[1]] == nil {
				found[m[1]] = map[string]bool{}
			}
			found[m[1]][m[2]] = true
		}
	}
	return found
}

// numberOf returns how many parameters all of the lists have, or -1 if macros hide it.
func numberOf(lists map[string]bool) int {
	number := -1
	for list := range lists {
		n := len(types{}.parameters(list))
		if strings.ContainsAny(list, "#<") || number >= 0 && number != n {
			return -1
		}
		number = n
	}
	return number
}

// texts returns the texts of the source and its headers.
func (u *unit) texts() []string {
	return append(append([]string{u.text}, slices.Collect(maps.Values(u.headers))...), u.ptx()...)
}

// anywhere reports whether a text of the source matches.
func (u *unit) anywhere(pattern *regexp.Regexp) bool {
	return slices.ContainsFunc(u.texts(), pattern.MatchString)
}

// lastName returns the bare name of a C++ function or variable: sum for ns::sum<float, 4>.
func lastName(name string) string {
	name, _, _ = strings.Cut(name, "<")
	return strings.TrimSpace(name[strings.LastIndex(name, ":")+1:])
}

// missing describes why the unit lacks a kernel with that name and number of arguments, or returns "" if it
// has one.
func (u *unit) missing(name string, arguments int) string {
	if u.compiled {
		return u.missingEntry(name, arguments)
	}
	found := u.kernels()
	bare := lastName(name)
	lists, ok := found[bare]
	n := numberOf(lists)
	switch {
	case !ok && (!u.has(bare) || u.isDeviceFunction(bare)):
		return fmt.Sprintf("%s has no kernel %s%s", u.path, bare, config.Choice(bare, slices.Sorted(maps.Keys(found)), "kernels"))
	case ok && n >= 0 && n != arguments:
		return fmt.Sprintf("kernel %s takes %s in %s, and %d are given", bare, terminal.Count(n, "argument"), u.path, arguments)
	case ok && !strings.Contains(name, "<") && u.isTemplate(bare):
		return fmt.Sprintf("kernel %s is a template in %s; want its arguments too, such as %s<float>", name, u.path, name)
	}
	return ""
}

// isDeviceFunction reports whether the source declares a function of that name for kernels to call.
func (u *unit) isDeviceFunction(name string) bool {
	declared := regexp.MustCompile(`__device__\b[^;{}()=#]*?\b` + regexp.QuoteMeta(name) + `\s*\(`)
	return slices.ContainsFunc(u.texts(), func(text string) bool { return declared.MatchString(comment().ReplaceAllString(text, " ")) })
}

// isTemplate reports whether every declaration of a kernel is a template.
func (u *unit) isTemplate(name string) bool {
	declared := regexp.MustCompile(`(template\s*<[^;{}()]*>\s*)?(?:static\s+)?__global__\b[^;{}]*?\b` + regexp.QuoteMeta(name) + `\s*\(`)
	all := false
	for _, text := range u.texts() {
		for _, m := range declared.FindAllStringSubmatch(comment().ReplaceAllString(text, " "), -1) {
			if m[1] == "" {
				return false
			}
			all = true
		}
	}
	return all
}
