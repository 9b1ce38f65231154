package record

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/plan"
)

// Of several points under way a damaged line may be the result of any: those without one
// are named, and run again.
func TestDamageOfSeveralUnderWay(t *testing.T) {
	dir := t.TempDir()
	j, err := CreateJournal(dir, Header{})
	if err != nil {
		t.Fatal(err)
	}
	point := func(n int, on string) plan.Point {
		return plan.Point{ID: n, Algorithm: "a", Version: string(rune('p' + n)), Processor: framework.GPU, Device: on, Shared: "cuda:0,1"}
	}
	for n, on := range []string{"cuda:0", "cuda:1"} {
		if _, err := j.Start(point(n, on)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := j.file.Write([]byte(strings.Repeat("x", 300) + "\n")); err != nil {
		t.Fatal(err)
	}
	j.size, j.end = j.size+301, j.size+301
	if err := j.Append(Result{Point: point(1, "cuda:1"), Status: OK}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	_, results, again, err := OpenJournal(dir)
	if err != nil || len(results) != 1 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	defer again.Close()
	if notes := strings.Join(again.Notes(), "\n"); !strings.Contains(notes, "the result of a/p@cuda:0,1 is lost; --resume measures it again") {
		t.Error(notes)
	}
	if refusal, err := again.Start(point(0, "cuda:1")); refusal != "" || err != nil {
		t.Errorf("%q, %v", refusal, err)
	}
}
