package qr

import (
	"fmt"
	"testing"

	"bench/framework"
)

func TestCPUVersions(t *testing.T) {
	for _, version := range []string{"reference", "parallel", "lapack", "gonum"} {
		v := Factory().VersionOn(version, framework.CPU)
		if v == nil {
			t.Fatalf("no CPU version %s", version)
		}
		if v.Available != nil {
			if err := v.Available(); err != nil {
				t.Fatal(err)
			}
		}
		for _, x := range []struct {
			m, n, batch int
			q           string
			condition   float64
		}{
			{64, 64, 1, reduced, 1e7}, {64, 64, 9, full, 10}, {100, 33, 2, reduced, 1e4}, {50, 7, 3, full, 1e3}, {17, 17, 1, full, 10},
			{1, 1, 2, reduced, 1}, {2, 1, 1, full, 1}, {300, 90, 1, reduced, 1e6}, {130, 8, 1, full, 100}, {200, 121, 7, reduced, 1},
		} {
			for workers := 1; workers <= 3; workers += 2 {
				params := setting(x.m, x.n, x.batch, x.q, x.condition)
				at := fmt.Sprint(version, params, workers, " workers")
				a, err := v.New(framework.Env{Workers: workers}, testProblem(t, params), nil)
				if err != nil {
					t.Fatalf("%s: %v", at, err)
				}
				verifyRun(t, at, a)
			}
		}
	}
}
