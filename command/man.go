package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"bench/framework/record"
	"bench/framework/safefile"
)

// manCommand writes the manual pages of this program, which may have more
// algorithms than bench, from its help.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "man DIR",
		Short: "Write the manual pages, one per verb, into a folder",
		Long: `Man writes bench.1 and one page per verb, bench-VERB.1, into DIR, which it creates. man
reads them from a folder man1 below one that MANPATH names.

EXIT STATUS
  0    written
  1    a page cannot be written
  2    bad usage`,
		Example: `  bench man ~/.local/share/man/man1      then: man bench-run`,
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := safefile.MkdirAll(args[0]); err != nil {
				return &statusError{exitBad, err}
			}
			root := a.root()
			root.DisableAutoGenTag = true
			markdown(root)
			header := doc.GenManHeader{Section: "1", Manual: "bench", Source: "bench " + record.ThisTool().Version}
			if err := doc.GenManTree(root, &header, args[0]); err != nil {
				return &statusError{exitBad, fmt.Errorf("manual pages: %w", err)}
			}
			return nil
		},
	}
}

// special are the characters that Markdown, which cobra's pages pass through,
// would take for its own.
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
