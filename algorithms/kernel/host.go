package kernel

import (
	"slices"
	"strings"

	"example.org/bench/gpu/cuda/syntax"
	"example.org/bench/internal/lazy"
)

var (
	hostWords = lazy.Regexp(`<<<|\bcuda[A-Z]\w*|\bthrust\s*::\s*(?:device_|host_|raw_|sort|reduce|exclusive_|inclusive_|transform|copy|fill|sequence|count|max_element|min_element)|` +
		`\b(?:ifstream|ofstream|stringstream|istringstream|ostream|cout|cerr|timeval)\b|\b(?:vector|map)\s*<|\bstring\s*[&\w]|` +
		`\bstd\s*::\s*(?:vector|string|cin|cout|cerr|endl|map|set|list|deque|queue|stack|unordered_\w+|unique_ptr|shared_ptr|chrono|thread|mt19937\w*|random_device|uniform_\w+|[io]f?stream|[io]?stringstream|getline|to_string|sort|runtime_error|invalid_argument)\b|` +
		`\b(?:FILE|fprintf|fopen|fclose|fread|fscanf|getopt|gettimeofday|clock_gettime|omp_get_wtime|exit|atoi|atof|calloc|realloc|getenv|srand|usleep|strcmp|strncmp|strtol)\b`)
	// deviceNames matches names of the runtime that kernels have too.
	deviceNames = lazy.Regexp(`^cuda(?:TextureObject_t|SurfaceObject_t|Extent|PitchedPtr|BoundaryMode\w*|ReadMode\w*|TextureType\w*|Pos|RoundMode\w*)$`)
	ofDevice    = lazy.Regexp(`\b__(?:global|device|constant|shared|managed)__\b`)
	isMain      = lazy.Regexp(`\bmain\s*\([^()]*\)\s*$`)
)

// ofHost reports whether text has what no device has: launches, calls and types of the runtime, and the names
// of the C++ library for host programs.
func ofHost(text string) bool {
	for _, word := range hostWords().FindAllString(text, -1) {
		if !deviceNames().MatchString(word) {
			return true
		}
	}
	return false
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
	var classes []bool        // of the open braces around: whether it is a class's
	gone := map[string]bool{} // functions left out
	leaveOut := func(from, to int) {
		what := syntax.WithoutRemarks(strings.Join(list[from:to], ""))
		first := list[from:max(from, body)]
		if body < 0 {
			first = list[from:to]
		}
		signature := syntax.WithoutRemarks(strings.Join(first, ""))
		isHost := ofHost(what) || body >= 0 && isMain().MatchString(signature)
		isHost = isHost || body >= 0 && slices.Contains(first, hostOnly)
		name := hostName(signature, false)
		isHost = isHost || body < 0 && gone[name] && instance().MatchString(what)
		if !isHost || ofDevice().MatchString(what) {
			return
		}
		if body >= 0 && name != "" {
			gone[name] = true
		}
		behind := ""
		if body >= 0 && slices.Contains(classes, true) && !ofHost(signature) {
			from, behind = from+signatureEnd(first), ";" // other members call it
		}
		for i := from; i < to; i++ {
			if !syntax.IsDirective(list[i]) {
				list[i] = strings.Repeat("\n", strings.Count(list[i], "\n"))
			}
		}
		list[from] = behind + list[from]
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
		case syntax.IsDirective(token) && syntax.IsBlank(list[begin:i]):
			begin = i + 1
		case token == "{" && syntax.BeginsBody(strings.Join(list[begin:i], "")):
			head, body, depth = begin, i, 1
		case token == "{":
			classes = append(classes, classHead().MatchString(syntax.WithoutAlignment(syntax.WithoutRemarks(strings.Join(list[begin:i], "")))))
			begin = i + 1
		case token == "}":
			classes = classes[:max(0, len(classes)-1)]
			begin = i + 1
		case token == ";":
			leaveOut(begin, i+1)
			begin = i + 1
		}
	}
	return strings.TrimPrefix(strings.Join(list, ""), "\n")
}

// signatureEnd returns how many tokens of a function's head come before what a constructor initialises.
func signatureEnd(head []string) int {
	depth := 0
	for i, token := range head {
		switch token {
		case "(":
			depth++
		case ")":
			depth--
		case ":":
			isScope := i > 0 && head[i-1] == ":" || i+1 < len(head) && head[i+1] == ":"
			if depth == 0 && !isScope && slices.Contains(head[:i], "(") {
				return i
			}
		}
	}
	return len(head)
}
