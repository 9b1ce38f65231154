package engine

import (
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/record"
)

func TestFastChecksTakeTheReferencesPlace(t *testing.T) {
	const fast, full, none = framework.FastVerification, framework.FullVerification, framework.NoVerification
	for _, c := range []struct {
		version string
		full    bool
		status  record.Status
		how     framework.Verification
		metric  string // of the first check
	}{
		{"ok", false, record.OK, full, "error"},
		{"quick", false, record.OK, fast, "identity"},
		{"quick", true, record.OK, full, "error"},
		{"quick but wrong", false, record.Wrong, fast, "identity"},
		{"quick but wrong", true, record.OK, full, "error"},
		{"too small to be quick", false, record.OK, full, "error"},
		{"quick but unverified", false, record.Failed, "", ""},
		{"unchecked", false, record.OK, none, ""},
	} {
		b := newBed(t, func(o *Options) { o.FullVerification = c.full })
		r := b.results(t, pointOf(c.version, 1))[0]
		metric := ""
		if len(r.Checks) > 0 {
			metric = r.Checks[0].Metric
		}
		if r.Status != c.status || r.Verification != c.how || metric != c.metric {
			t.Errorf("%s, full %v: %s (%s), verified %q by %q; want %s, %q, %q", c.version, c.full, r.Status, r.Reason, r.Verification, metric, c.status, c.how, c.metric)
		}
		if asked := strings.Contains(strings.Join(b.log.take(), "\n"), "VerifyFast"); asked && c.full {
			t.Errorf("%s: full verification asks for the fast check", c.version)
		}
	}
}

func TestTurnsSayHowTheyWereVerified(t *testing.T) {
	const fast, full = framework.FastVerification, framework.FullVerification
	b := newBed(t, nil)
	for _, c := range []struct {
		a, b         string
		round        int
		wantA, wantB framework.Verification
	}{{"ok", "quick", 0, full, fast}, {"ok", "quick", 3, full, fast}, {"quick", "quick", 0, fast, fast}, {"quick", "quick", 3, fast, fast}} {
		x, y := pointOf(c.a, 1), pointOf(c.b, 1)
		got, err := b.Turns(t.Context(), Pair{A: x, B: y, Round: c.round})
		if err != nil || got.Status != record.OK || got.VerificationA != c.wantA || got.VerificationB != c.wantB {
			t.Errorf("%s and %s, round %d: %+v %v", c.a, c.b, c.round, got, err)
		}
	}
}

func TestPhasesAddUp(t *testing.T) {
	b := newBed(t, func(o *Options) { o.Config.Sensors = []string{"meter"} })
	r := b.results(t, pointOf("ok", 1))[0]
	measured := r.Phases[PhaseHot] + r.Phases[PhasePower]
	if r.Phases[PhasePrepare] <= 0 || r.Phases[PhaseVerify] <= 0 || r.Phases[PhaseHot] <= 0 || r.Phases[PhasePower] <= 0 {
		t.Errorf("phases %v", r.Phases)
	}
	beside := r.Beside()
	if beside < r.Phases[PhasePrepare]+r.Phases[PhaseVerify] || beside > r.Elapsed || beside+measured > 1.000001*r.Elapsed {
		t.Errorf("%g s of %g s beside phases %v", beside, r.Elapsed, r.Phases)
	}
	if failed := b.results(t, pointOf("fails", 1))[0]; failed.Phases[PhaseVerify] <= 0 || failed.Phases[PhaseHot] != 0 {
		t.Errorf("a point that failed while verified: phases %v", failed.Phases)
	}
}

// A version that is wrong after it was timed has no times.
func TestCheckedAgainAfterTiming(t *testing.T) {
	for version, want := range map[string]struct {
		status record.Status
		reason string
	}{
		"checked again": {record.OK, ""},
		"right once":    {record.Wrong, "right at first, and after timing error 3 is above 1: x[2]: got 5, want 2"},
		"lost":          {record.Failed, "verify after timing: gone"},
	} {
		b := newBed(t, nil)
		r := b.results(t, pointOf(version, 1))[0]
		if r.Status != want.status || r.Reason != want.reason || (r.Hot != nil) != (want.status != record.Wrong) && version != "lost" {
			t.Errorf("%s: %s (%s), timed %v; want %s (%s)", version, r.Status, r.Reason, r.Hot != nil, want.status, want.reason)
		}
	}
}
