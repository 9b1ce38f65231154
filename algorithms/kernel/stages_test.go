package kernel

import (
	"fmt"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/algorithmtest"
	"example.org/bench/gpu"
)

// TestStagesOfLoops: all launches of a kernel are one stage, also from turns of a loop, and two loops' kernels in turns
// are apart. Run stage by stage a run gives the right answer, and without one of them it does not.
func TestStagesOfLoops(t *testing.T) {
	d := device(t)
	turns := `{"for": {"i": 4}, "kernels": [
   {"for": {"j": "i"}, "kernels": [{"name": "mark", "grid": "i + 1", "block": 1, "arguments": ["marks", "i", "j"]}]}`
	for _, c := range []struct{ old, replacement, want string }{
		{"", "", "[{partial 1 false} {total 1 false} {mark 6 false} {one 1 false} {two 1 false}]"},
		{turns, turns + `, {"name": "total", "grid": 1, "block": 1, "arguments": ["sums", "sum", "groups"]}`, "[{partial 1 false} {total 5 true} {mark 6 true} {one 1 false} {two 1 false}]"},
	} {
		texts := map[string]string{"x.json": strings.Replace(loopConfig, c.old, c.replacement, 1), "x.cu": loopKernels, "x.c": loopRight}
		f := factory(t, files(t, texts))
		for without := -1; without < 5; without++ {
			s := stagedRun(t, f, d)
			if got := fmt.Sprint(s.Stages()); got != c.want {
				t.Errorf("stages %s, want %s", got, c.want)
			}
			for i := range s.Stages() {
				if i == without {
					continue
				}
				if err := s.RunStage(i); err != nil {
					t.Fatal(err)
				}
			}
			if good := rightNow(t, d, s); good != (without < 0) {
				t.Errorf("without stage %d the answer is right: %v", without, good)
			}
		}
	}
}

// TestBeforeAStage is what a run does until the stage's first launch.
func TestBeforeAStage(t *testing.T) {
	d := device(t)
	f := factory(t, files(t, map[string]string{"x.json": loopConfig, "x.cu": loopKernels, "x.c": loopRight}))
	for i := range 5 {
		s := stagedRun(t, f, d)
		if err := s.RunBefore(i); err != nil {
			t.Fatal(err)
		}
		for n := i; n < 5; n++ {
			if err := s.RunStage(n); err != nil {
				t.Fatal(err)
			}
		}
		if !rightNow(t, d, s) {
			t.Errorf("what is before stage %d, and the rest, is no run", i)
		}
		if again, err := s.Repeatable(i); again || err != nil {
			t.Errorf("without digests stage %d may be repeated: %v, %v", i, again, err)
		}
	}
}

// stagedRun is a factory's first version before its first run.
func stagedRun(t *testing.T, f *framework.Factory, d gpu.Device) framework.Staged {
	t.Helper()
	p, err := f.NewProblem(framework.Env{Device: d}, params(f, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	made, err := f.Versions[0].New(framework.Env{Device: d}, p, f.Versions[0].Defaults(params(f, nil), d.Facts()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { made.PostRun() })
	if err := made.PreRun(); err != nil {
		t.Fatal(err)
	}
	return made.(framework.Staged)
}

// rightNow reports whether the present answer is right.
func rightNow(t *testing.T, d gpu.Device, s framework.Staged) bool {
	t.Helper()
	if err := d.Synchronize(s.Stream()); err != nil {
		t.Fatal(err)
	}
	checks, err := s.Verify()
	return err == nil && algorithmtest.Good(checks)
}
