package sim

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"example.org/bench/gpu"
)

// launchBounds matches the launch bounds of a kernel whose name follows.
const launchBounds = `__launch_bounds__\s*\(((?:[^()]|\([^()]*\))*)\)\s*(?:\w+\s+)*?`

// translated holds the texts of a source and its headers for g++.
type translated struct {
	text    string
	headers map[string]string
}

// translations keeps earlier translations, because a search compiles one source again and again with
// other macros.
var translations struct {
	sync.Mutex
	of map[string]translated
}

// mostTranslations is the largest number of translations kept.
const mostTranslations = 64

func texts(src gpu.Source) translated {
	key := src.Text
	for _, name := range sortedKeys(src.Headers) {
		key += "\x00" + name + "\x00" + src.Headers[name]
	}
	translations.Lock()
	defer translations.Unlock()
	if t, ok := translations.of[key]; ok {
		return t
	}
	src = complete(src)
	t := translated{headers: map[string]string{}}
	outside := map[string]string{}
	for _, name := range sortedKeys(src.Headers) {
		t.headers[name] = fmt.Sprintf("#line 1 %q\n%s", name, translate(src.Headers[name], outside))
	}
	t.text = translate(src.Text, outside)
	if translations.of == nil || len(translations.of) >= mostTranslations {
		translations.of = map[string]translated{}
	}
	translations.of[key] = t
	return t
}

// unit returns the translation unit for g++: the translated source, and one entry per kernel.
func unit(src gpu.Source, text string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#line 1 %q\n%s\n", src.Name, text)
	fmt.Fprintf(&b, "#line 1 %q\n", "the kernels requested from "+src.Name)
	for i, k := range src.Kernels {
		fmt.Fprintf(&b, "BENCH_SIM_KERNEL(%d, ::%s)\n", i, k)
		if strings.Contains(k, "<") {
			continue // its bounds may depend on the template's parameters
		}
		bounds := regexp.MustCompile(launchBounds + regexp.QuoteMeta(function(k)) + `\s*\(`)
		if m := bounds.FindStringSubmatch(src.Text); m != nil {
			fmt.Fprintf(&b, "BENCH_SIM_BOUND(%d, %s)\n", i, strings.Join(strings.Fields(m[1]), " "))
		}
	}
	for i, g := range src.Globals {
		fmt.Fprintf(&b, "BENCH_SIM_GLOBAL(%d, ::%s)\n", i, g)
	}
	if hasShared(src) {
		b.WriteString("BENCH_SIM_SHARED\n")
	}
	return b.String()
}

// function returns the name of the function in a kernel's C++ name: sum for ns::sum<float, 4>.
func function(kernel string) string {
	name, _, _ := strings.Cut(kernel, "<")
	return strings.TrimSpace(name[strings.LastIndex(name, ":")+1:])
}

// declares reports whether the thread-local variable of this symbol belongs to a function of that name
// ("Itanium C++ ABI", local names).
func declares(name, symbol string) bool {
	inside, ok := strings.CutPrefix(symbol, "_ZZ")
	part := fmt.Sprintf("%d%s", len(name), name)
	if nested, is := strings.CutPrefix(inside, "N"); ok && is {
		at := strings.Index(nested, part)
		return at >= 0 && (at == 0 || nested[at-1] < '0' || nested[at-1] > '9')
	}
	return ok && strings.HasPrefix(inside, part)
}

func hasShared(src gpu.Source) bool {
	for _, h := range src.Headers {
		if strings.Contains(h, "__shared__") {
			return true
		}
	}
	return strings.Contains(src.Text, "__shared__")
}
