package kernel

import (
	"path/filepath"
	"strconv"
	"strings"

	"example.org/bench/internal/terminal"
)

// benign checks that the source has the listed lines.
func (b *builder) benign(at string, list []benign, u *unit) {
	if u == nil {
		return
	}
	for i, l := range list {
		path := at + "[" + strconv.Itoa(i) + "].line"
		name, number, _ := strings.Cut(l.Line, ":")
		n, err := strconv.Atoi(number)
		lines, ok := u.lines[name]
		switch {
		case u.compiled:
			b.fault(path, "%s is compiled code, which the simulator does not run", u.path)
		case !ok:
			b.fault(path, "%s is no file of the source %s", name, filepath.Base(u.path))
		case err != nil || n > lines:
			b.fault(path, "%s has %s", name, terminal.Count(lines, "line"))
		}
	}
}
