// Package rails says how a machine's power rails belong together: which make up its total, which are
// within that, and which are outside. It knows some boards (boards.json), and reads a file of the
// user's in the same form. It also reads rails whose power is in files of sysfs.
package rails

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"example.org/bench/framework"
)

// Rail is a rail as the kernel shows it. Driver is the name of its chip, Address the chip's, such as
// 1-0040, and Channel which of the chip's rails it is.
type Rail struct {
	Name, Driver, Address string
	Channel               int
}

// Board says what the rails of a board are. Without a model it is any board that has each rail of the
// role total: rails identify a board better than a device tree, which containers hide and carriers
// rewrite.
type Board struct {
	Board  string  `json:"board"`
	Model  string  `json:"model"`
	Source string  `json:"source"`
	Note   string  `json:"note"` // what the total leaves out
	Rails  []Known `json:"rails"`

	user bool // from the user's file
}

// Known is what is known of the rails that have its label, driver, address and channel, as far as
// these are given.
type Known struct {
	Label   string         `json:"label"`
	Driver  string         `json:"driver"`
	Address string         `json:"address"`
	Channel *int           `json:"channel"`
	Name    string         `json:"name"` // in place of the label
	Role    framework.Role `json:"role"`
	Feeds   string         `json:"feeds"`
}

//go:embed boards.json
var table []byte

// boards are the known ones.
var boards = sync.OnceValue(func() (list []Board) {
	if err := json.Unmarshal(table, &list); err != nil {
		panic("rails: boards.json: " + err.Error()) // a test makes sure that it loads
	}
	return list
})

// fits is whether text has the pattern, in which one * is any text; an empty pattern has all.
func fits(pattern, text string) bool {
	before, after, any := strings.Cut(pattern, "*")
	if !any {
		return pattern == "" || pattern == text
	}
	return len(text) >= len(before)+len(after) && strings.HasPrefix(text, before) && strings.HasSuffix(text, after)
}

func (k Known) is(r Rail) bool {
	return fits(k.Label, r.Name) && fits(k.Driver, r.Driver) && fits(k.Address, r.Address) && (k.Channel == nil || *k.Channel == r.Channel)
}

// String is the rail for messages.
func (k Known) String() string {
	var words []string
	for _, w := range []string{k.Name, k.Label, k.Driver, k.Address} {
		if w != "" && len(words) < 2 {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// is is whether the rails are of this board.
func (b *Board) is(rails []Rail, model string) bool {
	if b.user || b.Model != "" {
		return b.Model == "" || b.Model == model
	}
	for _, k := range b.Rails {
		if k.Role == framework.Total && !slices.ContainsFunc(rails, k.is) {
			return false
		}
	}
	return true
}

// noTotal begins a note.
const noTotal = "no total: "

// Assigned is what a rail is.
type Assigned struct {
	Name  string
	Role  framework.Role
	Feeds string
}

// Assign gives each rail its role. The rails in failed exist and give no reading. A total needs all of
// its rails: if one failed, or the board is unknown, no rail is a total. Of several rails of one name
// the first is the total: reference designs have the module's monitors at the lowest addresses, and a
// carrier whose device tree is a copy names its own chip's rails alike. The notes say what makes up
// the total, and why a rail does not, unless another sensor has it.
func (m Machine) Assign(rails, failed []Rail, hasTotal bool) (list []Assigned, notes []string) {
	if hasTotal {
		defer func() { notes = slices.DeleteFunc(notes, func(n string) bool { return strings.HasPrefix(n, noTotal) }) }()
	}
	list = make([]Assigned, len(rails))
	for i, r := range rails {
		list[i] = Assigned{r.Name, framework.Unknown, ""}
	}
	if m.Faults != nil {
		return list, append(slices.Clone(m.Faults), noTotal+"the file of rails has faults")
	}
	present := slices.Concat(rails, failed)
	b := slices.IndexFunc(m.boards, func(b Board) bool { return b.is(present, m.model) })
	if b < 0 {
		var names []string
		for _, r := range present {
			names = append(names, r.Name)
		}
		return list, []string{fmt.Sprintf(noTotal+"the rails %s belong to no known board: %s says what they feed (docs/power.md)", strings.Join(names, ", "), File)}
	}
	board := m.boards[b]
	known := make([]*Known, len(rails))
	for i, r := range rails {
		if k := slices.IndexFunc(board.Rails, func(k Known) bool { return k.is(r) }); k >= 0 {
			known[i] = &board.Rails[k]
			list[i] = Assigned{r.Name, known[i].Role, known[i].Feeds}
			if known[i].Name != "" {
				list[i].Name = known[i].Name
			}
		}
	}
	var lost []string
	for i := range board.Rails {
		if k := &board.Rails[i]; k.Role == framework.Total && !slices.Contains(known, k) {
			lost = append(lost, k.String())
		}
	}
	for _, r := range failed { // one of several that an entry with * names
		if i := slices.IndexFunc(board.Rails, func(k Known) bool { return k.is(r) }); i >= 0 && board.Rails[i].Role == framework.Total && !slices.Contains(lost, board.Rails[i].String()) {
			lost = append(lost, r.Name)
		}
	}
	if lost != nil {
		if board.user && !slices.ContainsFunc(list, func(a Assigned) bool { return a.Role == framework.Total }) && len(failed) == 0 {
			return list, append(notes, fmt.Sprintf(noTotal+"no rail of that role in %s is among these", File))
		}
		for i := range list {
			if list[i].Role == framework.Total {
				list[i].Role = framework.Part
			}
		}
		return list, append(notes, fmt.Sprintf(noTotal+"it needs %s, which gives no reading", strings.Join(lost, ", ")))
	}
	total := map[string]string{} // the address of each rail of the total
	var names []string
	for i, r := range rails {
		first, twice := total[list[i].Name]
		switch {
		case known[i] == nil:
			notes = append(notes, fmt.Sprintf("rail %s is unknown on %s: it is added to nothing", r.Name, board.Board))
		case list[i].Role == framework.Total && twice:
			list[i].Role = framework.Part
			notes = append(notes, fmt.Sprintf("rail %s is there twice: that of %s is the total, and that of %s is taken to be contained in it", r.Name, first, r.Address))
		case list[i].Role == framework.Total:
			total[list[i].Name] = r.Address
			names = append(names, list[i].Name)
		}
	}
	if names != nil && !hasTotal {
		if board.Note != "" {
			notes = append(notes, board.Note)
		}
		by := "the known rails of " + board.Board
		if board.user {
			by = fmt.Sprintf("%s (%s)", File, board.Source)
		}
		notes = append(notes, fmt.Sprintf("the total is %s, by %s", strings.Join(names, " + "), by))
	}
	return list, notes
}
