// Package published finds the published results of the tree: folders in results, and archives of such
// folders, which bench export --to zip writes.
package published

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"example.org/bench/internal/bounded"
)

// groups are how the names of published folders begin; what else lies in results is the user's own.
var groups = []string{"h100-", "h200-", "epyc-", "xeon-", "tuning-", "literature"}

// Path is where the results of that name lie, an archive where the results are one, though a folder beside it has
// their pages.
func Path(root, name string) string {
	at := filepath.Join(root, "results", name)
	if zip := at + bounded.ZipEnding; bounded.Folder(at) == at {
		if _, err := os.Stat(zip); err == nil {
			return zip
		}
	}
	return at
}

// Name is that of the results at a path.
func Name(root, at string) string {
	name, err := filepath.Rel(filepath.Join(root, "results"), at)
	if err != nil {
		return at
	}
	return bounded.Folder(filepath.ToSlash(name))
}

// Folders are the folders and archives that hold one of the files, such as run.json.
func Folders(root string, files ...string) (list []string, err error) {
	results := filepath.Join(root, "results")
	err = filepath.WalkDir(results, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || at == results {
			return err
		}
		name := Name(root, at)
		if !slices.ContainsFunc(groups, func(g string) bool { return strings.HasPrefix(name, g) }) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if entry.IsDir() || bounded.Folder(at) != at {
			if slices.ContainsFunc(files, func(f string) bool { _, err := bounded.Stat(filepath.Join(at, f)); return err == nil }) {
				list = append(list, at)
			}
		}
		return nil
	})
	return list, err
}

// Below are the names of the results in a folder of results/NAME.
func Below(root, name string) (list []string) {
	entries, err := os.ReadDir(filepath.Join(root, "results", name))
	if err != nil {
		return nil // of a file, or of a printed table
	}
	for _, e := range entries {
		if e.IsDir() || bounded.Folder(e.Name()) != e.Name() {
			list = append(list, path.Join(name, bounded.Folder(e.Name())))
		}
	}
	return slices.Compact(list)
}
