package judge

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.org/bench/internal/bounded"
	"example.org/bench/internal/lazy"
	"example.org/bench/internal/safefile"
)

// mostBytes is the largest size of a candidate in bytes.
const mostBytes = 16 << 20

// Candidate is a file to be judged. Its name tells its kind.
type Candidate struct {
	Name string
	Text []byte
}

// ReadCandidate reads a candidate from a file. The error says why it cannot be read. Whether the
// candidate is accepted is for Task.Prepare to say.
func ReadCandidate(path string) (Candidate, error) {
	text, err := bounded.ReadFile(path, mostBytes)
	return Candidate{filepath.Base(path), text}, err
}

// Refusal is why a candidate is not judged, in one line.
type Refusal struct{ text string }

func (r *Refusal) Error() string { return r.text }

func refuse(format string, args ...any) error { return &Refusal{fmt.Sprintf(format, args...)} }

// The endings of candidates' names: where the version under judgement is a C function, and where it
// has kernels.
var (
	cForms      = []string{".c"}
	kernelForms = []string{".cu", ".ptx", ".cubin"}
)

// isText reports whether a candidate is source text, which a compiler reads.
func (c Candidate) isText() bool { return slices.Contains([]string{".c", ".cu"}, filepath.Ext(c.Name)) }

var plainName = lazy.Regexp(`^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$`)

// heap matches what may allocate memory in a kernel: a name, or ## and assembler, which can hide one.
var heap = lazy.Regexp(`alloc|\bnew\b|##|\basm|__asm`)

// hasHeap reports whether a kernel may allocate memory of its context's heap, which outlives it.
func (c Candidate) hasHeap() bool {
	text := c.Text
	switch filepath.Ext(c.Name) {
	case ".cu":
		return heap().Match(splice().ReplaceAll(text, nil))
	case ".cubin":
		if !bytes.HasPrefix(text, []byte("\x7fELF")) { // others may be compressed
			return true
		}
	}
	return bytes.Contains(text, []byte("malloc"))
}

// check refuses a candidate with another ending than forms, one that is empty or too long, and one
// that reads files not beside the task. task is the task's folder, source the file that is replaced.
func (c Candidate) check(forms []string, task, source string) error {
	switch {
	case !plainName().MatchString(c.Name):
		return refuse("%q is no name of a candidate: want letters, digits, _, ., + and -, 100 at most", c.Name)
	case !slices.Contains(forms, filepath.Ext(c.Name)):
		return refuse("%s: the version under judgement takes %s", c.Name, strings.Join(forms, ", "))
	case len(c.Text) == 0:
		return refuse("%s is empty", c.Name)
	case len(c.Text) > mostBytes:
		return refuse("%s has %d bytes; at most %d are taken", c.Name, len(c.Text), mostBytes)
	case !c.isText():
		return nil
	}
	return c.checkIncludes(task, source)
}

var simulated = lazy.Regexp(`\bBENCH_SIM\w*`)

// forSimulator returns the place, as FILE:LINE, of code that is for the simulator alone; empty if
// there is none. With such code the simulator says nothing about what a GPU runs.
func (c Candidate) forSimulator() string {
	found := simulated().FindStringIndex(splice().ReplaceAllString(string(c.Text), ""))
	if found == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", c.Name, lineOf(string(c.Text), found[0]))
}

var (
	// splice matches a line end that compilers leave out.
	splice = lazy.Regexp(`(?:\\|\?\?/)[ \t\v\f\r]*\n`)
	// control matches bytes that compilers and people read differently.
	control = lazy.Regexp(`[\x00-\x08\x0e-\x1f\x7f]|\r[^\n]`)
	// blank matches what may stand between the words of a directive.
	blank = `(?:[ \t\v\f\r]|/\*(?s:.*?)\*/)*`
	// directive matches a directive that makes the compiler read a file. It is searched for in
	// comments and strings too, since what these are depends on the language.
	directive = lazy.Regexp(`(?:#|%:|\?\?=)` + blank + `\b(include|include_next|import|embed)\b` + blank + `([^\n]*)`)
	asks      = lazy.Regexp(`\b__has_(?:include|include_next|embed)\b` + blank + `(?:\(` + blank + `)?([^\n]*)`)
	named     = lazy.Regexp(`^(?:"([^"\n]*)"|<([^>\n]*)>)`)
	// others matches other means to read files, of an assembler or of GCC.
	others = lazy.Regexp(`(?i)incbin|pch_preprocess|gccdependency`)
	bare   = strings.NewReplacer(`"`, "", " ", "", "\t", "", "\n", "", "\r", "", "#", "")
)

// checkIncludes refuses an include of a file that is neither below the task's folder nor named for
// the compiler's own folders.
func (c Candidate) checkIncludes(task, source string) error {
	raw := string(c.Text)
	if found := control().FindStringIndex(raw); found != nil {
		return refuse("%s:%d: a control character: want text", c.Name, 1+strings.Count(raw[:found[0]], "\n"))
	}
	text := splice().ReplaceAllString(raw, "")
	for _, pattern := range []*regexp.Regexp{directive(), asks()} {
		for _, m := range pattern.FindAllStringSubmatchIndex(text, -1) {
			word, rest := text[m[0]:m[1]], text[m[len(m)-2]:m[len(m)-1]]
			line := lineOf(raw, m[0])
			name := named().FindStringSubmatch(rest)
			if name == nil {
				word, _, _ = strings.Cut(word, "\n")
				return refuse("%s:%d: %.60s: want the name of a file in quotes or in <>", c.Name, line, word)
			}
			if why := outside(name[1]+name[2], name[2] != "", task, source); why != "" {
				return refuse("%s:%d: #include of %s: %s", c.Name, line, name[0], why)
			}
		}
	}
	if found := others().FindString(bare.Replace(text)); found != "" {
		return refuse("%s: %s reads a file: only #include of what is beside the task is taken", c.Name, found)
	}
	return nil
}

// outside returns why a file may not be included by its name; empty if it may.
func outside(name string, angle bool, task, source string) string {
	clean := filepath.ToSlash(name)
	switch {
	case filepath.IsAbs(clean):
		return "an absolute name"
	case slices.Contains(strings.Split(clean, "/"), ".."):
		return "a name that leads upwards"
	case strings.ContainsAny(clean, `\?`):
		return "a name with \\ or ?"
	case angle:
		return "" // below the folders of the compilers and the toolkit
	}
	_, path, err := beside(name, filepath.Dir(source), task)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "not beside the task (the toolkit's are in <>)"
	case err != nil:
		return err.Error()
	}
	if path == "" {
		return "not beside the task"
	}
	for _, file := range []string{clean, path} {
		if !slices.Contains(headers, filepath.Ext(file)) {
			return "not a header (" + strings.Join(headers, ", ") + ")"
		}
	}
	return ""
}

// headers are the endings of files that a candidate may include. They exclude the task, which has
// the hidden problems, and the right answer.
var headers = []string{".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl", ".inc"}

// lineOf returns the line of raw at an offset in the text without splices.
func lineOf(raw string, offset int) int {
	for _, s := range splice().FindAllStringIndex(raw, -1) {
		if s[0] > offset {
			break
		}
		offset += s[1] - s[0]
	}
	return 1 + strings.Count(raw[:offset], "\n")
}

// beside finds the file that a file in folder includes by name. It returns the name relative to the
// task's folder, and the path with links resolved. Both are empty if the file is outside.
func beside(name, folder, task string) (inTask, path string, err error) {
	root, err := filepath.EvalSymlinks(task)
	if err != nil {
		return "", "", err
	}
	path, err = filepath.EvalSymlinks(filepath.Join(folder, name))
	if err != nil {
		return "", "", err
	}
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", "", errors.Join(err, errors.New("not a regular file"))
	}
	real, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(real) {
		return "", "", nil
	}
	inTask, err = filepath.Rel(task, filepath.Join(folder, name))
	if err != nil || !filepath.IsLocal(inTask) {
		return "", "", nil
	}
	return inTask, path, nil
}

// mostIncluded is the largest number of the task's files that a candidate may include.
const mostIncluded = 200

var includes = lazy.Regexp(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`)

// place copies a candidate into a new folder, with the files of the task that it includes and nothing
// else. They lie there as in the task's folder, the candidate beside where source would be. path is
// the candidate's. The caller removes the folder.
func (c Candidate) place(task, source string) (folder, path string, err error) {
	if folder, err = safefile.TempFolder("bench-judge-"); err != nil {
		return "", "", err
	}
	made := folder
	defer func() {
		if err != nil {
			os.RemoveAll(made)
		}
	}()
	in, err := filepath.Rel(task, filepath.Dir(source))
	if err != nil || !filepath.IsLocal(in) {
		in = "."
	}
	copied := map[string]bool{}
	var take func(text []byte, folderInTask string) error
	put := func(inTask string, text []byte) error {
		to := filepath.Join(folder, inTask)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o600)
	}
	take = func(text []byte, folderInTask string) error {
		for _, m := range includes().FindAllSubmatch(text, -1) {
			inTask, from, err := beside(string(m[1]), filepath.Join(task, folderInTask), task)
			if err != nil || from == "" || copied[inTask] {
				continue // the compiler's own
			}
			if copied[inTask] = true; len(copied) > mostIncluded {
				return refuse("%s includes more than %d files", c.Name, mostIncluded)
			}
			header, err := bounded.ReadFile(from, mostBytes)
			if err == nil {
				err = put(inTask, header)
			}
			if err == nil {
				err = take(header, filepath.Dir(inTask))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	if err := take(c.Text, in); err != nil {
		return "", "", err
	}
	inTask := filepath.Join(in, c.Name)
	if copied[inTask] {
		return "", "", refuse("%s includes a file of the task that has its own name", c.Name)
	}
	if err := put(inTask, bytes.Clone(c.Text)); err != nil {
		return "", "", err
	}
	return folder, filepath.Join(folder, inTask), nil
}
