package powermode

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/internal/bounded"
)

// State returns the mode with the content of every file that modes set, because a switch loses what was
// pinned within the mode, as by jetson_clocks.
func (n *Nvpmodel) State() (State, error) {
	m, err := n.Current()
	if err != nil {
		return State{}, err
	}
	root, err := filepath.Abs(string(n.files)) // restored from wherever bench runs next
	if err != nil {
		return State{}, err
	}
	s := State{Control: n.Name(), Root: root, Mode: m.ID, Files: map[string]string{}}
	for _, mode := range n.modes {
		for _, x := range mode.arguments {
			if p, ok := n.file(x); ok {
				rel, local := n.local(p)
				if b, err := bounded.ReadFile(p, bounded.MostText); err == nil && local {
					s.Files[rel] = strings.TrimSpace(string(b))
				}
			}
		}
	}
	return s, nil
}

// named are the paths of the files that modes set, by their paths without the root:
// all that each may have. Which one a state has depends on what could be looked at when
// it was taken.
func (n *Nvpmodel) named() map[string]string {
	files := map[string]string{}
	for _, mode := range n.modes {
		for _, x := range mode.arguments {
			for _, p := range n.candidates(x) {
				if rel, ok := n.local(n.files.Path(p)); ok {
					files[rel] = n.files.Path(p)
				}
			}
		}
	}
	return files
}

// local returns a path without the root; ok reports whether the path is below the root.
func (n *Nvpmodel) local(path string) (rel string, ok bool) {
	rel, err := filepath.Rel(string(n.files), path)
	return rel, err == nil && filepath.IsLocal(rel)
}

// Restore switches back and writes what still differs. A file that
// nvpmodel.conf does not name is left alone, and is an error.
func (n *Nvpmodel) Restore(s State) error {
	m, ok := lookUp(n.modes, s.Mode)
	if !ok {
		return fmt.Errorf("there is no power mode %s to restore", s.Mode)
	}
	if strange := n.strange(s); strange != nil {
		return fmt.Errorf("restore power mode %s (%s): nvpmodel.conf does not name %s", m.ID, m.Name, strings.Join(strange, ", "))
	}
	if err := n.switchTo(m.ID); err != nil {
		return fmt.Errorf("restore power mode %s (%s): %w", m.ID, m.Name, err)
	}
	// Twice: a lowest frequency cannot be raised above a highest that is set
	// later.
	var left []string
	for range 2 {
		left = nil
		named := n.named() // more of them where CPUs came back
		for rel, content := range s.Files {
			p := named[rel]
			if b, err := bounded.ReadFile(p, bounded.MostText); err != nil || strings.TrimSpace(string(b)) == content {
				continue
			}
			if err := os.WriteFile(p, []byte(content), 0); err != nil {
				left = append(left, err.Error())
			}
		}
	}
	if left != nil {
		slices.Sort(left)
		return fmt.Errorf("restore power mode %s (%s): %s", m.ID, m.Name, strings.Join(left, "; "))
	}
	return nil
}

// strange returns the files of a state that exist and that no mode sets.
func (n *Nvpmodel) strange(s State) (list []string) {
	named := n.named()
	for rel := range s.Files {
		if _, ok := named[rel]; !ok && (!filepath.IsLocal(rel) || n.files.Exists(rel)) {
			list = append(list, rel)
		}
	}
	slices.Sort(list)
	return list
}
