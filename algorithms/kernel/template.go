package kernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/bench/framework/config"
	"example.org/bench/gpu/cuda/standard"
	"example.org/bench/internal/lazy"
)

var (
	// builtIn matches names that C++ has, that CUDA C++ has without an #include, or that a compiler or a
	// library may have.
	builtIn = lazy.Regexp(`^(?:alignof|auto|bool|char|class|const|const_cast|decltype|double|dynamic_cast|enum|false|float|int|long|noexcept|nullptr|` +
		`operator|reinterpret_cast|short|signed|sizeof|static_cast|struct|template|this|true|typename|unsigned|void|volatile|` +
		`u?(?:char|short|int|long|longlong)[1-4]|(?:float|double)[1-4]|dim3|warpSize|half2?|nv_\w+|cuda\w*|CU\w*|\w+_t|\w+_MAX|\w+_MIN|INFINITY|NAN|NULL|_\w*)$`)
	madeByMacros = lazy.Regexp(`##|#[ \t]*include[ \t]*[A-Za-z_]`) // names, or headers
	// aName matches a name that is no suffix of a number and has no qualifier.
	aName = lazy.Regexp(`(^|[^\w.'])([A-Za-z_]\w*)`)
)

// unknownArgument returns a name among the template arguments of a kernel's name that the compiler cannot
// know: it is not in names, in options, or anywhere in the source. It returns "" if that is not certain, as
// with an #include that only the compiler finds.
func (u *unit) unknownArgument(name string, names scope, options []option) string {
	_, arguments, ok := strings.Cut(name, "<")
	if !ok || u == nil || u.compiled || strings.ContainsAny(arguments, `:"'`) {
		return ""
	}
	for _, text := range u.texts() {
		if madeByMacros().MatchString(text) {
			return ""
		}
		for _, i := range standard.Includes(text) {
			if _, had := u.headers[i.Name]; !had {
				return ""
			}
		}
	}
	for _, m := range aName().FindAllStringSubmatch(arguments, -1) {
		w := m[2]
		if _, ok := names[w]; ok || builtIn().MatchString(w) || u.has(w) ||
			slices.ContainsFunc(options, func(o option) bool { return strings.Contains(o.Text, w) }) {
			continue
		}
		list := slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(n string) bool { return n == deviceName })
		return fmt.Sprintf("%s, a template's argument, is no parameter, tunable or macro, and no name in %s%s", w, u.path, config.Choice(w, list, "names"))
	}
	return ""
}

// templateArguments checks the template arguments in the names of kernels.
func (b *builder) templateArguments(list []kernelLaunch, u *unit, names scope, v version) {
	known := maps.Clone(names)
	for name := range v.Defines {
		known[name] = 0
	}
	for _, l := range list {
		if wrong := u.unknownArgument(l.Name, known, v.Options); wrong != "" {
			b.fault(l.path+".name", "%s", wrong)
		}
	}
}
