package kernel

import (
	"fmt"
	"strings"

	"bench/cuda/standard"
)

// standard adds those of the standard headers that the unit includes and has not, and before its text those that
// nvcc includes for all.
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
