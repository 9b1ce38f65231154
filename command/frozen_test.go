package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every journal ever written can be exported; those of each kind can be drawn and written
// as CSVs. What their members are, by number of journal, pictures do not show.
func TestFrozenJournalsAreExported(t *testing.T) {
	const frozen = "../framework/record/testdata/journals"
	list, err := os.ReadDir(frozen)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d journals, %v", len(list), err)
	}
	for _, e := range list {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
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
			if !strings.HasPrefix(e.Name(), "3-members-") {
				isDrawn(t, dir)
			}
			for _, format := range []string{"csv", "json", "parquet", "benchfmt"} {
				out := filepath.Join(t.TempDir(), format)
				status, _, errOut := runIn(t, "export", "--to", format, dir, "--out", out)
				files, err := os.ReadDir(out)
				if status != exitGood || err != nil || len(files) != 1 {
					t.Errorf("export --to %s %s: status %d, %v, %v, %s", format, e.Name(), status, files, err, errOut)
				}
			}
		})
	}
}

// isDrawn sees that plot --csv makes tables and pictures of the journal in dir.
func isDrawn(t *testing.T, dir string) {
	t.Helper()
	if status, _, errOut := runIn(t, "plot", "--csv", dir); status != exitGood {
		t.Errorf("plot --csv %s: status %d, %s", dir, status, errOut)
	}
	for _, files := range []string{"*.csv", "figures/*.png"} {
		if list, err := filepath.Glob(filepath.Join(dir, files)); err != nil || len(list) == 0 {
			t.Errorf("plot --csv %s: %d of %s, %v", dir, len(list), files, err)
		}
	}
}
