package board

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"example.org/bench/command/inspect"
	"example.org/bench/framework/machine"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
	"example.org/bench/report"
)

// write packs the runs of a folder with the machine's files, lists what it packed, and writes file and page.
func (p Program) write(ctx context.Context, folder, root string, d Description) error {
	clean, err := safefile.TempFolder("bench-board-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(clean)
	private := inspect.PrivateOf(root)
	hide := hidden{private: private, known: map[string]string{}}
	files := map[string][]byte{}
	var runs []string
	for _, name := range d.Runs {
		to := filepath.Join(clean, name)
		if err := record.Copy(filepath.Join(folder, name), to, hide.part); err != nil {
			return err
		}
		if err := collect(files, to, path.Join(runsFolder, name)); err != nil {
			return err
		}
		runs = append(runs, to)
	}
	bundle, err := inspect.Examine(ctx, p.Registry, root).Bundle(root, record.ThisTool().Line())
	if err != nil {
		return err
	}
	for _, f := range bundle.Files {
		files[path.Join(machineFolder, f.Name)] = f.Text
	}
	d.Format, d.Tool, d.Made, d.Prefix = format, record.ThisTool(), record.Now().UTC().Truncate(time.Second), workerPrefix()
	bounded.EachText(&d, hide.text)
	said, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	files[descriptionFile] = append(said, '\n')
	page, err := report.Read(runs, report.Options{Title: "bench board: " + boardName(root), Made: record.ThisTool().String()})
	if err != nil {
		return err
	}
	for name, text := range files {
		if left := private.Left(text); left != "" {
			p.note("look at %s before you send it: it has the word %q, which also names this machine or a user", name, left)
		}
	}
	if _, err := fmt.Fprintf(p.Out, "\n%s, for %s\n", list(files), folder+zipEnding); err != nil {
		return err
	}
	a := &archive{files: files}
	if err := safefile.Write(folder+zipEnding, a); err != nil {
		return err
	}
	if err := safefile.Write(folder+pageEnding, page); err != nil {
		return err
	}
	f, err := Read(folder + zipEnding)
	if err != nil {
		return fmt.Errorf("%w: what was written cannot be read back", err)
	}
	defer f.Close()
	_, err = fmt.Fprintf(p.Out, "%s: to send; its digest is %s\n%s: a page of it\n", folder+zipEnding, f.Digest, folder+pageEnding)
	return err
}

// boardName names the machine whose files are below root.
func boardName(root string) string {
	facts, _ := machine.Tree(root).Facts()
	return cmp.Or(facts.Board, facts.CPU)
}

// workerPrefix names the program that workers run under.
func workerPrefix() string {
	words := strings.Fields(os.Getenv("BENCH_WORKER_PREFIX"))
	if len(words) == 0 {
		return ""
	}
	return filepath.Base(words[0])
}

// hidden removes what names machine and users from the parts of a run.
type hidden struct {
	private *inspect.Private
	known   map[string]string
}

func (h hidden) text(s string) string {
	clean, ok := h.known[s]
	if !ok {
		clean = h.private.Hide(s)
		h.known[s] = clean
	}
	return clean
}

// part is what record.Copy changes.
func (h hidden) part(part any) {
	switch x := part.(type) {
	case *record.Header:
		x.Config = filepath.Base(x.Config)
	case *record.Info:
		x.Name, x.Command, x.Config.Path = "", []string{"bench", "board"}, filepath.Base(x.Config.Path)
		for _, d := range x.Devices {
			if d.Facts != nil {
				d.Facts.UUID, d.Facts.PCIBusID = "", ""
			}
			if d.Sharing != nil {
				for i := range d.Sharing.Processes {
					d.Sharing.Processes[i].Name = ""
				}
			}
		}
	}
	i, ok := part.(*record.Info)
	if !ok {
		bounded.EachText(part, h.text)
		return
	}
	is, copied := i.Machine, i.CopiedFiles // from its files, whose words stay
	bounded.EachText(i, h.text)
	i.Machine, i.CopiedFiles = is, copied
}

// collect takes the files of a folder under another name.
func collect(files map[string][]byte, folder, as string) error {
	return filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := bounded.ReadFile(name, bounded.MostArchive)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, name)
		files[path.Join(as, filepath.ToSlash(below))] = text
		return err
	})
}

// list returns the names of the files with their sizes.
func list(files map[string][]byte) string {
	var b strings.Builder
	total := 0
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%8d  %s\n", len(files[name]), name)
		total += len(files[name])
	}
	fmt.Fprintf(&b, "%8d  bytes in %s", total, terminal.Count(len(files), "file"))
	return b.String()
}

// sums returns the text of SHA256SUMS, as sha256sum writes it.
func sums(files map[string][]byte) []byte {
	var b bytes.Buffer
	of := sumsOf(files)
	for _, name := range slices.Sorted(maps.Keys(of)) {
		fmt.Fprintf(&b, "%s  %s\n", of[name], name)
	}
	return b.Bytes()
}

// sumsOf returns the SHA-256 of each file except SHA256SUMS, by name.
func sumsOf(files map[string][]byte) map[string]string {
	of := map[string]string{}
	for name, text := range files {
		if name != sumsFile {
			of[name] = fmt.Sprintf("%x", sha256.Sum256(text))
		}
	}
	return of
}

// digest returns a board file's digest, the SHA-256 of the text of its sums.
func digest(sums []byte) string { return fmt.Sprintf("%x", sha256.Sum256(sums)) }

// archive writes files as a zip archive with their sums. The same files give the same bytes.
type archive struct {
	files map[string][]byte
	sums  []byte // nil: those of the files
}

// WriteTo implements io.WriterTo.
func (a *archive) WriteTo(w io.Writer) (int64, error) {
	if a.sums == nil {
		a.sums = sums(a.files)
	}
	a.files[sumsFile] = a.sums
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return 0, err
		}
		if _, err := f.Write(a.files[name]); err != nil {
			return 0, err
		}
	}
	if err := z.SetComment(digest(a.sums)); err != nil {
		return 0, err
	}
	return 0, z.Close()
}
