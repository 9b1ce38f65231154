package sim

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"bench/cuda"
)

var (
	// externShared matches the declaration of a block's dynamic shared memory.
	externShared = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\bextern\s+((?:(?:const|volatile)\s+)*)__shared__\s+([^;{}()=]*(?:\([^;{}()]*\)[^;{}()=]*)*?)\b(\w+)\s*\[\s*\]\s*;`)
	})
	alignment = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\b(?:__align__|alignas)\s*\(\s*[^()]*\)|__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)`)
	})
	launchBounds = `__launch_bounds__\s*\(((?:[^()]|\([^()]*\))*)\)\s*(?:\w+\s+)*?`
)

// translate replaces what g++ does not know by C++ and keeps every line where
// it is: extern __shared__ arrays become references to the dynamic part. The
// capture turns such an array outside a function, which no thread would
// initialise, into an error.
func translate(text string) string {
	return externShared().ReplaceAllStringFunc(text, func(match string) string {
		parts := externShared().FindStringSubmatch(match)
		element := strings.Join(strings.Fields(alignment().ReplaceAllString(parts[1]+parts[2], " ")), " ")
		lines := strings.Repeat("\n", strings.Count(match, "\n"))
		return fmt.Sprintf("%[1]s (&%[2]s)[] = *reinterpret_cast<%[1]s (*)[]>([&] { return ::bench_sim_dynamic_shared(); }());%[3]s", element, parts[3], lines)
	})
}

// unit is the translation unit for g++: the source, and one entry per kernel.
func unit(src cuda.Source) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#line 1 %q\n%s\n", src.Name, translate(src.Text))
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

// function is the name of the function itself in what C++ calls a kernel: sum of
// ns::sum<float, 4>.
func function(kernel string) string {
	name, _, _ := strings.Cut(kernel, "<")
	return strings.TrimSpace(name[strings.LastIndex(name, ":")+1:])
}

// declares says whether a thread-local variable of this symbol is one of a
// function of that name ("Itanium C++ ABI", local names).
func declares(name, symbol string) bool {
	inside, ok := strings.CutPrefix(symbol, "_ZZ")
	part := fmt.Sprintf("%d%s", len(name), name)
	if nested, is := strings.CutPrefix(inside, "N"); ok && is {
		at := strings.Index(nested, part)
		return at >= 0 && (at == 0 || nested[at-1] < '0' || nested[at-1] > '9')
	}
	return ok && strings.HasPrefix(inside, part)
}

func hasShared(src cuda.Source) bool {
	for _, h := range src.Headers {
		if strings.Contains(h, "__shared__") {
			return true
		}
	}
	return strings.Contains(src.Text, "__shared__")
}
