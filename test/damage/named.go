package damage

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// Named is a damage that has a name: what it makes of a file's text, unpacked; nil where it
// does not apply. The name of the file tells its form.
type Named struct {
	Name string
	Of   func(name string, text []byte) []byte
}

// Pipe is a named pipe in the place of the file, whose writer never comes. It has no text.
var Pipe = Named{"named pipe", func(_ string, text []byte) []byte { return text }}

// All are the named damages.
func All() []Named {
	list := []Named{
		{"empty", func(string, []byte) []byte { return []byte{} }},
		{"half", func(_ string, text []byte) []byte { return text[:len(text)/2] }},
		{"without its last bytes", func(_ string, text []byte) []byte { return text[:max(0, len(text)-3)] }},
		{"byte order mark", func(_ string, text []byte) []byte { return append([]byte("\ufeff"), text...) }},
		{"two byte order marks", func(_ string, text []byte) []byte { return append([]byte("\ufeff\ufeff"), text...) }},
		{"lines of DOS", func(_ string, text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")) }},
		{"lines of old Macs", func(_ string, text []byte) []byte { return bytes.ReplaceAll(text, []byte("\n"), []byte("\r")) }},
		{"NUL bytes within", func(_ string, text []byte) []byte {
			return slices.Concat(text[:len(text)/3], make([]byte, 600), text[len(text)/3:])
		}},
		{"NUL bytes behind", func(_ string, text []byte) []byte { return append(bytes.Clone(text), make([]byte, 4096)...) }},
		{"UTF-16", func(_ string, text []byte) []byte {
			b := []byte{0xff, 0xfe}
			for _, u := range utf16.Encode([]rune(string(text))) {
				b = append(b, byte(u), byte(u>>8))
			}
			return b
		}},
		{"Latin-1", func(_ string, text []byte) []byte { return bytes.ReplaceAll(text, []byte("e"), []byte{0xe9}) }},
		{"twice", func(_ string, text []byte) []byte { return slices.Concat(text, text) }},
		{"HTML", func(string, []byte) []byte { return []byte("<!doctype html><title>404</title>\n::error::not found\n") }},
		{"a mark of a merge", func(_ string, text []byte) []byte {
			return slices.Concat([]byte("<<<<<<< ours\n"), text, []byte("=======\n>>>>>>> theirs\n"))
		}},
	}
	return append(append(list, ofTables()...), ofDocuments()...)
}

// table changes the rows of a CSV file.
func table(name string, change func(rows [][]string) [][]string) Named {
	return Named{name, func(file string, text []byte) []byte {
		if !strings.Contains(filepath.Base(file), ".csv") {
			return nil
		}
		in := csv.NewReader(bytes.NewReader(text))
		in.FieldsPerRecord = -1
		rows, err := in.ReadAll()
		if err != nil || len(rows) < 2 {
			return nil
		}
		var b bytes.Buffer
		if csv.NewWriter(&b).WriteAll(change(rows)) != nil {
			return nil
		}
		return b.Bytes()
	}}
}

// numeric changes every cell that is a number.
func numeric(name string, to func(cell string) string) Named {
	return table(name, func(rows [][]string) [][]string {
		for _, row := range rows[1:] {
			for i, cell := range row {
				if _, err := strconv.ParseFloat(cell, 64); err == nil && (i > 0 || len(rows[0]) < 4) { // the number of a point stays
					row[i] = to(cell)
				}
			}
		}
		return rows
	})
}

func ofTables() []Named {
	return []Named{
		table("header and numbers exchanged", func(rows [][]string) [][]string { rows[0], rows[1] = rows[1], rows[0]; return rows }),
		table("header cells exchanged", func(rows [][]string) [][]string { slices.Reverse(rows[0]); return rows }),
		table("header cell twice", func(rows [][]string) [][]string { rows[0][len(rows[0])-1] = rows[0][0]; return rows }),
		table("header cells empty", func(rows [][]string) [][]string { clear(rows[0]); return rows }),
		table("header without a cell", func(rows [][]string) [][]string { rows[0] = rows[0][1:]; return rows }),
		table("no header", func(rows [][]string) [][]string { return rows[1:] }),
		table("a header alone", func(rows [][]string) [][]string { return rows[:1] }),
		table("a column less", func(rows [][]string) [][]string {
			for i, row := range rows {
				rows[i] = row[:len(row)-1]
			}
			return rows
		}),
		table("a row twice", func(rows [][]string) [][]string { return append(rows, rows[1]) }),
		table("rows in another order", func(rows [][]string) [][]string { slices.Reverse(rows[1:]); return rows }),
		table("a row less", func(rows [][]string) [][]string { return rows[:len(rows)-1] }),
		table("a short row", func(rows [][]string) [][]string { rows[1] = rows[1][:1]; return rows }),
		table("empty cells", func(rows [][]string) [][]string { clear(rows[1]); return rows }),
		table("texts in place of numbers", func(rows [][]string) [][]string {
			for i := range rows[1] {
				rows[1][i] = "x\n::error::y"
			}
			return rows
		}),
		numeric("huge numbers", func(string) string { return "1e308" }),
		numeric("tiny numbers", func(string) string { return "5e-324" }),
		numeric("negative numbers", func(cell string) string { return "-" + cell }),
		numeric("no numbers", func(string) string { return "NaN" }),
		numeric("numbers without an end", func(string) string { return "+Inf" }),
		numeric("zeros", func(string) string { return "0" }),
		numeric("numbers beyond 64 bits", func(string) string { return "9223372036854775808" }),
		{"semicolons", func(file string, text []byte) []byte {
			if !strings.Contains(filepath.Base(file), ".csv") {
				return nil
			}
			return bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(","), []byte(";")), []byte("."), []byte(","))
		}},
	}
}

// document changes each JSON document of a file, a line each of .jsonl.
func document(name string, change func(v any) any) Named {
	one := func(text []byte) []byte {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var v any
		if d.Decode(&v) != nil {
			return text
		}
		out, err := json.Marshal(change(v))
		if err != nil {
			return text
		}
		return out
	}
	return Named{name, func(file string, text []byte) []byte {
		switch filepath.Ext(file) {
		case ".json":
			return one(text)
		case ".jsonl":
			var b bytes.Buffer
			for line := range bytes.Lines(text) {
				b.Write(append(one(line), '\n'))
			}
			return b.Bytes()
		}
		return nil
	}}
}

// leaves changes every value that holds no other, but the first number of a document, which
// is its format, and sums.
func leaves(name string, to func(v any) any) Named {
	return document(name, func(v any) any {
		var walk func(v any, key string) any
		walk = func(v any, key string) any {
			switch v := v.(type) {
			case map[string]any:
				for k, x := range v {
					v[k] = walk(x, k)
				}
				return v
			case []any:
				for i, x := range v {
					v[i] = walk(x, "")
				}
				return v
			}
			if strings.Contains(key, "format") || key == "crc32c" || key == "prefix" {
				return v
			}
			return to(v)
		}
		return walk(v, "")
	})
}

func ofDocuments() []Named {
	number := func(with any) func(any) any {
		return func(v any) any {
			if _, is := v.(json.Number); is {
				return with
			}
			return v
		}
	}
	text := func(with any) func(any) any {
		return func(v any) any {
			if _, is := v.(string); is {
				return with
			}
			return v
		}
	}
	members := func(v any, change func(m map[string]any, name string)) any {
		var walk func(v any)
		walk = func(v any) {
			switch v := v.(type) {
			case map[string]any:
				names := make([]string, 0, len(v))
				for name := range v {
					names = append(names, name)
				}
				slices.Sort(names)
				for _, name := range names {
					walk(v[name])
					if !strings.Contains(name, "format") && name != "crc32c" {
						change(v, name)
					}
				}
			case []any:
				for _, x := range v {
					walk(x)
				}
			}
		}
		walk(v)
		return v
	}
	return []Named{
		leaves("huge values", number(json.Number("1e308"))),
		leaves("negative values", number(json.Number("-1"))),
		leaves("zero values", number(json.Number("0"))),
		leaves("values beyond 64 bits", number(json.Number("18446744073709551616"))),
		leaves("numbers as texts", number("1")),
		leaves("empty texts", text("")),
		leaves("texts of two lines", text("x\n::error::y\r\u2028::stop-commands::z")),
		leaves("texts as numbers", text(json.Number("1"))),
		leaves("no values", func(any) any { return nil }),
		document("lists empty", func(v any) any {
			return members(v, func(m map[string]any, name string) {
				if _, is := m[name].([]any); is {
					m[name] = []any{}
				}
			})
		}),
		document("lists twice as long", func(v any) any {
			return members(v, func(m map[string]any, name string) {
				if list, is := m[name].([]any); is {
					m[name] = append(slices.Clone(list), list...)
				}
			})
		}),
		document("objects empty", func(v any) any {
			return members(v, func(m map[string]any, name string) {
				if _, is := m[name].(map[string]any); is {
					m[name] = map[string]any{}
				}
			})
		}),
		document("a member less in each", func(v any) any {
			had := map[string]bool{}
			return members(v, func(m map[string]any, name string) {
				if len(had)%5 == 4 {
					delete(m, name)
				}
				had[name] = true
			})
		}),
		{"status less in each", func(file string, text []byte) []byte {
			if !strings.Contains(file, ".json") {
				return nil
			}
			return bytes.ReplaceAll(text, []byte(`"status":`), []byte(`"stotus":`))
		}},
		{"deep", func(file string, text []byte) []byte {
			if !strings.Contains(file, ".json") {
				return nil
			}
			return bytes.Repeat([]byte(`{"a":[`), 200_000)
		}},
	}
}
