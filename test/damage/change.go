// Package damage changes results and other texts as accidents and strangers do: values of
// fields, cells, rows and bytes, with the sums and the packing that let what is changed pass
// for whole. Fuzz targets and tests of verbs take it.
package damage

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Words are what no program writes where something else is expected.
var Words = []string{"", "0", "-0", "-1", "1e999", "-1e308", "1e-320", "NaN", "Inf", "-Inf", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e18", "0x10", "1_000",
	strings.Repeat("9", 400), strings.Repeat("x", 5000), "\x00", "\ufffd", "\xff\xfe", "\ufeff", "\u202e", "\u2028::error::", "x\n::error::y", "x\r\n", "true", "null", "[]", "{}", "\"", "a,b", "=1+1",
	"<script>", "../../outside", "/outside", "ok", "wrong", "skipped", "failed", "status", "point", "cuda:0", "cpu", "cuda:99999999999", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-13-45T00:00:00Z"}

// numbers are what JSON may hold and few programs expect.
var numbers = []json.Number{"-1", "0", "1", "0.1", "1e308", "-1e308", "1e-320", "2147483648", "9223372036854775807", "18446744073709551615", "1e18"}

// Change changes a text by its form, which the end of its name tells: .json, .jsonl, .csv, or
// bytes. The same seed makes the same change; 0 makes none.
func Change(seed uint64, name string, text []byte) []byte {
	if seed == 0 {
		return text
	}
	r := rand.New(rand.NewPCG(seed, 1))
	for range 1 + r.IntN(3) {
		text = changed(r, strings.TrimSuffix(name, ".gz"), text)
	}
	return text
}

func changed(r *rand.Rand, name string, text []byte) []byte {
	if r.IntN(8) > 0 {
		switch filepath.Ext(name) {
		case ".json":
			return changedJSON(r, text)
		case ".csv":
			return changedCSV(r, text)
		case ".jsonl":
			lines := bytes.SplitAfter(text, []byte("\n"))
			i := r.IntN(len(lines))
			if r.IntN(6) == 0 {
				return bytes.Join(rearranged(r, lines), nil)
			}
			lines[i] = append(bytes.TrimSuffix(changedJSON(r, bytes.TrimSpace(lines[i])), []byte("\n")), '\n')
			return bytes.Join(lines, nil)
		}
	}
	return changedBytes(r, text)
}

func word(r *rand.Rand) string { return Words[r.IntN(len(Words))] }

// rearranged leaves one out, has one twice, or exchanges two.
func rearranged[T any](r *rand.Rand, list []T) []T {
	if len(list) == 0 {
		return list
	}
	i, j := r.IntN(len(list)), r.IntN(len(list))
	list = slices.Clone(list)
	switch r.IntN(3) {
	case 0:
		return slices.Delete(list, i, i+1)
	case 1:
		return slices.Insert(list, j, list[i])
	}
	list[i], list[j] = list[j], list[i]
	return list
}

// changedJSON changes one value of a document; text that is none, its bytes.
func changedJSON(r *rand.Rand, text []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return changedBytes(r, text)
	}
	n := r.IntN(values(v))
	out, err := json.Marshal(changedValue(r, v, &n))
	if err != nil {
		return changedBytes(r, text)
	}
	return out
}

// values counts a value and all that it holds.
func values(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			n += values(x)
		}
	case map[string]any:
		for _, x := range v {
			n += values(x)
		}
	}
	return n
}

// changedValue is v with another value in place of its nth, from 0.
func changedValue(r *rand.Rand, v any, n *int) any {
	if *n--; *n == -1 {
		return another(r, v)
	}
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = changedValue(r, v[i], n)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			v[name] = changedValue(r, v[name], n)
		}
	}
	return v
}

func another(r *rand.Rand, v any) any {
	switch r.IntN(8) {
	case 0:
		return nil
	case 1:
		return []any{}
	case 2:
		return map[string]any{}
	case 3:
		return numbers[r.IntN(len(numbers))]
	case 4:
		return word(r)
	}
	switch v := v.(type) {
	case []any:
		return rearranged(r, v)
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		if len(names) == 0 {
			return map[string]any{word(r): word(r)}
		}
		i, j := names[r.IntN(len(names))], names[r.IntN(len(names))]
		switch r.IntN(3) {
		case 0:
			delete(v, i)
		case 1:
			v[word(r)] = v[i]
		default:
			v[i], v[j] = v[j], v[i]
		}
		return v
	case string:
		if strings.HasPrefix(v, "{") && json.Valid([]byte(v)) { // a config, as run.json has it
			return string(changedJSON(r, []byte(v)))
		}
		return v + word(r)
	case json.Number:
		if x, err := v.Float64(); err == nil {
			return json.Number(strconv.FormatFloat([]float64{-x, x * 1e30, x * 1e-30, x + 1, x / 3}[r.IntN(5)], 'g', -1, 64))
		}
	}
	return []any{v, v}
}

// changedCSV changes cells, rows or columns of a table; text that is none, its bytes.
func changedCSV(r *rand.Rand, text []byte) []byte {
	in := csv.NewReader(bytes.NewReader(text))
	in.FieldsPerRecord = -1
	rows, err := in.ReadAll()
	if err != nil || len(rows) == 0 {
		return changedBytes(r, text)
	}
	i := r.IntN(len(rows))
	if r.IntN(3) == 0 {
		i = 0
	}
	j := r.IntN(len(rows[i]))
	switch r.IntN(7) {
	case 0:
		rows = rearranged(r, rows)
	case 1:
		rows[i] = rearranged(r, rows[i])
	case 2: // a column, whole
		to := r.IntN(len(rows[i]))
		for k, row := range rows {
			if max(j, to) < len(row) {
				rows[k][j] = row[to]
			}
		}
	case 3:
		if x, err := strconv.ParseFloat(rows[i][j], 64); err == nil {
			rows[i][j] = strconv.FormatFloat([]float64{-x, x * 1e300, x * 1e-300, 0, x + 1}[r.IntN(5)], 'g', -1, 64)
			break
		}
		fallthrough
	default:
		rows[i][j] = word(r)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		return changedBytes(r, text)
	}
	return b.Bytes()
}

func changedBytes(r *rand.Rand, text []byte) []byte {
	if len(text) == 0 {
		return []byte(word(r))
	}
	i := r.IntN(len(text))
	to := min(len(text), i+1+r.IntN(200))
	switch r.IntN(5) {
	case 0:
		text = bytes.Clone(text)
		text[i] ^= 1 << r.IntN(8)
		return text
	case 1:
		return text[:i:i]
	case 2:
		return slices.Concat(text[:i], []byte(word(r)), text[i:])
	case 3:
		return slices.Concat(text[:i], text[to:])
	}
	return slices.Concat(text[:to], text[i:])
}

// Unpacked is the text of a file that gzip may have compressed.
func Unpacked(file []byte) ([]byte, error) {
	if !bytes.HasPrefix(file, []byte{0x1f, 0x8b}) {
		return file, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Packed is the file of that name that holds a text: .gz is compressed, the lines of .jsonl
// that have a sum have the right one.
func Packed(name string, text []byte) []byte {
	switch filepath.Ext(name) {
	case ".gz":
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		z.Write(text) //nolint:errcheck // to memory
		z.Close()
		return b.Bytes()
	case ".jsonl":
		var b bytes.Buffer
		for line := range bytes.Lines(text) {
			b.Write(summed(line))
		}
		return b.Bytes()
	}
	return text
}

// A journal's line is {"crc32c":"01234567",BODY}, with the sum of BODY.
const sumName, sumEnd = `"crc32c":"`, len(`{"crc32c":"01234567",`)

// summed is a journal's line with the sum of what it holds; one whose members have been
// sorted has it in front again.
func summed(line []byte) []byte {
	var of map[string]json.RawMessage
	if !bytes.Contains(line, []byte(sumName)) || json.Unmarshal(line, &of) != nil {
		return line
	}
	var members []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if key, err := json.Marshal(name); err == nil && name != "crc32c" {
			members = append(members, string(key)+":"+string(of[name]))
		}
	}
	body := strings.Join(members, ",")
	return fmt.Appendf(nil, "{%s%08x\",%s}\n", sumName, crc32.Checksum([]byte(body), crc32.MakeTable(crc32.Castagnoli)), body)
}
