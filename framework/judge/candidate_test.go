package judge

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// task is a folder with a task's files, of which work/start.cu is the source that candidates replace.
func task(t testing.TB) (folder, source string) {
	t.Helper()
	outer := t.TempDir()
	folder = filepath.Join(outer, "task")
	for name, text := range map[string]string{
		"task/work/start.cu": "", "task/work/near.h": "#include \"deep/more.h\"\n#include \"../top.h\"\n", "task/work/deep/more.h": "int more;\n",
		"task/top.h": "int top;\n", "task/right.c": "the answer\n", "task/work/task.json": "{}\n", "secret.h": "int secret;\n",
	} {
		path := filepath.Join(outer, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(outer, "secret.h"), filepath.Join(folder, "work/link.h")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("task.json", filepath.Join(folder, "work/task.h")); err != nil {
		t.Fatal(err)
	}
	return folder, filepath.Join(folder, "work/start.cu")
}

// TestIncludes: what has a compiler read a file that is not beside the task is refused in one
// line, whatever it looks like.
func TestIncludes(t *testing.T) {
	folder, source := task(t)
	for name, c := range map[string]struct{ text, want string }{
		"none":             {"__global__ void k() {}\n", ""},
		"toolkit":          {"#include <cuda_fp16.h>\n# include <cub/cub.cuh>\n", ""},
		"beside":           {"#include \"near.h\"\n", ""},
		"below":            {"#include \"deep/more.h\"\n", ""},
		"asked":            {"#if __has_include(<cuda_fp16.h>)\n#endif\n", ""},
		"words":            {"int include = 3; // includes nothing\n#define importance 3\n", ""},
		"Windows":          {"#include <cuda_fp16.h>\r\nint x;\r\n", ""},
		"absolute":         {"int x;\n#include \"/etc/passwd\"\n", "c.cu:2: #include of \"/etc/passwd\": an absolute name"},
		"absolute, angles": {"#include </etc/passwd>\n", "an absolute name"},
		"upwards":          {"#include \"../top.h\"\n", "leads upwards"},
		"upwards, angles":  {"#include <../../etc/passwd>\n", "leads upwards"},
		"task":             {"#if 0\n#include \"task.json\"\n#endif\n", "c.cu:2: #include of \"task.json\": not a header"},
		"task by a link":   {"#include \"task.h\"\n", "not a header"},
		"absent":           {"#include \"absent.h\"\n", "not beside the task"},
		"link":             {"#include \"link.h\"\n", "not beside the task"},
		"macro":            {"#define F \"/etc/passwd\"\n#include F\n", "c.cu:2: #include F: want the name of a file"},
		"comment between":  {"#/* a\n b */include/**/\"/etc/passwd\"\n", "an absolute name"},
		"comment before":   {"/* */ # /**/ include \"/etc/passwd\"\n", "an absolute name"},
		"spliced":          {"#inc\\\nlude \"/etc/pass\\\nwd\"\n", "an absolute name"},
		"spliced, blank":   {"#inc\\ \nlude \"/etc/passwd\"\n", "an absolute name"},
		"line":             {"int \\\nx;\n\n#include \"/etc/passwd\"\n", "c.cu:4: "},
		"digraph":          {"%:include \"/etc/passwd\"\n", "an absolute name"},
		"trigraph":         {"??=include \"/etc/passwd\"\n", "an absolute name"},
		"trigraph, splice": {"#inc??/\nlude \"/etc/passwd\"\n", "an absolute name"},
		"next":             {"#include_next \"/etc/passwd\"\n", "an absolute name"},
		"import":           {"#import \"/etc/passwd\"\n", "an absolute name"},
		"embed":            {"char x[] = {\n#embed \"/etc/passwd\"\n};\n", "an absolute name"},
		"raw text":         {"const char *x = R\"x(\" /* )x\";\n#include \"/etc/passwd\"\n//*/\n", "an absolute name"},
		"has":              {"#if __has_include(\"/etc/passwd\")\n#endif\n", "an absolute name"},
		"has, macro":       {"#define F \"/etc/passwd\"\n#if __has_include(F)\n#endif\n", "want the name of a file"},
		"incbin":           {"asm(\".inc\" \"bin \\\"/etc/passwd\\\"\");\n", "incbin reads a file"},
		"incbin, pasted":   {"#define T(a) #a\nasm(T(.inc) T(bin));\n", ""}, // a filter, no wall: docs/judging.md
		"control":          {"int x;\n#inc\x00lude \"/etc/passwd\"\n", "c.cu:2: a control character"},
		"return":           {"int x; // \r#include \"/etc/passwd\"\n", "a control character"},
		"question marks":   {"#include \"a??/\"\n", "a name with"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Candidate{"c.cu", []byte(c.text)}.check(kernelForms, folder, source)
			var refusal *Refusal
			switch {
			case c.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case c.want != "" && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n")):
				t.Errorf("got %v; want a refusal with %q", err, c.want)
			}
		})
	}
}

// TestForms: a candidate is a file of a form that the version takes.
func TestForms(t *testing.T) {
	folder, source := task(t)
	for name, c := range map[string]struct {
		candidate Candidate
		forms     []string
		want      string
	}{
		"C":        {Candidate{"c.c", []byte("int x;\n")}, cForms, ""},
		"PTX":      {Candidate{"c.ptx", []byte("#include \"/etc/passwd\" means nothing in PTX\n")}, kernelForms, ""},
		"C for cu": {Candidate{"c.c", []byte("int x;\n")}, kernelForms, "takes .cu, .ptx, .cubin"},
		"Python":   {Candidate{"c.py", []byte("pass\n")}, kernelForms, "takes .cu, .ptx, .cubin"},
		"path":     {Candidate{"../c.cu", []byte("int x;\n")}, kernelForms, "is no name of a candidate"},
		"option":   {Candidate{"-o.cu", []byte("int x;\n")}, kernelForms, "is no name of a candidate"},
		"braces":   {Candidate{"c{N}.ptx", []byte("x\n")}, kernelForms, "is no name of a candidate"},
		"empty":    {Candidate{"c.cu", nil}, kernelForms, "is empty"},
		"long":     {Candidate{"c.cu", make([]byte, mostBytes+1)}, kernelForms, "at most"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.candidate.check(c.forms, folder, source)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v; want %q", err, c.want)
			}
		})
	}
}

// TestPlace: beside a candidate lie the files that it includes, as in the task, and no others.
func TestPlace(t *testing.T) {
	folder, source := task(t)
	t.Setenv("TMPDIR", t.TempDir())
	at, path, err := Candidate{"c.cu", []byte("#include \"near.h\"\n#include <near.h>\n")}.place(folder, source)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(at)
	if want := filepath.Join(at, "work/c.cu"); path != want {
		t.Errorf("the candidate is %s; want %s", path, want)
	}
	var got []string
	err = filepath.WalkDir(at, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			in, _ := filepath.Rel(at, path)
			got = append(got, in)
		}
		return err
	})
	if want := "top.h work/c.cu work/deep/more.h work/near.h"; err != nil || strings.Join(got, " ") != want {
		t.Errorf("got %v, %v; want %s", got, err, want)
	}
	if _, _, err := (Candidate{"near.h", []byte("#include \"near.h\"\n")}).place(folder, source); err == nil {
		t.Error("a candidate takes the name of a file that it includes")
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) != 1 {
		t.Errorf("%v, %v is left", left, err)
	}
}

// TestForSimulator: code for the simulator alone is found, in any spelling that a compiler takes.
func TestForSimulator(t *testing.T) {
	for text, want := range map[string]string{
		"int x;\n#ifdef BENCH_SIM\n#endif\n":            "c.cu:2",
		"#if defined(BENCH_\\\nSIM)\n#endif\n":          "c.cu:1",
		"#ifndef BENCH_SIM_CHECKS\n#endif\n":            "c.cu:1",
		"int BENCH, SIM, MY_BENCH_SIMPLE, bench_sim;\n": "",
	} {
		if got := (Candidate{"c.cu", []byte(text)}).forSimulator(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestHeap: a kernel that may keep something in the heap of its context is found, however it hides the name.
func TestHeap(t *testing.T) {
	for text, c := range map[string]struct {
		name string
		has  bool
	}{
		"__global__ void k(float *renewed) { *renewed = 1; }": {"a.cu", false},
		"p = malloc(8);":                        {"a.cu", true},
		"p = mal\\\nloc(8);":                    {"a.cu", true},
		"p = __nv_aligned_device_malloc(8, 8);": {"a.cu", true},
		"p = new float[8];":                     {"a.cu", true},
		"#define J(a, b) a##b":                  {"a.cu", true},
		"asm(\"call mal\" \"loc\");":            {"a.cu", true},
		".visible .entry k() { ret; }":          {"a.ptx", false},
		".extern .func (.param .b64 r) malloc":  {"a.ptx", true},
		"\x7fELF k":                             {"a.cubin", false},
		"\x7fELF malloc":                        {"a.cubin", true},
		"\x50\xed\x55\xba":                      {"a.cubin", true},
	} {
		if got := (Candidate{c.name, []byte(text)}).hasHeap(); got != c.has {
			t.Errorf("%s %q: %v", c.name, text, got)
		}
	}
}
