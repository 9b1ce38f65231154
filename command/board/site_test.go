package board_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/bench/command/board"
	"example.org/bench/report"
)

// dataOf returns the data in a page of a site, and the length of the rest.
func dataOf(t *testing.T, page string) (data []byte, around int) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte(`id="data">`))
	data, _, _ = bytes.Cut(rest, []byte("</script>"))
	return data, len(text) - len(data)
}

func sectionsOf(t *testing.T, page string) []report.Section {
	t.Helper()
	data, _ := dataOf(t, page)
	var d struct {
		Sections []struct {
			Title, Kind string
			Verdict     []string
			Tables      []struct {
				Title string
				Rows  [][]string
			}
		}
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatal(err)
	}
	var sections []report.Section
	for _, s := range d.Sections {
		section := report.Section{Title: s.Title, Kind: s.Kind, Verdict: s.Verdict}
		for _, x := range s.Tables {
			section.Tables = append(section.Tables, report.Table{Title: x.Title, Rows: x.Rows})
		}
		sections = append(sections, section)
	}
	return sections
}

// site makes a site of a file and of another of a like board, and has bad lists refused.
func site(t *testing.T, file string) {
	dir := t.TempDir()
	text, err := board.Forged(file, true, func(f map[string][]byte) {
		swap(t, f, "board.json", `"runs": [`, `"notes": ["<b>later</b>"], "runs": [`)
	})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "other.zip"), string(text))
	write(t, filepath.Join(dir, "bad.zip"), string(text[:len(text)-100]))
	status, out, fault := bench(t, dir, nil, "boards", file, "other.zip", "--out", "site")
	if status != 0 || fault != "" || out != "site/index.html: 2 boards\n" {
		t.Fatalf("status %d\n%s%s", status, out, fault)
	}
	first := sectionsOf(t, filepath.Join(dir, "site/index.html"))
	if len(first) != 3 || first[1].Title != "scan" || len(first[0].Tables[0].Rows) != 2 || first[0].Tables[0].Rows[1][1] == "" {
		t.Fatalf("the first page has %+v", first)
	}
	var titles []string
	for _, x := range first[1].Tables {
		titles = append(titles, x.Title)
	}
	if got := strings.Join(titles, ", "); !strings.HasPrefix(got, "time, rate and energy, speed-up over the board's CPU, against the first board and mode") || len(first[1].Tables[2].Rows) != 2 {
		t.Errorf("tables %s, the last of %d rows", got, len(first[1].Tables[2].Rows))
	}
	// Of 100 files, what is not their data.
	_, most := dataOf(t, filepath.Join(dir, "site/index.html"))
	_, each := dataOf(t, filepath.Join(dir, "site/board-002.html"))
	most += 100 * each
	assets, err := os.ReadDir(filepath.Join(dir, "site", report.AssetsFolder))
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range assets {
		info, err := a.Info()
		if err != nil {
			t.Fatal(err)
		}
		most += int(info.Size())
	}
	if most > 1_000_000 {
		t.Errorf("beside its data a site of 100 files has %d bytes, want at most 1 MB", most)
	}
	if page, err := os.ReadFile(filepath.Join(dir, "site/board-002.html")); err != nil || bytes.Contains(page, []byte("<b>later")) || !bytes.Contains(page, []byte(`\u003cb\u003elater`)) {
		t.Errorf("a file's text is not escaped: %v", err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{file, "--out", "site"}, "site is there already"},
		{[]string{file}, "where to? --out DIR"},
		{[]string{file, file, "--out", "new"}, "are the same file"},
		{[]string{file, "bad.zip", "--out", "new"}, "bad.zip"},
	} {
		status, out, fault := bench(t, dir, nil, append([]string{"boards"}, c.args...)...)
		if _, err := os.Lstat(filepath.Join(dir, "new")); status != 2 || out != "" || !strings.Contains(fault, c.want) || err == nil {
			t.Errorf("%q: status %d, want 2 and %q: %s", c.args, status, c.want, fault)
		}
	}
}

// published is a row of the table of published files: name, kind and the digest's begin.
var published = regexp.MustCompile("(?m)^\\| `([a-z0-9-]+\\.zip)` \\| ([a-z ]+) \\|.*\\| `([0-9a-f]{12})…` \\|$")

// TestPublished: a site of the published files is made; each is of the kind and has the digest that their table says, and the
// first page compares them.
func TestPublished(t *testing.T) {
	t.Parallel()
	const folder = "../../results/boards"
	table, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.zip"))
	if err != nil || len(files) < 2 {
		t.Fatalf("files %v: %v", files, err)
	}
	listed := map[string][]string{}
	for _, m := range published.FindAllStringSubmatch(string(table), -1) {
		listed[m[1]] = m[2:]
	}
	var args []string
	kinds := map[string]int{}
	for _, file := range files {
		f, err := board.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
		if want := listed[filepath.Base(file)]; len(want) != 2 || f.Kind != want[0] || !strings.HasPrefix(f.Digest, want[1]) {
			t.Errorf("%s is %s with digest %.12s, its table says %v", file, f.Kind, f.Digest, want)
		}
		kinds[f.Kind]++
		args = append(args, file)
	}
	if len(listed) != len(files) {
		t.Errorf("the table has %d files, the folder %d", len(listed), len(files))
	}
	dir := t.TempDir()
	for i := range args {
		if args[i], err = filepath.Abs(args[i]); err != nil {
			t.Fatal(err)
		}
	}
	if status, out, fault := bench(t, dir, nil, append([]string{"boards", "--out", "site"}, args...)...); status != 0 || fault != "" {
		t.Fatalf("status %d\n%s%s", status, out, fault)
	}
	first := sectionsOf(t, filepath.Join(dir, "site/index.html"))
	if len(first) != 1+len(board.Algorithms()) || len(first[0].Tables[0].Rows) != len(files) {
		t.Fatalf("%d sections, the first with %d boards", len(first), len(first[0].Tables[0].Rows))
	}
	for i := range files {
		page := fmt.Sprintf("board-%03d.html", i+1)
		for _, s := range sectionsOf(t, filepath.Join(dir, "site", page)) {
			for _, x := range s.Tables {
				for _, row := range x.Rows {
					if slices.ContainsFunc(row, func(c string) bool { return regexp.MustCompile(`^0\.0+ s$`).MatchString(c) }) {
						t.Errorf("%s, %s, %s: a time of nothing in %q", page, s.Title, x.Title, row)
					}
				}
			}
		}
	}
	for kind, n := range kinds {
		if want := fmt.Sprintf("%d %s", n, kind); !strings.Contains(first[0].Verdict[0], want) {
			t.Errorf("the first page says %q, want %s", first[0].Verdict[0], want)
		}
	}
	for _, s := range first[1:] {
		var titles []string
		for _, x := range s.Tables {
			titles = append(titles, x.Title)
		}
		if !slices.Contains(titles, "speed-up over the board's CPU") || !slices.Contains(titles, "against the first board and mode") {
			t.Errorf("%s has tables %q", s.Title, titles)
		}
	}
}
