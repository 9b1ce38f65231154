package powermode

import (
	"fmt"
	"strconv"
	"strings"

	"example.org/bench/internal/bounded"
)

// isMask reports whether the file switches units of the GPU off. Once the GPU was used after a boot,
// nvpmodel asks for another boot to change it.
func (a argument) isMask() bool {
	return strings.HasSuffix(a.name, "_PG_MASK") || strings.HasSuffix(a.paths[0], "_pg_mask")
}

// maskName returns the mask's name in nvpmodel.conf, or that of its file in the older form.
func (a argument) maskName() string {
	if a.name != "" {
		return a.name
	}
	return strings.ToUpper(a.paths[0][strings.LastIndex(a.paths[0], "/")+1:])
}

// Boot returns the reason why this machine must boot into the mode: the masks of its GPU's units differ
// from the present ones. It is empty for a mode that can be switched to, and where the present masks are
// not known.
func (n *Nvpmodel) Boot(m Mode) string {
	var differ []string
	for _, a := range m.arguments {
		if !a.isMask() {
			continue
		}
		want, err := strconv.ParseInt(a.value, 0, 64)
		if err != nil {
			continue
		}
		if now, ok := n.maskNow(a); ok && now != want {
			differ = append(differ, fmt.Sprintf("%s %d, now %d", a.maskName(), want, now))
		}
	}
	if differ == nil {
		return ""
	}
	return fmt.Sprintf("other units of the GPU are on in power mode %s (%s): boot into it (sudo nvpmodel -m %s, and yes to the reboot)",
		m.Name, strings.Join(differ, "; "), m.ID)
}

// maskNow returns the mask in the GPU's file, or else that of the present mode.
func (n *Nvpmodel) maskNow(a argument) (int64, bool) {
	if p, ok := n.file(a); ok {
		if b, err := bounded.ReadFile(p, bounded.MostText); err == nil {
			if v, err := strconv.ParseInt(strings.TrimSpace(string(b)), 0, 64); err == nil {
				return v, true
			}
		}
	}
	now, err := n.Current()
	if err != nil {
		return 0, false
	}
	for _, b := range now.arguments {
		if b.isMask() && b.maskName() == a.maskName() {
			v, err := strconv.ParseInt(b.value, 0, 64)
			return v, err == nil
		}
	}
	return 0, false
}
