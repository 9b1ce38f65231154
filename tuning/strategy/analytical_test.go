package strategy

import (
	"testing"

	"example.org/bench/gpu"
	"example.org/bench/tuning"
)

// TestGuidelineChooses a point of each task by what its kernel takes: the largest radix that leaves
// enough registers, of the points that compile and fit.
func TestGuidelineChooses(t *testing.T) {
	one := space(t, []string{"r", "P"}, [][]float64{{2, 4, 8}, {1, 2}}, nil)
	two := space(t, []string{"P", "SHUFFLE"}, [][]float64{{1, 2}, {0, 1}}, nil)
	registers := [][]int{{32, 32, 48, 48, 56, 56}, {32, 32, 32, 32}, {32, 32}}
	facts := &tuning.KernelFacts{
		Limits: gpu.Facts{WarpSize: 32, MaxThreadsPerSM: 640, MaxThreadsBlock: 640, MaxBlocksPerSM: 10, RegistersPerSM: 20480, RegistersBlock: 20480,
			SharedPerSM: 10240, SharedPerBlock: 10240, SharedOptIn: 10240, ComputeMajor: 5},
		Resources: func(task, point int) (int, int, bool) {
			return registers[task][point], 0, task != 1 || point != 3 // which does not compile
		},
		Threads: func(task, point int) int {
			if task == 2 {
				return 641 // more than a block has
			}
			return 64
		},
	}
	in := seeded(1, 9, one, two, grid(t, 2))
	in.Facts = facts
	s, err := guideline.New(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []tuning.Proposal{{Task: 0, Point: 3}, {Task: 1, Point: 1}} { // radix 4 and 48 registers; a shuffle
		task, point, ok := s.Next()
		if !ok || task != want.Task || point != want.Point {
			t.Errorf("%d:%d, %v; want %+v", task, point, ok, want)
		}
	}
	if task, point, ok := s.Next(); ok {
		t.Errorf("%d:%d of a task that has no point that runs", task, point)
	}
	registers[0][1], registers[0][2], registers[0][3] = 64, 64, 64
	if s, err = guideline.New(in); err != nil {
		t.Fatal(err)
	}
	if task, point, ok := s.Next(); !ok || task != 0 || point != 0 {
		t.Errorf("%d:%d, %v; want 0:0, of the smallest radix", task, point, ok)
	}
	for _, missing := range []*tuning.KernelFacts{nil, {Threads: facts.Threads}, {Resources: facts.Resources}} {
		in.Facts = missing
		if _, err := guideline.New(in); err == nil {
			t.Errorf("no error with %+v", missing)
		}
	}
}
