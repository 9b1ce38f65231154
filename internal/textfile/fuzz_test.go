package textfile

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/terminal"
	"example.org/bench/test/damage"
)

// FuzzTable: a table of any content, packed or not, is refused in a line, or has rows as long
// as its header, whose cells have no line end; a mark before it changes nothing.
func FuzzTable(f *testing.F) {
	const good = "a,b\n1,2.5\n\"x\n::error::\",y\r\n"
	for seed := range 30 {
		f.Add([]byte(good), uint64(seed), seed%2 == 0)
	}
	f.Add([]byte("a;b\n1;2,5\n"), uint64(0), false)
	f.Add([]byte("\xff\xfea\x00,\x00"), uint64(0), false)
	f.Add([]byte("\ufeff\ufeffa,b\n"), uint64(0), false)
	f.Fuzz(func(t *testing.T, text []byte, seed uint64, packed bool) {
		text = damage.Change(seed, "x.csv", text)
		read := func(text []byte) ([][]string, error) {
			if packed {
				text = damage.Packed("x.csv.gz", text)
			}
			table, err := NewTable(bytes.NewReader(text), "x.csv")
			if err != nil {
				return nil, err
			}
			rows, _, err := table.ReadAll()
			return rows, err
		}
		damage.CheckMemory(t, 8<<20+1000*len(text), func() {
			rows, err := read(text)
			damage.CheckError(t, err)
			for _, row := range rows {
				if len(row) != len(rows[0]) || terminal.HasLineEnd(strings.Join(row, "")) {
					t.Errorf("%q under %q", row, rows[0])
				}
			}
			if bytes.HasPrefix(text, []byte(mark)) || isUTF16(text) || bytes.HasPrefix(text, []byte("\x1f\x8b")) {
				return
			}
			marked, failed := read(append([]byte(mark), text...))
			if (failed == nil) != (err == nil) || len(marked) != len(rows) {
				t.Errorf("with a mark: %d rows, %v; without: %d rows, %v", len(marked), failed, len(rows), err)
			}
		})
	})
}

// FuzzDocument: a JSON document of any content is refused in a line, or none of its strings has a
// line end.
func FuzzDocument(f *testing.F) {
	for seed := range 30 {
		f.Add([]byte(`{"a\n": ["b\r", {"c": "\u2028"}, 1e300, null, true], "d": {"e": ""}}`), uint64(seed))
	}
	f.Add([]byte(strings.Repeat("[", 20000)), uint64(0))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		text = damage.Change(seed, "x.json", text)
		damage.CheckMemory(t, 4<<20+2000*len(text), func() {
			plain, err := Plain(text)
			if damage.CheckError(t, err); err != nil {
				return
			}
			var v any
			err = bounded.Unmarshal(plain, &v)
			damage.CheckError(t, err)
			if err == nil {
				checkStrings(t, v)
			}
		})
	})
}

func checkStrings(t *testing.T, v any) {
	switch v := v.(type) {
	case string:
		if terminal.HasLineEnd(v) || !utf8.ValidString(v) {
			t.Errorf("%q", v)
		}
	case []any:
		for _, x := range v {
			checkStrings(t, x)
		}
	case map[string]any:
		for name, x := range v {
			checkStrings(t, name)
			checkStrings(t, x)
		}
	}
}
