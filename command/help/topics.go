// Package help lays out what bench help says: verbs in groups by what one wants, lines by the terminal, and the
// references of what the program writes.
package help

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"example.org/bench/docs"
)

// topics are in the order in which they are listed.
var topics = []struct {
	name, about string
	page        *string // Markdown
}{
	{"csv", "the files of a run and their columns", &docs.CSV},
	{"json", "the keys that each verb prints with --json", &docs.JSON},
}

// addTopics lets the program's help print the topics, and a shell complete them. Help refuses words that it does
// not know and names the topics.
func addTopics(root *cobra.Command) {
	help, _, err := root.Find([]string{"help"})
	if err != nil {
		panic("help: " + err.Error()) // cobra makes it
	}
	help.Use = "help [VERB | TOPIC]"
	help.Short = "Print the help of a verb, or a reference"
	help.Long = "Help prints what bench VERB --help does, or the reference that a topic stands for:\n"
	var names []string
	for _, t := range topics {
		names = append(names, t.name)
		help.Long += fmt.Sprintf("\n  bench help %-6s %s", t.name, t.about)
	}
	known, print, verbs := help.Args, help.Run, help.ValidArgsFunction
	help.Args = func(c *cobra.Command, args []string) error {
		if len(args) == 1 && slices.Contains(names, args[0]) {
			return nil
		}
		if err := known(c, args); err != nil {
			return fmt.Errorf("%w; the topics are %s", err, strings.Join(names, " and "))
		}
		return nil
	}
	help.Run = func(c *cobra.Command, args []string) {
		for _, t := range topics {
			if len(args) == 1 && args[0] == t.name {
				write(c.OutOrStdout(), *t.page)
				return
			}
		}
		print(c, args)
	}
	help.ValidArgsFunction = func(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 && slices.Contains(names, args[0]) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list, directive := verbs(c, args, typed)
		for _, t := range topics {
			if len(args) == 0 && strings.HasPrefix(t.name, typed) {
				list = append(list, t.name+"\t"+t.about)
			}
		}
		return list, directive
	}
}

// write prints a page without its marks: tables as columns, links as their words with the page that they
// lead to.
func write(out io.Writer, page string) {
	for _, link := range [][2]string{
		{`\[[^\]]+\.md\]\(([^)#]+)[^)]*\)`, "docs/$1"},
		{`\[([^\]]+)\]\(#[^)]*\)`, "$1"}, // on the page itself
		{`\[([^\]]+)\]\(([^)#]+)[^)]*\)`, "$1 (docs/$2)"},
	} {
		page = regexp.MustCompile(link[0]).ReplaceAllString(page, link[1])
	}
	rule := regexp.MustCompile(`^\|(-+\|)+$`)
	page = strings.NewReplacer("`", "", `\|`, "\x00").Replace(page)
	lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for i, l := range lines {
		switch {
		case rule.MatchString(l), i+1 < len(lines) && rule.MatchString(lines[i+1]): // with the names of the columns
			continue
		case strings.HasPrefix(l, "|"):
			cells := strings.Split(strings.Trim(l, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			if cells[0] == "" { // a remark on the table
				cells = cells[1:]
			}
			l = "  " + strings.Join(cells, "\t")
		default:
			w.Flush()
			l = strings.TrimLeft(l, "# ")
		}
		fmt.Fprintln(w, strings.ReplaceAll(l, "\x00", "|"))
	}
	w.Flush()
}
