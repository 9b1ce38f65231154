// Package manual writes the manual pages of a command line from its help.
package manual

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"example.org/bench/internal/safefile"
)

// Write writes the pages of a command and of all below it, in section 1, into a folder, which it makes.
// It changes the command's help on the way. source is the program with its version.
func Write(root *cobra.Command, source, dir string) error {
	if err := safefile.MkdirAll(dir); err != nil {
		return err
	}
	root.DisableAutoGenTag = true
	markdown(root)
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Manual: root.Name(), Source: source}, dir); err != nil {
		return fmt.Errorf("manual pages: %w", err)
	}
	return nil
}

// special escapes the characters that Markdown, which cobra's pages pass through, would interpret.
var special = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "<", `\<`, ">", `\>`, "[", `\[`, "]", `\]`, "`", "\\`", "#", `\#`)

// markdown turns the help of a command and of all below it into Markdown:
// indented lines stay as they are, and lines in capitals become headings.
func markdown(c *cobra.Command) {
	c.Short, c.Long = special.Replace(c.Short), paragraphs(c.Long)
	c.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = special.Replace(f.Usage) })
	for _, sub := range c.Commands() {
		if sub.Name() != "completion" { // cobra's own help is Markdown
			markdown(sub)
		}
	}
}

func paragraphs(help string) string {
	var b strings.Builder
	verbatim := false
	for line := range strings.Lines(help) {
		indented := strings.HasPrefix(line, "  ")
		if indented != verbatim && strings.TrimSpace(line) != "" {
			b.WriteString("\n")
			verbatim = indented
		}
		switch text := strings.TrimSpace(line); {
		case indented:
			b.WriteString("    " + line)
		case text != "" && text == strings.ToUpper(text):
			b.WriteString("# " + text + "\n")
		default:
			b.WriteString(special.Replace(line))
		}
	}
	return b.String()
}
