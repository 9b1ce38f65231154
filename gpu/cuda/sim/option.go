package sim

import (
	"path"
	"strings"
)

// The simulator honours those NVRTC options that change what the text means.

// dialect returns the C++ standard that the options ask for, at least the one that cpp/cuda.h needs.
func dialect(options []string) string {
	for _, o := range options {
		if name, ok := strings.CutPrefix(strings.TrimLeft(o, "-"), "std="); ok && strings.HasPrefix(o, "-") && name == "c++20" {
			return name
		}
	}
	return "c++17"
}

// macros returns the directives for the options that define or undefine a macro.
func macros(options []string) (list []string) {
	behind := "" // the verb of an option whose name comes next
	for _, o := range options {
		verb, text := behind, o
		for _, flag := range []struct{ name, verb string }{{"--define-macro", "define"}, {"--undefine-macro", "undef"}, {"-D", "define"}, {"-U", "undef"}} {
			if rest, ok := strings.CutPrefix(o, flag.name); ok && verb == "" {
				verb, text = flag.verb, strings.TrimPrefix(rest, "=")
			}
		}
		behind = ""
		switch name, value, has := strings.Cut(text, "="); {
		case verb == "":
		case text == "":
			behind = verb
		case verb == "undef":
			list = append(list, "#undef "+text)
		case has:
			list = append(list, "#define "+name+" "+value)
		default:
			list = append(list, "#define "+name+" 1")
		}
	}
	return list
}

// nested returns a folder so deep that no name, even one that begins with "..", leaves the folder above
// it.
func nested(headers map[string]string) string {
	depth := 0
	for name := range headers {
		depth = max(depth, strings.Count(name, ".."))
	}
	return path.Join(strings.Split(strings.Repeat("_", depth), "")...)
}
