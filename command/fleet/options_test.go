package fleet

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A profile's options come first; comments and empty lines are none.
func TestArrayOptions(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "profile")
	if err := os.WriteFile(profile, []byte("# for the GPUs\n--partition=gpu\n\n  --account=a  \n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := ArrayOptions(profile, []string{"--gres=gpu:1"})
	if want := []string{"--partition=gpu", "--account=a", "--gres=gpu:1"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v", got, err)
	}
	for _, option := range []string{"gpu", "--a\n--b", ""} {
		if _, err := ArrayOptions("", []string{option}); err == nil || !strings.Contains(err.Error(), "is no option of sbatch") {
			t.Errorf("%q: %v", option, err)
		}
	}
	if _, err := ArrayOptions(profile+"none", nil); err == nil {
		t.Error("a profile that is not there")
	}
}
