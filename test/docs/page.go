// Package docs compares the pages with the program: every command shown runs
// or names what exists, links lead somewhere, flags and messages are real, and
// packages have a comment.
package docs

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// root is the tree, from this folder.
const root = "../.."

// page is one .md file.
type page struct {
	name   string   // from the root
	text   string   // without code blocks
	blocks []block  // code blocks, fenced or indented
	spans  []string // code within lines
}

// names says whether a command or other code of the page has a file or folder.
func (p page) names(file string) bool {
	in := func(text string) bool { return strings.Contains(text, file) }
	return slices.ContainsFunc(p.spans, in) || slices.ContainsFunc(p.blocks, func(b block) bool { return in(b.text) })
}

type block struct {
	language string // of the fence; "indented" without one
	text     string
}

var (
	fence    = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")
	indented = regexp.MustCompile(`(?m)(?:^    \S.*\n)+`)
	span     = regexp.MustCompile("`([^`]+)`")
)

// pages are the .md files of the tree that git would keep.
func pages() ([]page, error) {
	var list []page
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || generated(name)) {
			return fs.SkipDir
		}
		if d.IsDir() || filepath.Ext(name) != ".md" {
			return nil
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		list = append(list, parse(name, string(text)))
		return nil
	})
	return list, err
}

// generated are folders that a run or make leaves behind.
func generated(folder string) bool {
	parent, name := filepath.Split(folder)
	return folder == "man" || parent == "results/" && name != "literature" && name != "mutants" && name != "history" && name != "slurm" && name != "torture" && name != "neon-model" && name != "kernel-mutants" && name != "fuzz" && name != "fresh" && name != "growth" &&
		!strings.HasPrefix(name, "h100-") && !strings.HasPrefix(name, "h200-") && !strings.HasPrefix(name, "xeon-") && !strings.HasPrefix(name, "epyc-") && !strings.HasPrefix(name, "tuning-")
}

func parse(name, text string) page {
	p := page{name: name}
	text = fence.ReplaceAllStringFunc(text, func(all string) string {
		m := fence.FindStringSubmatch(all)
		p.blocks = append(p.blocks, block{m[1], m[2]})
		return ""
	})
	p.text = indented.ReplaceAllStringFunc(text, func(all string) string {
		p.blocks = append(p.blocks, block{"indented", all})
		return ""
	})
	for _, m := range span.FindAllStringSubmatch(p.text, -1) {
		p.spans = append(p.spans, strings.Join(strings.Fields(m[1]), " "))
	}
	return p
}

// programs are those that the pages may show.
var programs = []string{"bench", "make", "go", "ssh", "scp", "cd", "cc", "git", ".", "sudo", "dpkg", "apt", "jetson_clocks"}

// command is one command line without what the page says beside it.
type command struct {
	text  string
	words []string // after assignments and sudo, without quotes
}

var (
	beside     = regexp.MustCompile(`(\s{2,}|\s+#\s).*$`)
	assignment = regexp.MustCompile(`^[A-Z_]+=`)
	word       = regexp.MustCompile(`(?:[^\s"']|"[^"]*"|'[^']*')+`)
)

func parseCommand(line string) command {
	text := beside.ReplaceAllString(strings.TrimSpace(line), "")
	c := command{text: text, words: word.FindAllString(text, -1)}
	for len(c.words) > 0 && (assignment.MatchString(c.words[0]) || c.words[0] == "sudo") {
		c.words = c.words[1:]
	}
	for i, w := range c.words {
		c.words[i] = strings.Trim(w, `"'`)
	}
	return c
}

// program is the command's first word; the arm64 binary is bench too, and so
// is the example of a program outside this tree.
func (c command) program() string {
	if len(c.words) == 0 {
		return ""
	}
	switch w := c.words[0]; w {
	case "./bench", "./bench-arm64", "./mine":
		return "bench"
	default:
		for _, folder := range []string{"tools", "lab"} {
			if strings.HasPrefix(w, folder+"/") {
				return folder
			}
		}
		return w
	}
}

// commands are the lines of a block that is for a shell: one that says so, an
// indented one, or one without a language in which a line starts like a command.
func (b block) commands() []command {
	if !slices.Contains([]string{"", "sh", "indented"}, b.language) {
		return nil
	}
	var list []command
	known := b.language != ""
	for line := range strings.Lines(strings.ReplaceAll(b.text, "\\\n", " ")) {
		if c := parseCommand(strings.TrimRight(line, "\n")); c.text != "" {
			list = append(list, c)
			known = known || slices.Contains(programs, c.program())
		}
	}
	if !known {
		return nil
	}
	return list
}

// placeholder reports whether the reader replaces a word.
func placeholder(word string) bool {
	return strings.ContainsAny(word, "…<·") || regexp.MustCompile(`\b([A-Z]{2,}[0-9]?|X)\b`).MatchString(word) && !strings.Contains(word, "=")
}
