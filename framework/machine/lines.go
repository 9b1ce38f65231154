package machine

import (
	"fmt"
	"path/filepath"
	"strings"

	"example.org/bench/internal/terminal"
)

// Lines are the facts for reading, each with its name. A fact that the files do
// not tell is empty: of a copied tree nothing is taken from the machine that
// this process runs on.
func (t Tree) Lines() [][2]string {
	m, _ := t.Facts() // what could not be read is left out
	live := filepath.Clean(string(t)) == string(Live)
	if !live {
		m.UsableCPUs, m.Architecture, m.Load = 0, "", nil
	}
	var lines [][2]string
	var parts []string
	part := func(known bool, format string, args ...any) {
		if known {
			parts = append(parts, fmt.Sprintf(format, args...))
		}
	}
	add := func(name string) {
		lines = append(lines, [2]string{name, strings.Join(parts, ", ")})
		parts = nil
	}
	if part(m.Board != "", "%s", m.Board); m.Board != "" || !live {
		add("board")
	}
	part(m.CPU != "", "%s", m.CPU)
	part(m.Cores > 0, "%s", terminal.Count(m.Cores, "core"))
	part(m.CPUs > 0, "%s", terminal.Count(m.CPUs, "CPU"))
	part(m.UsableCPUs > 0, "%s", m.Usable())
	add("CPU")
	part(m.MemoryBytes > 0, "%.1f GiB", float64(m.MemoryBytes)/(1<<30))
	add("memory")
	part(live || m.OS != anyLinux, "%s", m.OS)
	part(m.Kernel != "", "kernel %s", m.Kernel)
	part(m.Architecture != "", "%s", m.Architecture)
	add("system")
	for _, g := range m.Governors {
		part(true, "%s", g)
		add("governor")
	}
	if len(m.Governors) == 0 {
		part(live, "none: the kernel offers no frequency control here")
		add("governor")
	}
	if len(m.Load) > 0 {
		part(true, "%.2f over the last minute", m.Load[0])
		add("load")
	}
	if m.Battery != "" {
		part(true, "%s", m.Battery)
		add("battery")
	}
	return lines
}
