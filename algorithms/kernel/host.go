package kernel

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"example.org/bench/gpu/cuda/syntax"
)

var (
	hostWords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<<<|\bcuda[A-Z]\w*|\bthrust\s*::\s*(?:device_|host_|raw_|sort|reduce|exclusive_|inclusive_|transform|copy|fill|sequence|count|max_element|min_element)|` +
			`\b(?:ifstream|ofstream|stringstream|istringstream|ostream|cout|cerr|timeval)\b|\b(?:vector|map)\s*<|\bstring\s*[&\w]|` +
			`\bstd\s*::\s*(?:vector|string|cout|cerr|endl|map|set|unordered_map|chrono|thread|mt19937\w*|random_device|uniform_\w+|ifstream|ofstream|stringstream)\b|` +
			`\b(?:FILE|fprintf|fopen|fclose|fread|fscanf|getopt|gettimeofday|clock_gettime|omp_get_wtime|exit|atoi|atof|calloc|realloc|getenv|srand|usleep|strcmp|strncmp|strtol)\b`)
	})
	// deviceNames matches names of the runtime that kernels have too.
	deviceNames = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^cuda(?:TextureObject_t|SurfaceObject_t|BoundaryMode\w*|ReadMode\w*|TextureType\w*|Pos|RoundMode\w*)$`)
	})
	ofDevice = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b__(?:global|device|constant|shared|managed)__\b`) })
	isMain   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bmain\s*\([^()]*\)\s*$`) })
)

// ofHost reports whether text has what no device has: launches, calls and types of the runtime, and the C++ library's names for
// host programs.
func ofHost(text string) bool {
	for _, word := range hostWords().FindAllString(text, -1) {
		if !deviceNames().MatchString(word) {
			return true
		}
	}
	return false
}

// isBlank reports whether tokens are space, remarks and directives alone.
func isBlank(list []string) bool {
	for _, token := range list {
		if strings.TrimSpace(token) != "" && !syntax.IsDirective(token) && !strings.HasPrefix(token, "//") && !strings.HasPrefix(token, "/*") {
			return false
		}
	}
	return true
}

// hostOnly marks a function of the host, unless it is also marked for a device.
const hostOnly = "__host__"

// withoutHost removes the functions and variables that are for the host alone, and keeps line numbers and
// directives.
func withoutHost(text string) string {
	if !ofHost(text) && !strings.Contains(text, "main") && !strings.Contains(text, hostOnly) {
		return text
	}
	list := syntax.Tokens("\n" + text)
	begin, body, depth := 0, -1, 0 // start of the statement and of a function, and depth of braces within it
	head := 0
	gone := map[string]bool{} // functions left out
	leaveOut := func(from, to int) {
		what := strings.Join(list[from:to], "")
		first := list[from:max(from, body)]
		if body < 0 {
			first = list[from:to]
		}
		isHost := ofHost(syntax.WithoutRemarks(what)) || body >= 0 && isMain().MatchString(strings.Join(first, ""))
		isHost = isHost || body >= 0 && slices.Contains(first, hostOnly)
		name := hostName(syntax.WithoutRemarks(strings.Join(first, "")), false)
		isHost = isHost || body < 0 && gone[name] && instance().MatchString(syntax.WithoutRemarks(what))
		if !isHost || ofDevice().MatchString(syntax.WithoutRemarks(what)) {
			return
		}
		if body >= 0 && name != "" {
			gone[name] = true
		}
		for i := from; i < to; i++ {
			if !syntax.IsDirective(list[i]) {
				list[i] = strings.Repeat("\n", strings.Count(list[i], "\n"))
			}
		}
	}
	for i := 0; i < len(list); i++ {
		token := list[i]
		switch {
		case body >= 0 && token == "{":
			depth++
		case body >= 0 && token == "}":
			if depth--; depth == 0 {
				leaveOut(head, i+1)
				begin, body = i+1, -1
			}
		case body >= 0:
		case syntax.IsDirective(token) && isBlank(list[begin:i]):
			begin = i + 1
		case token == "{" && syntax.BeginsBody(strings.Join(list[begin:i], "")):
			head, body, depth = begin, i, 1
		case token == "{", token == "}":
			begin = i + 1
		case token == ";":
			leaveOut(begin, i+1)
			begin = i + 1
		}
	}
	return strings.TrimPrefix(strings.Join(list, ""), "\n")
}
