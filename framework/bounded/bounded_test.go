package bounded

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// endless is a head, then one text again and again, without end.
type endless struct {
	head, text string
}

func (e *endless) Read(b []byte) (int, error) {
	n := copy(b, e.head)
	e.head = e.head[n:]
	for n < len(b) {
		m := copy(b[n:], e.text)
		if m < len(e.text) && m > 0 {
			e.head = e.text[m:]
			return n + m, nil
		}
		n += m
	}
	return n, nil
}

func TestEndlessTablesEnd(t *testing.T) {
	for name, c := range map[string]struct {
		head, text, want string
	}{
		"cell":             {"a,b\n1,2\n\"", "x", "t.csv: line 3: a row has more than 1 MiB, the most that is read of one"},
		"cell with lines":  {"a,b\n\"", "x\n", "a row has more than 1 MiB"},
		"header":           {"a", ",a", "t.csv: line 1: a row has more than 1 MiB"},
		"blank lines":      {"a,b\n", "\n", "t.csv: line 1002: more than 1000 blank lines follow each other"},
		"blank lines, DOS": {"a,b\n", "\r\n", "more than 1000 blank lines follow each other"},
		"returns":          {"a,b\n", "\r", "t.csv: line 2: a row has more than 1 MiB"},
		"zeros":            {"a,b\n", "\x00", "t.csv: line 2: a row has more than 1 MiB"},
	} {
		table, err := NewTable(&endless{c.head, c.text}, "t.csv")
		if err == nil {
			_, _, err = table.ReadAll()
		}
		if !errors.Is(err, ErrBeyond) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What little compressed text may unpack to is bounded, and by its size.
func TestCompressedBomb(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	row := strings.Repeat("1,2\n", 1<<18)
	for range 200 {
		if _, err := io.WriteString(z, row); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	table, err := NewTable(&packed, "bomb.csv.gz")
	if err != nil {
		t.Fatal(err)
	}
	table.Reader().ReuseRecord = true
	for err == nil {
		_, err = table.Read()
	}
	if !errors.Is(err, ErrBeyond) || !strings.HasPrefix(err.Error(), "bomb.csv.gz: unpacked, it has more than ") {
		t.Error(err)
	}
}

func TestTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte("a,b\n\n\"x\n::error::\",2\r\n3,\u2028\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	rows, lines, err := ReadTable(path)
	if want := [][]string{{"a", "b"}, {`x\n::error::`, "2"}, {"3", `\u2028`}}; err != nil || !reflect.DeepEqual(rows, want) || !reflect.DeepEqual(lines, []int{1, 3, 5}) {
		t.Errorf("%q, %v, %v", rows, lines, err)
	}
	for text, want := range map[string]string{"a,b\n1\n": ": line 2: wrong number of fields: 1, the header has 2", "a\"\n": "t.csv: parse error on line 1, column 2"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := ReadTable(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestDocuments(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(6 << 30); err != nil {
		t.Fatal(err)
	}
	var v any
	if err := ReadJSON(path, &v); !errors.Is(err, ErrBeyond) || err.Error() != path+": has more than 64 MiB, the most that is read of it" {
		t.Error(err)
	}
	if _, err := ReadAll(&endless{"", "x"}, "standard input", MostText); err == nil || err.Error() != "standard input: has more than 16 MiB, the most that is read of it" {
		t.Error(err)
	}
	if err := Unmarshal([]byte("["+strings.Repeat("{},", MostObjects)+"{}]"), &v); !errors.Is(err, ErrBeyond) || !strings.Contains(err.Error(), "more than 4194304") {
		t.Error(err)
	}
}

func TestStringsAreOfOneLine(t *testing.T) {
	type inner struct{ Text, Kept string }
	type document struct {
		Name   string
		Kept   string `lines:"kept"`
		List   []string
		ByName map[string]*inner
		Any    any
		Times  []float64
	}
	evil := document{"x\n::error::", "a\nb", []string{"\r::stop-commands::"}, map[string]*inner{"k\n::": {Text: "\u2028::"}}, map[string]any{"a\n": []any{"b\n", 1.0, nil}}, []float64{1}}
	text, err := json.Marshal(evil)
	if err != nil {
		t.Fatal(err)
	}
	var got document
	if err := Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := document{`x\n::error::`, "a\nb", []string{`\r::stop-commands::`}, map[string]*inner{`k\n::`: {Text: `\u2028::`}}, map[string]any{`a\n`: []any{`b\n`, 1.0, nil}}, []float64{1}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestLines(t *testing.T) {
	lines := NewLines(strings.NewReader("a\n\nbcd\ne"), "log", 4)
	var got []string
	for {
		line, err := lines.Read()
		got = append(got, string(line))
		if err != nil {
			break
		}
	}
	if want := []string{"a\n", "\n", "bcd\n", "e"}; !reflect.DeepEqual(got, want) || lines.Number() != 4 {
		t.Errorf("%q, %d lines", got, lines.Number())
	}
	lines = NewLines(&endless{"a\n", "x"}, "log", 3<<20)
	_, first := lines.Read()
	if _, err := lines.Read(); first != nil || !errors.Is(err, ErrBeyond) || err.Error() != "log: line 2: it has more than 3 MiB, the most that is read of a line" {
		t.Error(first, err)
	}
}
