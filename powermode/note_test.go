package powermode

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestNoteOutlivesItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b.json")
	if j, err := LeftBehind(path); j != nil || err != nil {
		t.Errorf("without a note: %v, %v", j, err)
	}
	want := State{Control: "nvpmodel", Root: "/", Mode: "3", Files: map[string]string{"sys/x": "1"}}
	j, err := CreateNote(path, want)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := LeftBehind(path); !errors.Is(err, ErrBusy) {
		t.Errorf("while its process lives: %v, want %v", err, ErrBusy)
	}
	if _, err := CreateNote(path, want); !errors.Is(err, ErrBusy) {
		t.Errorf("a second note: %v, want %v", err, ErrBusy)
	}
	j.Release() // as the kernel does when the process ends
	left, err := LeftBehind(path)
	if err != nil || left == nil || !reflect.DeepEqual(left.State, want) {
		t.Fatalf("left behind: %+v, %v, want %+v", left, err, want)
	}
	if err := left.Remove(); err != nil {
		t.Error(err)
	}
	if j, err := LeftBehind(path); j != nil || err != nil {
		t.Errorf("after its removal: %v, %v", j, err)
	}
}

// A note that a crash cut off was written before any switch.
func TestTornNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.json")
	for _, text := range []string{"", `{"control":"nvp`, "{}"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if j, err := LeftBehind(path); j != nil || err != nil {
			t.Errorf("%q: %v, %v", text, j, err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%q is still there", text)
		}
	}
}

// CreateNote must not overwrite what an earlier process left.
func TestUnrestoredNoteIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j.json")
	j, err := CreateNote(path, State{Control: "nvpmodel", Mode: "3"})
	if err != nil {
		t.Fatal(err)
	}
	j.Release()
	if _, err := CreateNote(path, State{Control: "nvpmodel", Mode: "0"}); err == nil {
		t.Error("a note that was not restored is overwritten")
	}
	left, err := LeftBehind(path)
	if err != nil || left == nil || left.State.Mode != "3" {
		t.Errorf("left behind: %+v, %v, want mode 3", left, err)
	}
}
