// Package boards makes a static site from board files: a first page that compares all, and a page for each.
package boards

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"example.org/bench/command/board"
	"example.org/bench/framework/record"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/report"
)

// firstPage is the file of the site's first page.
const firstPage = "index.html"

// mostFiles bounds the files of a site: each is in memory while the first page is made.
const mostFiles = 500

// Program is what a program gives to the verb.
type Program struct {
	Out    io.Writer
	Refuse func(error) error // makes an error a usage error
	Fail   func(error) error // makes an error a failure
}

// Command returns the verb.
func (p Program) Command() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "boards FILE.zip... --out DIR",
		Short: "A static site of board files: all machines compared, and a page for each",
		Long: `Boards makes a site of files of bench board, which opens from disk and requests
nothing from elsewhere. Its first page has for each algorithm all boards and power
modes with time, rate, share of the ceilings, power and energy; speed-ups over each
board's CPU; ratios to the first board and mode; and which board computes a problem at
a frame rate with least energy. Each board has a page, with its modes compared, and
its runs as bench report shows them. Every board is labelled as what it is: real, guest,
emulated or copied files.

Each file is checked first, as bench board FILE.zip does; one that does not fit ends it.

EXIT STATUS
  0    written
  1    the site cannot be written
  2    bad usage, or a file does not fit
  130  interrupted`,
		Example: `  bench boards tx2.zip orin.zip --out site
  bench boards files/*.zip --out site`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return p.Refuse(errors.New("where to? --out DIR"))
			}
			if _, err := os.Lstat(out); err == nil {
				return p.Refuse(fmt.Errorf("%s is there already; want the name of a new folder, --out", out))
			}
			if len(args) > mostFiles {
				return p.Refuse(fmt.Errorf("%d files: want at most %d", len(args), mostFiles))
			}
			return p.site(args, out)
		},
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "folder for the site")
	return cmd
}

// site reads the files, and writes the pages.
func (p Program) site(files []string, out string) error {
	pages := map[string][]byte{}
	var all []report.Board
	digests, names := map[string]string{}, map[string]int{}
	made := record.ThisTool().String()
	for i, name := range files {
		f, err := board.Read(name)
		if err != nil {
			return p.Refuse(err)
		}
		if other, ok := digests[f.Digest]; ok {
			f.Close()
			return p.Refuse(fmt.Errorf("%s and %s are the same file", other, name))
		}
		digests[f.Digest] = name
		b := about(f, fmt.Sprintf("board-%03d.html", i+1))
		if names[b.Name]++; names[b.Name] > 1 {
			b.Name += fmt.Sprintf(" (%d)", names[b.Name])
		}
		page, err := pageOf(f, b, made)
		if err == nil {
			var text bytes.Buffer
			_, err = page.WriteTo(&text)
			pages[b.File] = text.Bytes()
		}
		f.Close()
		if err != nil {
			return p.Fail(err)
		}
		all = append(all, b)
	}
	var first bytes.Buffer
	if _, err := (report.Page{Document: report.Boards(all, made)}).WriteTo(&first); err != nil {
		return p.Fail(err)
	}
	pages[firstPage] = first.Bytes()
	assets, err := report.Assets()
	if err != nil {
		return p.Fail(err)
	}
	for name, text := range assets {
		pages[path.Join(report.AssetsFolder, name)] = text
	}
	if err := safefile.WriteFiles(out, pages); err != nil {
		return p.Fail(err)
	}
	_, err = fmt.Fprintf(p.Out, "%s: %s\n", filepath.Join(out, firstPage), terminal.Count(len(all), "board"))
	return err
}

// about returns what the first page says of a board.
func about(f *board.File, page string) report.Board {
	gpus := strings.Join(f.GPUs(), "; ")
	return report.Board{Name: f.Board, Kind: f.Kind, File: page, Runs: f.Measured, Facts: []report.Fact{
		{Name: "GPU", Value: gpus}, {Name: "CPU", Value: f.Facts.CPU}, {Name: "system", Value: f.Facts.OS + ", Linux " + f.Facts.Kernel},
		{Name: "power modes", Value: strings.Join(f.Modes, ", ")}, {Name: "date", Value: f.Made.UTC().Format("2006-01-02")}, {Name: "bench", Value: f.Tool.String()},
		{Name: "left out", Value: strings.Join(f.Notes, "; ")}, {Name: "digest", Value: f.Digest}}}
}

// pageOf returns a board's own page.
func pageOf(f *board.File, b report.Board, made string) (report.Page, error) {
	var folders []string
	for _, run := range f.Runs {
		folders = append(folders, f.RunFolder(run))
	}
	d, err := report.Read(folders, report.Options{Title: fmt.Sprintf("%s (%s)", b.Name, b.Kind), Made: made})
	if err != nil {
		return report.Page{}, err
	}
	d.Links = []report.Link{{Title: "All boards", File: firstPage}}
	first := []report.Section{{Title: b.Name, Kind: "board", Verdict: []string{b.Kind}, Facts: b.Facts}}
	if modes := report.Modes(b); modes != nil {
		first = append(first, *modes)
	}
	d.Sections = append(first, d.Sections...)
	return report.Page{Document: d}, nil
}
