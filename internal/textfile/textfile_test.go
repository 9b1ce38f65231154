package textfile

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestTextOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	for text, want := range map[string]string{
		"\ufeff{}":           "{}",
		"{}":                 "{}",
		"{\ufeff}":           "{\ufeff}",
		"":                   "",
		"\xff\xfe{\x00}\x00": "the text is UTF-16; save it as UTF-8",
		"\xfe\xff\x00{\x00}": "the text is UTF-16; save it as UTF-8",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path)
		if err != nil {
			got = []byte(strings.TrimPrefix(err.Error(), path+": "))
		}
		if string(got) != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}

func TestTablesOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.csv")
	for text, want := range map[string]string{
		"a,b\n1,2.5\n":           "",
		"\ufeffa,b\n1,2.5\n":     "",
		"\ufeffa,b\r\n1,2.5\r\n": "",
		"a;b\n1;2,5\n":           "its columns are separated by semicolons, as a spreadsheet saves them; want commas, and numbers with a point",
		"\ufeffa;b\r\n1;2,5\r\n": "its columns are separated by semicolons",
		"a\tb\n1\t2.5\n":         "its columns are separated by tabs",
		"\xff\xfea\x00":          "the text is UTF-16",
		"":                       "empty file, want a header line",
		"a,b\n1,2,5\n":           "wrong number of fields",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rows, _, err := ReadTable(path)
		switch {
		case want == "" && (err != nil || !reflect.DeepEqual(rows, [][]string{{"a", "b"}, {"1", "2.5"}})):
			t.Errorf("%q: %v, %v", text, rows, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: %v; want %s", text, err, want)
		}
	}
	long := "a;" + strings.Repeat("x", 2*headBytes) + "\n"
	if err := os.WriteFile(path, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadTable(path); err == nil || !strings.Contains(err.Error(), "semicolons") {
		t.Errorf("a long line: %v", err)
	}
}
