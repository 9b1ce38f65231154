package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// workplace is a folder as the reader's of these pages would be: the configs and examples
// of the tree, and runs under the names that the pages give them.
func workplace(t *testing.T, list ...page) string {
	t.Helper()
	dir := t.TempDir()
	for to, from := range map[string]string{
		"configs":                       "configs",
		"algorithms/executable/example": "algorithms/executable/example",
		"results/literature":            "results/literature",
		"results/tuning-front":          "results/tuning-front",
		"results/fft":                   "results/h200-fft-peers",
		"results/h200-fft-peers":        "results/h200-fft-peers",
		"results/h200-iterml":           "results/h200-iterml",
		"results/h200-qr.zip":           "results/h200-qr.zip",
		"results/before":                "results/epyc-fft",
		"results/after":                 "results/epyc-fft",
		"results/before1":               "results/epyc-fft",
		"results/before2":               "results/epyc-fft",
		"results/before3":               "results/epyc-fft",
		"results/after1":                "results/epyc-fft",
		"results/after2":                "results/epyc-fft",
		"results/after3":                "results/epyc-fft",
	} {
		if strings.HasPrefix(to, "results/") && !slices.ContainsFunc(list, func(p page) bool { return p.names(to) }) {
			continue
		}
		if strings.HasSuffix(from, ".zip") {
			text, err := os.ReadFile(filepath.Join(root, from))
			if err == nil {
				err = os.MkdirAll(filepath.Join(dir, filepath.Dir(to)), 0o755)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, to), text, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(root, from))); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// measures changes how a config measures, so that its run is brief: that of another that a
// page shows measures the ceilings.
func measures(t *testing.T, config, settings string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	const measure = `"measure": {`
	if !strings.Contains(string(text), measure) {
		t.Fatalf("no %s in %s", measure, config)
	}
	for _, key := range regexp.MustCompile(`"\w+":`).FindAllString(settings, -1) {
		text = regexp.MustCompile(key+`[^,}]*,`).ReplaceAll(text, nil) // its own
	}
	if err := os.WriteFile(config, []byte(strings.Replace(string(text), measure, measure+settings, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
}
