package manual

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Indented lines stay as they are, capitals are headings, and what Markdown would take for
// its own is text.
func TestWrite(t *testing.T) {
	root := &cobra.Command{Use: "bench"}
	verb := &cobra.Command{Use: "run CONFIG", Short: "Run *all*", Long: "Run runs a_b_c.\n  --as is   here\n\nEXIT STATUS\n  0    good", Run: func(*cobra.Command, []string) {}}
	verb.Flags().String("out", "", "folder <DIR>")
	root.AddCommand(verb)
	dir := filepath.Join(t.TempDir(), "man1")
	if err := Write(root, "bench v1", dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "bench-run.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"bench v1" "bench"`, "Run runs a_b_c.", "\n.EX\n  --as is   here", ".SH EXIT STATUS", "Run *all*", "folder <DIR>"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Write(root, "bench v1", filepath.Join(file, "man1")); err == nil {
		t.Error("pages below a file")
	}
}
