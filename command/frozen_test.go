package command

import (
	"os"
	"path/filepath"
	"testing"
)

// Every journal ever written can be drawn, written as CSVs and exported.
func TestFrozenJournalsAreExported(t *testing.T) {
	const frozen = "../framework/record/testdata/journals"
	list, err := os.ReadDir(frozen)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d journals, %v", len(list), err)
	}
	for _, e := range list {
		text, err := os.ReadFile(filepath.Join(frozen, e.Name(), "journal.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), e.Name())
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "journal.jsonl"), text, 0o666); err != nil {
			t.Fatal(err)
		}
		if status, _, errOut := runIn(t, "plot", "--csv", dir); status != exitGood {
			t.Errorf("plot --csv %s: status %d, %s", e.Name(), status, errOut)
		}
		tables, err := filepath.Glob(filepath.Join(dir, "*.csv"))
		if err != nil || len(tables) == 0 {
			t.Errorf("plot --csv %s: %d tables, %v", e.Name(), len(tables), err)
		}
		pictures, err := filepath.Glob(filepath.Join(dir, "*.png"))
		if err != nil || len(pictures) == 0 {
			t.Errorf("plot --csv %s: no picture, %v", e.Name(), err)
		}
		for _, format := range []string{"csv", "json", "parquet", "benchfmt"} {
			out := filepath.Join(t.TempDir(), format)
			status, _, errOut := runIn(t, "export", "--to", format, dir, "--out", out)
			files, err := os.ReadDir(out)
			if status != exitGood || err != nil || len(files) != 1 {
				t.Errorf("export --to %s %s: status %d, %v, %v, %s", format, e.Name(), status, files, err, errOut)
			}
		}
	}
}
