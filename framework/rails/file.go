package rails

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/xeipuuv/gojsonschema"

	"example.org/bench/framework/machine"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
	"example.org/bench/internal/trust"
)

// File says what the rails of a machine are, below its root.
const File = "/etc/bench/rails.json"

// Machine is what is known of a machine's rails. Faults are those of its file of rails, a line each;
// nil if there are none.
type Machine struct {
	Faults []string

	boards []Board
	model  string
}

// Of reads the file of rails of a machine, if it has one, and adds the boards that are known. A file
// that others than its user and root can change is a fault.
func Of(root machine.Tree) Machine {
	facts, _ := root.Facts() // the model, where it can be read
	m := Machine{model: facts.Board}
	path := root.Path(File)
	text, err := bounded.ReadFile(path, bounded.MostText)
	if err == nil && root.IsLive() {
		err = trust.Self().Check(path)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		m.Faults = []string{terminal.OneLine(err.Error())}
		return m
	default:
		var board Board
		for _, f := range parse(text, &board) {
			m.Faults = append(m.Faults, terminal.OneLine(path+": "+f))
		}
		board.user = true
		m.boards = []Board{board}
	}
	m.boards = slices.Concat(m.boards, boards())
	return m
}

// HasFile is whether the machine has a file of rails, which is of its model.
func (m Machine) HasFile() bool {
	return len(m.Faults) > 0 || m.boards[0].user && m.boards[0].is(nil, m.model)
}

//go:embed schema.json
var schemaText []byte

var schema = sync.OnceValue(func() *gojsonschema.Schema {
	s, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(schemaText))
	if err != nil {
		panic("rails: schema.json: " + err.Error()) // a test makes sure that it loads
	}
	return s
})

// parse reads a board and returns its faults: where each is, what is wrong, and what would be right.
func parse(text []byte, b *Board) (faults []string) {
	var document any
	if err := bounded.Unmarshal(text, &document); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at := min(int(syntax.Offset), len(text))
			return []string{fmt.Sprintf("line %d: %v; want JSON", 1+bytes.Count(text[:at], []byte("\n")), err)}
		}
		return []string{err.Error() + "; want JSON"}
	}
	result, err := schema().Validate(gojsonschema.NewGoLoader(document))
	if err != nil {
		return []string{err.Error()}
	}
	for _, e := range result.Errors() {
		where := strings.TrimPrefix(strings.TrimPrefix(e.Context().String("."), "(root)")+": ", ".")
		faults = append(faults, strings.TrimPrefix(where, ": ")+wording(e))
	}
	if faults != nil {
		slices.Sort(faults)
		return faults
	}
	if err := bounded.Unmarshal(text, b); err != nil {
		return []string{err.Error()}
	}
	for i, k := range b.Rails {
		if k.Label == "" && k.Driver == "" && k.Address == "" {
			faults = append(faults, fmt.Sprintf(`rails.%d: nothing says which rail it is; want "label", "address" or "driver", as bench sensors shows them`, i))
		}
	}
	if !slices.ContainsFunc(b.Rails, func(k Known) bool { return k.Role != "" }) {
		faults = append(faults, "rails: no rail has a role")
	}
	return faults
}

// wording is a finding of the schema's in the words of this program's other messages.
func wording(e gojsonschema.ResultError) string {
	detail := func(name string) string { return fmt.Sprint(e.Details()[name]) }
	value := func() string { return fmt.Sprintf("%.60q", fmt.Sprint(e.Value())) }
	switch e.Type() {
	case "required":
		return fmt.Sprintf("the key %q is missing", detail("property"))
	case "additional_property_not_allowed":
		return fmt.Sprintf("unknown key %.60q", detail("property"))
	case "enum":
		return fmt.Sprintf("%s is unknown; want one of %s", value(), detail("allowed"))
	case "pattern":
		if strings.HasSuffix(e.Context().String("."), ".feeds") {
			return value() + " is unknown; want board, module, soc, cpu, gpu or memory, or several with commas"
		}
		return value() + " is no name of a column; want up to 60 letters, digits, _, . and -"
	case "invalid_type":
		return fmt.Sprintf("got %s; want %s", detail("given"), detail("expected"))
	}
	return e.Description()
}
