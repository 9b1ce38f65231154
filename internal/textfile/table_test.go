package textfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.org/bench/internal/bounded"
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
		if !errors.Is(err, bounded.ErrBeyond) || !strings.Contains(err.Error(), c.want) {
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
	if !errors.Is(err, bounded.ErrBeyond) || !strings.HasPrefix(err.Error(), "bomb.csv.gz: unpacked, it has more than ") {
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
