package recorded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestManifestContradicts: parameters that the file has not are an error,
// what else differs or is left open a note.
func TestManifestContradicts(t *testing.T) {
	dir := t.TempDir()
	space, manifest := filepath.Join(dir, "small.csv"), filepath.Join(dir, "manifest.json")
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(space, smallSpace) // valid are a, b = 4, 0 and 4, 1; 2, 1 is invalid
	const both = `"parameters": {"a": [4, 2], "b": [1, 0]}`
	for entry, want := range map[string]struct{ err, note string }{
		`{"small": {` + both + `, "constraints": ["a > 1", "b == 0 or a / b > 1"], "configs": 3, "valid": 2, "invalid": 1, "optimum_ms": 1.25}}`: {},
		`{"small": {` + both + `, "constraints": ["a == 4"]}}`:                                         {}, // the invalid row may violate it
		`{"small": {` + both + `, "constraints": null, "within_5pct": 1}}`:                             {},
		`{"small": {` + both + `, "labels": {"b": ["x", "y"]}, "constraints": ["a > 1 or b == 'y'"]}}`: {},
		`{"other": {` + both + `}}`: {note: "small is not in the manifest"},
		`{}`:                        {note: "small is not in the manifest"},
		`{"small": {}}`:             {note: "no values of a, b"},
		`{"small": {"parameters": {"a": [4, 2]}}}`:                      {note: "no values of b"},
		`{"small": {` + both + `, "constraints": "see the paper"}}`:     {note: "see the paper"},
		`{"small": {"parameters": {"a": [4, 2], "c": [1]}}}`:            {err: "c is not a column of the file, which has a, b"},
		`{"small": {` + both + `, "configs": 5}}`:                       {note: "the manifest's configs is 5, and the file has 3 rows"},
		`{"small": {` + both + `, "valid": 3}}`:                         {note: "valid is 3"},
		`{"small": {` + both + `, "optimum_ms": 1.3}}`:                  {note: "optimum_ms is 1.3, and the least time of the file is 1.25"},
		`{"small": {` + both + `, "optimum_ms": 1.2500001}}`:            {}, // rounded
		`{"small": {` + both + `, "optimum_ms": 0}}`:                    {note: "optimum_ms is 0"},
		`{"small": {` + both + `, "constraints": ["a > 1", "b == 0"]}}`: {note: "row 3 is valid and violates the manifest's constraint b == 0"},
		`{"small": {` + both + `, "constraints": ["a >"]}}`:             {note: "column 4"},
		`{"small": {` + both + `, "constraints": ["c > 1"]}}`:           {note: "c is not known"},
		`{"small": {` + both + `, "labels": {"b": ["x"]}}}`:             {err: "1 label and 2 values"},
		`[1]`:                                   {err: "the file holds a list [1]; want an object of spaces by name"},
		`null`:                                  {err: "the file holds null; want an object of spaces"},
		`{"small": [1]}`:                        {err: "small: the space is a list [1]; want an object with file"},
		`{"small": {"parameters": {"a": "4"}}}`: {err: `small: parameters is an object {"a": "4"}; want an object with a list of numbers`},
		`{"small": {` + both + `, "constraints": [1]}}`:                {err: "constraints is a list [1]; want a list of Python expressions"},
		`{"small": {` + both + `, "configs": 1.5}}`:                    {note: "configs is 1.5, and the file has 3 rows"},
		`{"small": {` + both + `, "configs": 3.0, "valid": 2.0}}`:      {},
		`{"small": {` + both + `, "device": {"name": "x"}}}`:           {note: "the manifest's device is an object"},
		`{"small": {` + both + `}, "other": {"parameters": 1}}`:        {},
		`{"small": {` + both + `, "optimum_ms": -1.25}}`:               {note: "optimum_ms is -1.25"},
		`{"small": {` + both + `, "labels": {"a": ["x", "y"]}}}`:       {err: "a has labels, which stand for the values 0, 1 and so on, and its values are [4 2]"},
		`{"small": {"parameters": "` + strings.Repeat("x", 38) + `"}}`: {err: `parameters is a text "` + strings.Repeat("x", 38) + `"; want`},
		`{"small": {"parameters": "` + strings.Repeat("x", 39) + `"}}`: {err: "parameters is a text; want"},
		`{"small": `: {err: "unexpected end"},
	} {
		write(manifest, entry)
		m, err := ReadManifest(manifest)
		var r *Space
		if err == nil {
			r, err = Open(space, m)
		}
		switch {
		case want.err != "":
			if err == nil || !strings.Contains(err.Error(), want.err) || strings.Contains(err.Error(), "Go ") {
				t.Errorf("%s: %v; want an error with %q", entry, err, want.err)
			}
		case err != nil:
			t.Errorf("%s: %v", entry, err)
		default:
			if notes := strings.Join(r.Notes, "; "); (notes == "") != (want.note == "") || !strings.Contains(notes, want.note) {
				t.Errorf("%s: notes %q, want %q", entry, notes, want.note)
			}
		}
	}
}
