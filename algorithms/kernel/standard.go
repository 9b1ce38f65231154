package kernel

import (
	"fmt"
	"strings"

	"example.org/bench/gpu/cuda/standard"
)

// standard adds the standard headers that the unit includes but does not contain, and puts before its text
// the headers that nvcc includes in every source.
func (u *unit) standard() {
	if u.compiled {
		return
	}
	before := ""
	for _, name := range standard.Implied(strings.Join(u.texts(), "\n")) {
		if _, own := u.headers[name]; !own {
			before += fmt.Sprintf("#include <%s>\n", name)
		}
	}
	standard.Add(u.headers, standard.Find, u.text, before)
	if before != "" {
		u.text = before + fmt.Sprintf("#line 1 %q\n", u.path) + u.text
	}
}
