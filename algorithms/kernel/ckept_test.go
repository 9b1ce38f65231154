package kernel

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompiledIsKept: what is compiled once is taken from the cache while the text, its
// headers, the options and the compiler are the same and the file is whole; options that
// say less than all keep nothing, and two libraries of one file have variables of their own.
func TestCompiledIsKept(t *testing.T) {
	real, err := findCompiler()
	if err != nil {
		t.Skip(err)
	}
	folder, cache := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	put := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	compiled := filepath.Join(folder, "compiled")
	wrapper := "#!/bin/sh\ncase \" $* \" in *' -E '*) ;; *) echo >>'" + compiled + "' ;; esac\nexec '" + real + "' \"$@\" "
	t.Setenv("CC", put("compiler", wrapper))
	path := put("f.c", "#include \"f.h\"\nstatic int32_t calls;\nint32_t f(void) { return ANSWER + calls++; }\n")
	put("f.h", "#define ANSWER 42\n")
	// next compiles, says whether the compiler ran, and what the first call returns.
	next := func(options ...string) (*library, bool, int32) {
		t.Helper()
		os.Remove(compiled)
		forget()
		l, f := callable(t, path, options)
		_, err := os.Stat(compiled)
		return l, err == nil, f()
	}
	expect := func(what string, anew bool, answer int32, options ...string) {
		t.Helper()
		if _, ran, got := next(options...); ran != anew || got != answer {
			t.Errorf("%s: the compiler ran: %v, the function returns %d; want %v, %d", what, ran, got, anew, answer)
		}
	}
	expect("at first", true, 42)
	expect("then", false, 42)
	expect("an option", true, 42, "-DOTHER=1")
	expect("that option", false, 42, "-DOTHER=1")
	expect("a level", true, 42, "-O1")
	put("f.h", "#define ANSWER 43\n")
	expect("another header", true, 43)
	put("f.h", "#define ANSWER 42\n")
	expect("the first header", false, 42)
	expect("an option of this machine", true, 42, "-march=native")
	expect("that option again", true, 42, "-march=native")
	expect("a definition of two words", true, 42, "-D", "OTHER")
	expect("that definition again", true, 42, "-D", "OTHER")
	put("compiler", wrapper+"-DANSWERS\n")
	expect("another compiler", true, 42)
	files, err := filepath.Glob(filepath.Join(cache, "bench", "c", "*.so"))
	if err != nil || len(files) != 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		code, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code[len(code)/2] ^= 1
		if err := os.WriteFile(f, code, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	expect("a damaged file", true, 42)
	expect("after it", false, 42)
	put("f.c", "int32_t f(void) { return sizeof(\".incbin\") / 8; }\n")
	expect("a file in the code", true, 1)
	expect("that file again", true, 1)
	if left, _ := filepath.Glob(filepath.Join(cache, "bench", "c", "put-*")); len(left) != 0 {
		t.Errorf("left: %s", strings.Join(left, " "))
	}
}

// callable compiles f of the source at path, and gives its library and a call of it.
func callable(t *testing.T, path string, options []string) (l *library, f func() int32) {
	t.Helper()
	l, err := compileC("int32_t bench_call(void) { return f(); }\n", path, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := l.Func(&f, "bench_call"); err != nil {
		t.Fatal(err)
	}
	return l, f
}

// forget has this process load libraries from the user's cache again.
func forget() {
	compiled.Lock()
	defer compiled.Unlock()
	clear(compiled.of)
}

// TestCompiledInThisProcess: what a process has loaded it loads again without a compiler, with variables of its
// own; another source or option is another library.
func TestCompiledInThisProcess(t *testing.T) {
	real, err := findCompiler()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	ran := filepath.Join(folder, "ran")
	wrapper := filepath.Join(folder, "compiler")
	if err := os.WriteFile(wrapper, []byte("#!/bin/sh\necho >>'"+ran+"'\nexec '"+real+"' \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("CC", wrapper)
	path := filepath.Join(folder, "f.c")
	expect := func(what, answer string, anew bool, want int32, options ...string) {
		t.Helper()
		if err := os.WriteFile(path, []byte("#include <stdint.h>\nstatic int32_t calls;\nint32_t f(void) { return "+answer+" + calls++; }\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		os.Remove(ran)
		_, f := callable(t, path, options)
		if _, err := os.Stat(ran); (err == nil) != anew || f() != want {
			t.Errorf("%s: the compiler ran: %t, want %t; or the first call is not %d", what, err == nil, anew, want)
		}
	}
	expect("at first", "7", true, 7)
	expect("again", "7", false, 7)
	expect("another source", "8", true, 8)
	expect("an option", "8", true, 8, "-O1")
	expect("the first source", "7", false, 7)
}
