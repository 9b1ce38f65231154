package bounded

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
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
	if _, err := ReadFile(path, MostDocument); !errors.Is(err, ErrBeyond) || err.Error() != path+": has more than 64 MiB, the most that is read of it" {
		t.Error(err)
	}
	var v any
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

// The error about a document repeats no long value of it.
func TestErrorsOfDocumentsAreShort(t *testing.T) {
	long := strings.Repeat("9", 100_000)
	for _, text := range []string{`{"N":` + long + `}`, `{"T":"2026-` + long + `"}`, `{"N":"` + strings.Repeat("ä", 9000) + `"}`} {
		var v struct {
			N int8
			T time.Time
		}
		err := Unmarshal([]byte(text), &v)
		if err == nil || len(err.Error()) > mostWords+len("…") || !utf8.ValidString(err.Error()) {
			t.Errorf("%.300v", err)
		}
	}
}

// TestOutputHasABound: of a program that prints without end no more is kept than was said, and it
// is ended by its pipe; the error names program and bound.
func TestOutputHasABound(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // ends a hang
	defer cancel()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, _, err := Output(exec.CommandContext(ctx, "cat", "/dev/zero"), 1<<20)
	runtime.ReadMemStats(&after)
	if ctx.Err() != nil || !errors.Is(err, ErrBeyond) || !strings.HasSuffix(err.Error(), "cat: it prints more than 1 MiB, the most that is read of it") || len(out) > 1<<20 {
		t.Errorf("%d bytes, %v", len(out), err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
		t.Errorf("it took %d bytes", took)
	}
	if said, err := CombinedOutput(exec.CommandContext(ctx, "sh", "-c", "cat /dev/zero >&2")); ctx.Err() != nil || !errors.Is(err, ErrBeyond) || len(said) > mostSaid {
		t.Errorf("%d bytes, %v", len(said), err)
	}
	if out, said, err := Output(exec.CommandContext(ctx, "sh", "-c", "echo text; echo words >&2"), 100); string(out) != "text\n" || string(said) != "words\n" || err != nil {
		t.Errorf("%q, %q, %v", out, said, err)
	}
}

// A text of a document has the bound of a line, as it is written: with its escapes, and wherever it stands.
func TestTextsHaveABound(t *testing.T) {
	long := strings.Repeat("x", MostLine)
	for text, beyond := range map[string]bool{
		`["` + long + `"]`:                                      false,
		`["` + long + `y"]`:                                     true,
		`[{"a": "b", "` + long + `y": 1}]`:                      true,
		`["` + strings.Repeat(`\"`, MostLine/2) + `", "\\", 1]`: false,
		`["` + strings.Repeat(`\"`, MostLine/2) + `\\"]`:        true,
		`["` + long + `", "` + long + `", "y"]`:                 false,
		`["\\", "` + long + `y"]`:                               true,
	} {
		if err := Texts([]byte(text)); errors.Is(err, ErrBeyond) != beyond || !beyond && err != nil {
			t.Errorf("%.20s… of %d bytes: %v", text, len(text), err)
		}
	}
	if longestText([]byte(`"`+long+`y\`)) == 0 {
		t.Error("a text without an end has no length")
	}
}
