package hostcompiler

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/gpu"
)

// TestDistrustedSource: the compiler of a distrusted source reads what is beside it and what the command
// names, and nothing else; that of a trusted one reads all.
func TestDistrustedSource(t *testing.T) {
	candidate, elsewhere := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	write := func(folder, name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write(candidate, "near.h", "int near;\n")
	write(elsewhere, "far.h", "int far;\n")
	Distrust(candidate)
	defer Distrust("")
	for name, c := range map[string]struct {
		text, option  string
		trusted, good bool
	}{
		"near":    {"#include \"near.h\"\n#include <math.h>\n", "-O1", false, true},
		"far":     {"#include \"" + elsewhere + "/far.h\"\n", "-O1", false, false},
		"named":   {"#include \"far.h\"\n", "-I" + elsewhere, false, true},
		"trusted": {"#include \"" + elsewhere + "/far.h\"\n", "-O1", true, true},
	} {
		source := write(candidate, "c.c", c.text)
		told := source
		if c.trusted {
			told = filepath.Join(elsewhere, "c.c")
		}
		out, err := Combined(exec.Command("gcc", c.option, "-c", source, "-o", filepath.Join(os.Getenv("TMPDIR"), "c.o")), told)
		if (err == nil) != c.good {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	out, err := Combined(exec.Command("gcc", "-c", write(candidate, "c.c", "int x;\n"), "-o", filepath.Join(elsewhere, "c.o")), filepath.Join(candidate, "c.c"))
	if err == nil {
		t.Errorf("it writes elsewhere: %s", out)
	}
}

// TestFailure: an error that one process tells another is of the same kind, with the same text.
func TestFailure(t *testing.T) {
	for _, err := range []error{
		&gpu.CompileError{Name: "x.c", Log: "words", Err: errors.New("exit status 1")},
		&Limited{Program: "cc", Limit: "ran long", timeout: true}, &Limited{Program: "cc", Limit: "wrote much"}, errors.New("other"), nil,
	} {
		got := FailureOf(err).Err()
		if err == nil {
			if got != nil {
				t.Errorf("of no error: %v", got)
			}
			continue
		}
		var refused *gpu.CompileError
		var limited *Limited
		if got.Error() != err.Error() || errors.As(got, &refused) != strings.Contains(err.Error(), "words") || errors.As(got, &limited) != strings.Contains(err.Error(), "the compiler cc") || errors.Is(got, ErrTimeout) != errors.Is(err, ErrTimeout) {
			t.Errorf("%#v is told as %#v", err, got)
		}
	}
}
