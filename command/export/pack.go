package export

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/safefile"
	"example.org/bench/internal/terminal"
)

// ofResults are the files by which verbs recognise a run, a search, a comparison in turns and a replay.
var ofResults = []string{record.InfoFile, "tune.json", experiment.TurnsFile, "replay.csv"}

// ErrNoResults is the error for a folder without results.
var ErrNoResults = errors.New("holds no results")

// pack writes the files of a results' folder as one archive to a file below out; loss says what is left out. The
// same files always give the same bytes. It is an error if they exceed the bounds of an archive.
func pack(dir, out string) (file, loss string, err error) {
	names, journals, drawn := packable(dir)
	if !slices.ContainsFunc(names, func(name string) bool { return slices.Contains(ofResults, name) }) {
		return "", "", fmt.Errorf("%s %w; want a folder with one of %s", dir, ErrNoResults, strings.Join(ofResults, ", "))
	}
	folder, err := safefile.MakeFolder(out)
	if err != nil {
		return "", "", err
	}
	defer folder.Close()
	name := NameOf(dir) + bounded.ZipEnding
	c := &content{make: func(w io.Writer) error { return writeArchive(w, dir, names) }}
	if err := folder.Write(name, c); err != nil {
		return "", "", err
	}
	if _, err := bounded.ReadZip(folder.Path(name)); err != nil { // larger than what can be read again
		return "", "", errors.Join(fmt.Errorf("%w: keep the folder", err), folder.Remove(name))
	}
	var left []string
	if drawn > 0 {
		left = append(left, terminal.Count(drawn, "figure")+", which bench plot draws")
	}
	if journals > 0 {
		left = append(left, terminal.Count(journals, "journal"))
	}
	if len(left) > 0 {
		loss = "left out: " + strings.Join(left, "; ")
	}
	return folder.Path(name), loss, nil
}

// packable returns the files to pack, by their names in the folder. It leaves out and counts figures, and journals
// whose results are in other files.
func packable(dir string) (names []string, journals, drawn int) {
	all := bounded.Names(dir)
	has := func(name string) bool { return slices.Contains(all, filepath.Join(dir, name)) }
	for _, full := range all {
		name := filepath.ToSlash(strings.TrimPrefix(full, filepath.Clean(dir)+string(filepath.Separator)))
		switch {
		case slices.Contains([]string{".svg", ".png", ".pdf"}, path.Ext(name)):
			drawn++
		case strings.HasPrefix(name, "journal") && (has(record.InfoFile) || has("tune.json")):
			journals++
		default:
			names = append(names, name)
		}
	}
	return names, journals, drawn
}

func writeArchive(w io.Writer, dir string, names []string) error {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, name := range names {
		method := zip.Deflate
		if path.Ext(name) == ".gz" {
			method = zip.Store
		}
		to, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err != nil {
			return err
		}
		text, err := bounded.ReadFile(filepath.Join(dir, name), bounded.MostArchive)
		if err != nil {
			return err
		}
		if _, err := to.Write(text); err != nil {
			return err
		}
	}
	return z.Close()
}
