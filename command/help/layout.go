package help

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/internal/terminal"
)

// groups are what one wants of the program, and the verbs for it, in the order in which they are listed.
var groups = []struct {
	title string
	verbs []string
}{
	{"Measure", []string{"run", "verify", "energy", "judge", "serve"}},
	{"Compare", []string{"compare", "ab", "history", "merge"}},
	{"Tune", []string{"tune", "predict"}},
	{"Look at results", []string{"report", "plot", "why", "export", "boards"}},
	{"Before a run", []string{"new", "list", "validate", "plan", "schema"}},
	{"Machines", []string{"doctor", "sensors", "modes", "board", "fleet"}},
	{"For those who study tuners", []string{"replay", "transfer", "import"}},
	{"The program itself", []string{"help", "version", "completion", "man"}},
}

// most is the largest number of characters in a line of help: longer lines are hard to read.
const most = 100

// Arrange puts the verbs of a program into groups, breaks the lines of its help by the terminal, and adds
// the topics.
func Arrange(root *cobra.Command) {
	cobra.EnableCommandSorting = false
	addTopics(root)
	for _, g := range groups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, name := range g.verbs {
			verbs := root.Commands()
			if i := slices.IndexFunc(verbs, func(v *cobra.Command) bool { return v.Name() == name }); i >= 0 {
				verb := verbs[i]
				verb.GroupID = g.title
				root.RemoveCommand(verb) // to the end of the list
				root.AddCommand(verb)
			}
		}
	}
	printed := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		out := c.OutOrStdout()
		var text bytes.Buffer
		long := c.Long
		c.Long = paragraphs(long)
		c.SetOut(&text)
		printed(c, args)
		c.SetOut(nil) // as before: a verb prints where the program does
		if !c.HasParent() {
			c.SetOut(out)
		}
		c.Long = long
		width := terminal.Width(out)
		if width == 0 || width > most {
			width = most
		}
		fmt.Fprint(out, terminal.Wrap(text.String(), width))
	})
}

// paragraphs joins the lines of each paragraph of a text, so that they break anew; lines that are indented, or in a
// paragraph with such, stay.
func paragraphs(text string) string {
	blocks := strings.Split(text, "\n\n")
	for i, b := range blocks {
		if !strings.Contains(b, "\n ") && !strings.HasPrefix(b, " ") {
			blocks[i] = strings.ReplaceAll(b, "\n", " ")
		}
	}
	return strings.Join(blocks, "\n\n")
}
