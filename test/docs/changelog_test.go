package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestChangelogJoins: a release joins the files of changes into CHANGELOG.md, each below a subject, and removes them; the next
// release begins a section of its own.
func TestChangelogJoins(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"changelog", "tools/changelog", "CHANGELOG.md"} {
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", "-r", filepath.Join(root, name), to).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	release := func(number string) (status int, out string) {
		return run(dir, filepath.Join(dir, "tools/changelog"), number)
	}
	changes := func() []string {
		files, _ := filepath.Glob(filepath.Join(dir, "changelog/*.md"))
		return files
	}
	text := func() string {
		b, err := os.ReadFile(filepath.Join(dir, "CHANGELOG.md"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	var items []string
	for _, file := range changes() {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if _, item, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(line, "- [") && !strings.HasPrefix(line, "- [FIX]") && filepath.Base(file) != "README.md" {
				items = append(items, strings.TrimSpace(item))
			}
		}
	}
	before := text()
	if status, out := release("1.0"); status != 1 || !strings.Contains(out, "usage: tools/changelog NUMBER") {
		t.Errorf("a bad number: status %d\n%s", status, out)
	}
	if status, out := release("1.0.0"); status != 0 {
		t.Fatalf("status %d\n%s", status, out)
	}
	got := text()
	for _, item := range items {
		if strings.Count(got, "- "+item) != 1 {
			t.Errorf("%q is not joined once", item)
		}
	}
	for line := range strings.Lines(before) {
		if !strings.HasPrefix(line, "Nothing is released") && line != "## Unreleased\n" && !strings.Contains(got, line) {
			t.Errorf("%q of the changelog is gone", line)
		}
	}
	if strings.Contains(got, "Unreleased") || strings.Contains(got, "Nothing is released") || strings.Contains(got, "\n\n\n") || !strings.Contains(got, "\n## 1.0.0, 2") {
		t.Errorf("the changelog is\n%.600s", got)
	}
	if status, notes := run(dir, filepath.Join(dir, "tools/changelog"), "--notes", "1.0.0", "https://example.org/v1"); status != 0 ||
		!strings.HasPrefix(notes, "### Measure\n") || !strings.Contains(notes, "](https://example.org/v1/docs/board") || strings.Contains(notes, "](docs/") {
		t.Errorf("notes: status %d\n%.300s", status, notes)
	}
	if status, notes := run(dir, filepath.Join(dir, "tools/changelog"), "--notes", "1.0.1"); status != 1 || notes != "changelog: CHANGELOG.md has no release 1.0.1: run tools/changelog 1.0.1 first\n" {
		t.Errorf("notes of no release: status %d\n%s", status, notes)
	}
	if left := changes(); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "changelog/new.md"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("a change without a mark\n")
	if status, out := release("1.0.1"); status != 1 || !strings.Contains(out, "changelog/new.md: want an item") {
		t.Errorf("without a mark: status %d\n%s", status, out)
	}
	write("- [FEATURE] tune: has one more\n  thing.\n- [FIX] run: was wrong.\n")
	if status, out := release("1.0.1"); status != 0 {
		t.Errorf("status %d\n%s", status, out)
	}
	if next := text(); !strings.Contains(next, "### Tune\n\n- tune: has one more thing.\n\n## 1.0.0, 2") || strings.Contains(next, "was wrong") || !strings.HasSuffix(next, got[strings.Index(got, "## 1.0.0"):]) {
		t.Errorf("the next release is\n%.700s", next)
	}
}
