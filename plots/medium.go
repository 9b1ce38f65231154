package plots

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"example.org/bench/internal/safefile"
)

// Medium is the medium for which figures are drawn. A figure is laid out on a page of the medium's width and
// height, with texts of 9 to 13 points, and then scaled.
type Medium struct {
	Name, Doc string
	Folder    string // in a folder of results
	// width and height are those of the layout; a figure may be higher.
	width, height vg.Length
	scale         float64
	rows          int // of charts in one figure, with room for a caption and text; 0: any
	// print leaves out titles, which papers set as captions.
	print bool
}

// The media. The widths of paper are those of a column and of a page of two columns
// (IEEE's: 3.5 and 7.16 inches), with ticks of 7.5 points; slides are 16 by 9.
var (
	Screen    = Medium{Name: "screen", Folder: Folder, Doc: "8 inches wide, with titles", width: 8 * vg.Inch, height: 4.8 * vg.Inch, scale: 1}
	Paper     = Medium{Name: "paper", Folder: "paper", Doc: "a column of a paper, 3.5 inches", width: 3.5 / 0.75 * vg.Inch, height: 3.3 * vg.Inch, scale: 0.75, rows: 2, print: true}
	PaperWide = Medium{Name: "paper-wide", Folder: "paper-wide", Doc: "both columns of a paper, 7.16 inches", width: 7.16 / 0.75 * vg.Inch, height: 4.4 * vg.Inch, scale: 0.75, rows: 2, print: true}
	Slides    = Medium{Name: "slides", Folder: "slides", Doc: "13.33 by 7.5 inches, 16:9, with titles", width: 13.33 / 1.9 * vg.Inch, height: 7.5 / 1.9 * vg.Inch, scale: 1.9, rows: 1}
)

// Media returns all media.
func Media() []Medium { return []Medium{Screen, Paper, PaperWide, Slides} }

// MediaNames returns the names of all media.
func MediaNames() (names []string) {
	for _, m := range Media() {
		names = append(names, m.Name)
	}
	return names
}

// String returns the medium's name, as the value of a flag.
func (m *Medium) String() string { return m.Name }

// Set sets the medium by its name.
func (m *Medium) Set(name string) error {
	i := slices.Index(MediaNames(), name)
	if i < 0 {
		return fmt.Errorf("want %s", strings.Join(MediaNames(), ", "))
	}
	*m = Media()[i]
	return nil
}

// Type returns the word for the value in a flag's help.
func (*Medium) Type() string { return "medium" }

// Write draws figures into the medium's folder in a folder of results, and returns the files. Without figures
// it makes no folder.
func (m Medium) Write(all Figures, results *safefile.Folder) ([]string, error) {
	if len(all) == 0 {
		return nil, nil
	}
	into, err := results.Make(m.Folder)
	if err != nil {
		return nil, err
	}
	defer into.Close()
	return m.WriteInto(all, into)
}

// WriteInto draws figures into a folder of their own.
func (m Medium) WriteInto(all Figures, into *safefile.Folder) ([]string, error) {
	return m.writeAll(all, into, "")
}

// writeAll draws figures and, for print, writes a file of their captions, whose name has a prefix.
func (m Medium) writeAll(all Figures, into *safefile.Folder, prefix string) (written []string, err error) {
	for _, f := range all {
		files, err := m.write(f, into)
		if written = append(written, files...); err != nil {
			return written, err
		}
	}
	if m.print && len(all) > 0 {
		name := prefix + "captions.txt"
		if err := into.Write(name, captions(all)); err != nil {
			return written, err
		}
		written = append(written, into.Path(name))
	}
	return written, nil
}

// formats are the file formats of a figure.
var formats = []string{"svg", "png", "pdf"}

// write writes a figure into dir, in all formats, and returns the files.
func (m Medium) write(f figure, dir *safefile.Folder) (written []string, err error) {
	for _, format := range formats {
		name := f.name + "." + format
		// In memory first: what ends the process meanwhile leaves no file unfinished.
		var b bytes.Buffer
		if _, err := (rendered{f, format, m}).WriteTo(&b); err != nil {
			return written, fmt.Errorf("draw %s: %w", dir.Path(name), err)
		}
		if err := dir.Write(name, &b); err != nil {
			return written, err
		}
		written = append(written, dir.Path(name))
	}
	return written, nil
}

// captions are the titles of figures that are drawn without them.
type captions []figure

func (all captions) WriteTo(w io.Writer) (n int64, err error) {
	for _, f := range all {
		k, err := fmt.Fprintf(w, "%s: %s. %s.\n", f.name, f.page.title, f.page.note)
		if n += int64(k); err != nil {
			return n, err
		}
	}
	return n, nil
}

// MediaList lists what plots are drawn for.
func MediaList() string {
	var b strings.Builder
	for _, m := range Media() {
		fmt.Fprintf(&b, "  %-10s  %s\n", m.Name, m.Doc)
	}
	return b.String()
}
