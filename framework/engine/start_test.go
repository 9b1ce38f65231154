package engine

import (
	"os"
	"path/filepath"
	"testing"
)

// One failure to open the program costs one point, not all that follow.
func TestProgramIsOpenedAgain(t *testing.T) {
	o := opened{path: filepath.Join(t.TempDir(), "program")}
	if f, err := o.file(); err == nil {
		t.Fatalf("opened %v, which is not there", f)
	}
	if err := os.WriteFile(o.path, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	first, err := o.file()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if again, err := o.file(); err != nil || again != first {
		t.Errorf("opened twice: %v, %v", again, err)
	}
}
