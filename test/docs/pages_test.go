package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.org/bench/command/export"
	"example.org/bench/framework/compare"
	"example.org/bench/framework/record"
	"example.org/bench/internal/bounded"
	"example.org/bench/test/published"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// anchors are the fragments that GitHub gives a page's headings.
func anchors(p page) []string {
	var list []string
	for _, m := range heading.FindAllStringSubmatch(p.text, -1) {
		name := regexp.MustCompile(`[^\pL\pN_ -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		list = append(list, strings.ReplaceAll(name, " ", "-"))
	}
	return list
}

// brokenLinks lists the links of a page to files and headings that do not exist.
func brokenLinks(p page, all []page) []string {
	var broken []string
	for _, m := range link.FindAllStringSubmatch(p.text, -1) {
		target, fragment, _ := strings.Cut(m[1], "#")
		if strings.Contains(target, "://") {
			continue
		}
		name := p.name
		if target != "" {
			name = filepath.Join(filepath.Dir(p.name), target)
		}
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			broken = append(broken, m[1])
			continue
		}
		i := slices.IndexFunc(all, func(p page) bool { return p.name == name })
		if fragment != "" && (i < 0 || !slices.Contains(anchors(all[i]), fragment)) {
			broken = append(broken, m[1])
		}
	}
	return broken
}

func TestLinks(t *testing.T) {
	list, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, p := range list {
		links += len(link.FindAllString(p.text, -1))
		for _, l := range brokenLinks(p, list) {
			t.Errorf("%s: the link to %s leads nowhere", p.name, l)
		}
	}
	if links < 60 {
		t.Errorf("only %d links found", links)
	}
	bad := parse("docs/x.md", "[a](csv.md#no-such-heading) [b](none.md) [c](csv.md#timecsv) [d](https://example.com/none)")
	if got := brokenLinks(bad, list); !slices.Equal(got, []string{"csv.md#no-such-heading", "none.md"}) {
		t.Errorf("broken links found: %q", got)
	}
}

// Every page of docs is reached from README.
func TestEveryPageIsListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		// A page that a listed one introduces is reached from there.
		name := filepath.Base(f)
		mention := []byte("(" + name)
		found := strings.Contains(string(text), "(docs/"+name)
		for _, other := range files {
			page, _ := os.ReadFile(other)
			found = found || other != f && strings.Contains(string(page), string(mention)) && strings.Contains(string(text), "(docs/"+filepath.Base(other))
		}
		if !found {
			t.Errorf("nothing leads from README to docs/%s", name)
		}
	}
}

// foreign are flags of other programs and of examples that pages mention.
var foreign = []string{"--gpus", "--runtime", "--cap-add", "--report-api-errors", "--tool", "--use_fast_math", "--length", "--mode", "--runs", "--version", "--N", "--constraint", "--exclusive"}

// A flag that a page mentions is one of bench's.
func TestFlags(t *testing.T) {
	known := slices.Clone(foreign)
	for _, verb := range verbs() {
		_, help := run(".", bench, verb, "--help")
		for _, below := range regexp.MustCompile(`(?m)^  bench `+verb+` ([a-z]+)`).FindAllStringSubmatch(help, -1) {
			_, more := run(".", bench, verb, below[1], "--help")
			help += more
		}
		known = append(known, regexp.MustCompile(`--[a-z][a-z0-9-]+`).FindAllString(help, -1)...)
	}
	list, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, p := range list {
		for _, s := range p.spans {
			for _, w := range strings.Fields(s) {
				flag, _, _ := strings.Cut(w, "=")
				if !regexp.MustCompile(`^--[A-Za-z]`).MatchString(flag) {
					continue
				}
				found++
				if !slices.Contains(known, flag) {
					t.Errorf("%s: `%s`: no flag %s", p.name, s, flag)
				}
			}
		}
	}
	if found < 30 {
		t.Errorf("only %d flags found", found)
	}
}

// goFiles parses the Go files of the tree, less tests and testdata, by name.
func goFiles(t *testing.T) map[string]*ast.File {
	t.Helper()
	files := map[string]*ast.File{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || name == "command/scaffold/example") {
			return fs.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files[name], err = parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ParseComments)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// literals are the program's string literals; those joined by + are one.
func literals(files map[string]*ast.File) []string {
	var texts []string
	var value func(ast.Expr) string
	value = func(e ast.Expr) string {
		switch x := e.(type) {
		case *ast.BasicLit:
			if s, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING {
				return s
			}
		case *ast.BinaryExpr:
			return value(x.X) + value(x.Y)
		}
		return ""
	}
	for name, f := range files {
		if strings.HasPrefix(name, "test/") || strings.HasPrefix(name, "lab/") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if s := value(e); s != "" {
					texts = append(texts, s)
				}
			}
			return true
		})
	}
	return texts
}

// said reports whether a text of the program holds, in order, the parts of a
// message between its ellipses.
func said(message string, texts []string) bool {
	var parts []string
	for _, part := range strings.Split(message, "…") {
		parts = append(parts, regexp.QuoteMeta(strings.TrimSpace(part)))
	}
	pattern := regexp.MustCompile("(?s)" + strings.Join(parts, ".+"))
	return slices.ContainsFunc(texts, pattern.MatchString)
}

// Every message that docs/troubleshooting.md quotes is in the program.
func TestMessages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/troubleshooting.md"))
	if err != nil {
		t.Fatal(err)
	}
	texts := literals(goFiles(t))
	row := regexp.MustCompile("(?m)^\\| (`.*?`) \\|")
	statuses := []string{string(record.Wrong), string(record.Failed), string(record.Timeout)}
	messages := 0
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		for _, s := range span.FindAllStringSubmatch(m[1], -1) {
			if slices.Contains(statuses, s[1]) {
				continue
			}
			messages++
			if len(s[1]) < 8 {
				t.Errorf("%q is too short to be found", s[1])
			}
			if !said(s[1], texts) {
				t.Errorf("the program does not say %q", s[1])
			}
		}
	}
	if messages < 45 {
		t.Errorf("only %d messages found", messages)
	}
	if said("no such … message anywhere", texts) || said("is above … Higher than", texts) {
		t.Error("messages are found that are not there")
	}
}

// Every package says in its comment what it provides.
func TestPackageComments(t *testing.T) {
	comments := map[string]string{}
	files := goFiles(t)
	for name, f := range files {
		folder := filepath.Dir(name)
		comments[folder] += f.Doc.Text()
	}
	if len(comments) < 40 {
		t.Fatalf("only %d packages", len(comments))
	}
	for name, f := range files {
		folder := filepath.Dir(name)
		want := "Package " + f.Name.Name + " "
		if f.Name.Name == "main" {
			want = ""
		}
		if c := comments[folder]; c == "" || !strings.HasPrefix(c, want) {
			t.Errorf("%s: the comment of package %s is %q, want it to begin with %q", folder, f.Name.Name, c, want)
			comments[folder] = want + "is named"
		}
	}
}

// The Go text of docs/adding-sensor.md is the example's, which is tested.
func TestSensorExample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs/adding-sensor.md"))
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("battery/battery.go")
	if err != nil {
		t.Fatal(err)
	}
	quoted := 0
	for _, b := range parse("", string(text)).blocks {
		if b.language != "go" || strings.Contains(b.text, "battery.Factory()") { // the line of all.go
			continue
		}
		quoted++
		if !strings.Contains(string(source), b.text) {
			t.Errorf("battery.go does not hold:\n%s", b.text)
		}
	}
	if quoted < 4 {
		t.Errorf("only %d quotes", quoted)
	}
}

// TestPublishedRuns: what is published is read by bench report (package report), bench compare and bench export.
func TestPublishedRuns(t *testing.T) {
	runs, err := published.Folders(root, record.InfoFile)
	if err != nil || len(runs) < 200 {
		t.Fatal(len(runs), err)
	}
	for _, dir := range runs {
		r, err := compare.ReadRuns([]string{dir})
		if err != nil {
			t.Error(err)
			continue
		}
		before, after := r[0], r[0]
		before.Name, after.Name = "before", "after"
		// Printed figures without times are compared in test/literature.
		if _, err := compare.New([]compare.Run{before, after}, compare.Options{By: compare.ByRun}); err != nil && r[0].Run.Info.Source == "" {
			t.Errorf("%s: compare: %v", dir, err)
		}
		if _, _, err := export.Write(dir, r[0].Run, "csv", t.TempDir(), false); err != nil {
			t.Errorf("%s: export: %v", dir, err)
		}
	}
}

// TestFoldersOfPages: each published folder that a page names is there, with something that verbs read, or
// with a page or a table of its own.
func TestFoldersOfPages(t *testing.T) {
	named := regexp.MustCompile("(?:results/|`)((?:h100|h200|epyc|xeon|tuning)-[a-z0-9-]+(?:/[a-z0-9][A-Za-z0-9_-]+)*)")
	met := map[string]bool{}
	all, err := pages()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range all {
		for _, m := range named.FindAllStringSubmatch(page.text, -1) {
			name := strings.TrimRight(m[1], "-_/")
			if strings.HasSuffix(m[1], "-") || met[name] { // a family, such as h100-rate-*
				continue
			}
			met[name] = true
			if found, _ := filepath.Glob(filepath.Join(root, "results", name) + "*"); len(found) == 0 {
				t.Errorf("%s names results/%s, which is not there", page.name, name)
			}
		}
	}
	if len(met) < 100 {
		t.Errorf("only %d names", len(met))
	}
}

// TestSizeOfResults: what is published stays small enough to be cloned and looked through.
func TestSizeOfResults(t *testing.T) {
	const mostFiles, most = 1200, 25 << 20
	tracked := exec.Command("git", "-c", "safe.directory=*", "ls-files", "-z", "results")
	tracked.Dir = root
	text, err := tracked.Output()
	if err != nil {
		t.Skip("an archive of the tree has no list of its files")
	}
	files, size := strings.Split(strings.TrimRight(string(text), "\x00"), "\x00"), int64(0)
	for _, name := range files {
		if info, err := os.Lstat(filepath.Join(root, name)); err == nil {
			size += info.Size()
		}
	}
	if len(files) > mostFiles || size > most {
		t.Errorf("results has %d files and %d bytes, want at most %d and %d: a run that no page needs goes, others become archives (bench export --to zip)", len(files), size, mostFiles, most)
	}
}

// The folders in results are those that results/README.md lists.
func TestPublishedFoldersAreListed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "results/README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		listed = append(listed, m[1])
	}
	entries, err := os.ReadDir(filepath.Join(root, "results"))
	if err != nil {
		t.Fatal(err)
	}
	folders := 0
	for _, e := range entries {
		name := bounded.Folder(e.Name())
		if !e.IsDir() && name == e.Name() || generated("results/"+name) {
			continue
		}
		folders++
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("results/README.md does not say what %s is", name)
		}
	}
	for _, name := range listed {
		if _, err := os.Stat(published.Path(root, name)); err != nil {
			t.Error(err)
		}
	}
	if len(listed) < 10 || folders < 10 {
		t.Errorf("%d folders, %d listed", folders, len(listed))
	}
}
