package sim

import (
	"path"
	"strings"
)

// Of the options for NVRTC those that change what the text means hold here too.

// dialect is the C++ that the options ask for: what cpp/cuda.h needs, or a later one.
func dialect(options []string) string {
	for _, o := range options {
		if name, ok := strings.CutPrefix(strings.TrimLeft(o, "-"), "std="); ok && strings.HasPrefix(o, "-") && name == "c++20" {
			return name
		}
	}
	return "c++17"
}

// macros are the directives of the options that define a macro or take one back.
func macros(options []string) (list []string) {
	behind := "" // the option whose name is the next
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

// nested is a folder so deep that none of the names, of which some begin with "..", leaves the one above it.
func nested(headers map[string]string) string {
	depth := 0
	for name := range headers {
		depth = max(depth, strings.Count(name, ".."))
	}
	return path.Join(strings.Split(strings.Repeat("_", depth), "")...)
}
