package fft

import (
	"testing"

	"example.org/bench/framework"
)

// setting is the parameters of a problem.
func setting(n, batch int, precision, direction string) framework.Values {
	return framework.Values{
		"N":              framework.IntValue(int64(n)),
		"batch_elements": framework.IntValue(int64(n * batch)),
		"precision":      framework.TextValue(precision),
		"direction":      framework.TextValue(direction),
	}
}

func testEnv(t testing.TB, workers int) framework.Env {
	return framework.Env{Seed: 7, Workers: workers, Note: t.Logf}
}

func testProblem(t testing.TB, n, batch int, precision, direction string) *problem {
	t.Helper()
	q, err := newProblem(testEnv(t, 2), setting(n, batch, precision, direction))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q.(*problem)
}
