package rails

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/machine"
	"example.org/bench/internal/terminal"
	"example.org/bench/test/damage"
)

// TestTable: each known board is as the schema of the user's file has it.
func TestTable(t *testing.T) {
	var list []json.RawMessage
	if err := json.Unmarshal(table, &list); err != nil || len(list) < 8 {
		t.Fatal(len(list), err)
	}
	for _, text := range list {
		var b Board
		if faults := parse(text, &b); faults != nil || !slices.ContainsFunc(b.Rails, func(k Known) bool { return k.Role == framework.Total }) {
			t.Errorf("%s: %q", b.Board, faults)
		}
	}
}

// with writes a file of rails and a model, and reads them.
func with(t testing.TB, text string) Machine {
	t.Helper()
	root := t.TempDir()
	for name, content := range map[string]string{File: text, "proc/device-tree/model": "Some Board"} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return Of(machine.Tree(root))
}

const head = `{"board": "mine", "source": "schematic, page 3", "rails": [`

// TestFaults: a fault of the file is one line with where it is and what would be right, and there is
// then no total.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"board\": x}": "line 2: invalid character 'x' looking for beginning of value; want JSON",
		`{"board": "b", "rails": [{"role": "part", "label": "x"}]}`: `the key "source" is missing`,
		head + `]}`:                                               "rails: Array must have at least 1 items",
		head + `{"label": "x"}]}`:                                 `rails.0: the key "role" is missing`,
		head + `{"label": "x", "role": "all"}]}`:                  `rails.0.role: "all" is unknown; want one of "total", "part", "carrier"`,
		head + `{"label": "x", "role": "part", "of": 1}]}`:        `rails.0: unknown key "of"`,
		head + `{"label": 7, "role": "part"}]}`:                   "rails.0.label: got integer; want string",
		head + `{"label": "x", "role": "part", "feeds": "npu"}]}`: `rails.0.feeds: "npu" is unknown; want board, module, soc, cpu, gpu or memory, or several with commas`,
		head + `{"label": "x", "role": "part", "name": "a b"}]}`:  `rails.0.name: "a b" is no name of a column; want up to 60 letters, digits, _, . and -`,
		head + `{"role": "total"}]}`:                              `rails.0: nothing says which rail it is; want "label", "address" or "driver", as bench sensors shows them`,
	} {
		m := with(t, text)
		if len(m.Faults) != 1 || !strings.HasSuffix(m.Faults[0], File+": "+want) || strings.Contains(m.Faults[0], "\n") {
			t.Errorf("%s\n%q\nwant %s", text, m.Faults, want)
		}
		list, notes := m.Assign([]Rail{{Name: "VDD_IN"}}, nil, false)
		if list[0].Role != framework.Unknown || !slices.Contains(notes, "no total: the file of rails has faults") || !m.HasFile() {
			t.Errorf("%s: %+v, %q", text, list, notes)
		}
	}
	if m := with(t, head+`{"label": "x", "role": "y"}, {"label": "x", "role": "z"}]}`); len(m.Faults) != 2 {
		t.Errorf("two faults: %q", m.Faults)
	}
}

// TestUsersFile: what the file says comes before what is known.
func TestUsersFile(t *testing.T) {
	rails := []Rail{{"VDD_IN", "ina226", "1-0040", 1}, {"ina226-1-0041", "ina226", "1-0041", 1}, {"VDD_X", "ina3221", "2-0040", 2}, {"VDD_Y", "ina3221", "2-0040", 3}}
	const mine = head + `{"address": "*-0040", "channel": 2, "name": "VDD_GPU", "role": "total", "feeds": "gpu"}, {"address": "1-0041", "role": "total"}, {"label": "VDD_IN", "role": "carrier", "feeds": "board"}]`
	roles := func(m Machine, rails, failed []Rail) string {
		list, notes := m.Assign(rails, failed, false)
		var words []string
		for _, a := range list {
			words = append(words, fmt.Sprint(a.Name, " ", a.Role))
		}
		return strings.Join(append(words, notes...), "; ")
	}
	for _, c := range []struct {
		name, file    string
		rails, failed []Rail
		want          string
	}{
		{"all", mine + "}", rails, nil, "VDD_IN carrier; ina226-1-0041 total; VDD_GPU total; VDD_Y unknown; rail VDD_Y is unknown on mine: it is added to nothing; " +
			"the total is ina226-1-0041 + VDD_GPU, by /etc/bench/rails.json (schematic, page 3)"},
		// A sum without one of its rails would be too low.
		{"one is missing", mine + "}", rails[:2], nil, "VDD_IN carrier; ina226-1-0041 part; no total: it needs VDD_GPU *-0040, which gives no reading"},
		{"one failed", mine + "}", rails[:2], rails[2:3], "VDD_IN carrier; ina226-1-0041 part; no total: it needs VDD_GPU *-0040, which gives no reading"},
		{"another model", mine + `, "model": "Other"}`, rails[:1], nil, "VDD_IN total; the total is VDD_IN, by the known rails of TX1, TX2, TX2 NX, Xavier NX, Orin NX, Orin Nano"},
		{"this model", mine + `, "model": "Some Board"}`, rails[:1], nil, "VDD_IN carrier; no total: no rail of that role in /etc/bench/rails.json is among these"},
	} {
		if got := roles(with(t, c.file), c.rails, c.failed); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	// One of two sockets' meters fails.
	grace := func(n string) Rail { return Rail{Name: "Grace Power Socket " + n, Driver: "power_meter"} }
	if got := roles(Of(machine.Tree(t.TempDir())), []Rail{grace("0")}, []Rail{grace("1")}); got != "Grace Power Socket 0 part; no total: it needs Grace Power Socket 1, which gives no reading" {
		t.Error(got)
	}
}

// FuzzFile: any file is a board, or faults of one line each.
func FuzzFile(f *testing.F) {
	f.Add([]byte(head + `{"label": "x", "role": "total", "feeds": "cpu, gpu"}]}`))
	f.Add([]byte(head + `{"label": 1, "channel": -1, "name": ""}], "\u001b": 0}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		damage.CheckMemory(t, 8<<20+1000*len(text), func() {
			var b Board
			for _, fault := range parse(text, &b) {
				damage.CheckLine(t, terminal.OneLine(fault))
			}
			b.user = true
			list, _ := Machine{boards: []Board{b}}.Assign([]Rail{{"VDD", "ina226", "1-0040", 1}}, nil, false)
			if role := list[0].Role; !slices.Contains([]framework.Role{framework.Total, framework.Part, framework.Carrier, framework.Unknown}, role) && parse(text, &b) == nil {
				t.Errorf("role %q", role)
			}
		})
	})
}
