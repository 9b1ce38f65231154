package export

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"example.org/bench/framework/record"
	"example.org/bench/test/cells"
)

// pieced returns a table of so many pieces of rows. It calls before before it makes each
// piece, with what is left of the pieces made so far.
func pieced(pieces int, before func(made int, rows []weak.Pointer[[]string], texts []weak.Pointer[byte])) *record.Tidy {
	const each = 50
	return &record.Tidy{
		Columns: []record.TidyColumn{{Name: "text"}, {Name: "same"}, {Name: "N", Kind: record.IntCell}, {Name: "time_s", Kind: record.FloatCell}, {Name: "converged", Kind: record.BoolCell}},
		Pieces: func(yield func([][]string, error) bool) {
			var kept []weak.Pointer[[]string]
			var texts []weak.Pointer[byte]
			for n := range pieces {
				before(n, kept, texts)
				rows := make([][]string, each)
				for i := range rows {
					// Long enough to be an allocation of its own.
					same := strings.Repeat("the same text ", 20)
					rows[i] = []string{fmt.Sprintf("text %d of piece %d", i, n), same, fmt.Sprint(i), fmt.Sprint(float64(i) / 7), "true"}
					texts = append(texts, weak.Make(unsafe.StringData(same)))
				}
				kept = append(kept, weak.Make(&rows[0]))
				if !yield(rows, nil) {
					return
				}
			}
		},
	}
}

// alive counts what is not yet collected.
func alive[T any](list []weak.Pointer[T]) (n int) {
	for _, p := range list {
		if p.Value() != nil {
			n++
		}
	}
	return n
}

// A table is written in pieces. While one is made, at most the one before it is held; of a
// text that rows share, that piece's copy and one more.
func TestPiecesAreNotKept(t *testing.T) {
	for to, f := range formats {
		if to == "benchfmt" { // which has no table
			continue
		}
		t.Run(to, func(t *testing.T) {
			table := pieced(6, func(made int, rows []weak.Pointer[[]string], texts []weak.Pointer[byte]) {
				runtime.GC()
				if n := alive(rows); n > 1 {
					t.Errorf("%d of %d pieces are held", n, made)
				}
				if n := alive(texts); n > len(texts)/max(made, 1)+1 {
					t.Errorf("%d of %d texts are held", n, len(texts))
				}
			})
			if _, err := f.write(discard{}, "", nil, table); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// discard takes what is written.
type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// A file of text grows while its table is made: the whole of it is never held.
func TestFileGrowsWithItsTable(t *testing.T) {
	for _, to := range []string{"csv", "json"} {
		out := t.TempDir()
		grown := int64(0)
		table := pieced(20, func(made int, _ []weak.Pointer[[]string], _ []weak.Pointer[byte]) {
			entries, err := os.ReadDir(out)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				if info, err := e.Info(); err == nil {
					grown = max(grown, info.Size())
				}
			}
		})
		file, _, err := write("r", nil, table, to, out)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if grown < info.Size()*9/10 {
			t.Errorf("%s: %d of %d bytes were in the file before the last piece was made", to, grown, info.Size())
		}
	}
}

// What cannot be written leaves no file, and is named without the file.
func TestTableThatFails(t *testing.T) {
	out := t.TempDir()
	table := pieced(1, func(int, []weak.Pointer[[]string], []weak.Pointer[byte]) {})
	broken := errors.New("a row is broken")
	table.Pieces = func(yield func([][]string, error) bool) { yield(nil, broken) }
	for to := range formats {
		if to == "benchfmt" {
			continue
		}
		if _, _, err := write(filepath.Join(out, "r"), nil, table, to, out); err != broken {
			t.Errorf("%s: %v, want %v", to, err, broken)
		}
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

// The error for a run whose samples cannot be read names the run, not the file to write.
func TestRunWithoutSamples(t *testing.T) {
	dir, out := cells.Run(t, 1), t.TempDir()
	r, err := record.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(dir, "fft_samples.csv.gz")
	if err := os.WriteFile(damaged, []byte("point\nx\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Write(dir, r, "benchfmt", out, false); err == nil || !strings.HasPrefix(err.Error(), damaged+": ") {
		t.Errorf("%v, want %s named", err, damaged)
	}
	if err := os.Chmod(out, 0o555); err != nil {
		t.Fatal(err)
	}
	_, _, err = Write(dir, r, "csv", out, false)
	if os.Geteuid() != 0 && (err == nil || !strings.HasPrefix(err.Error(), "write "+filepath.Join(out, "fft.csv")+": ")) {
		t.Errorf("%v, want the file that cannot be written named", err)
	}
}
