package strategy

import (
	"context"
	"testing"

	"example.org/bench/tuning"
	"example.org/bench/tuning/recorded"
	"example.org/bench/tuning/replay"
)

func replayed(t *testing.T, spaces []*recorded.Space, strategy tuning.Info, o replay.Options) *replay.Result {
	t.Helper()
	r, err := replay.Run(context.Background(), spaces, strategy, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// told is an outcome as a trial tells it.
func told(target float64, fault bool, effort float64) outcome {
	o := outcome{target: target, effort: effort}
	if fault {
		o.fault = 1
	}
	return o
}
