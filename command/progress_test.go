package command_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// What a point's line says, the table says as well.
func TestProgressAndTableAgree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "doubts.json"), `{"algorithm": "faulty", "versions": ["good"], "static_args": {"ms": 2},
	"sensors": [{"external": {"command": ["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do echo $i; sleep 0.01; done; exit 1"]}}],
	"measure": {"ceilings": false, "min_time_s": 0.05, "noise": 0.2, "timeout_s": 1, "power_window_s": 0.2, "cooldown_s": 0}}`)
	status, out, errOut := execute(t, dir, faultyPath, "run", config)
	if status != 0 {
		t.Fatalf("status %d\n%s%s", status, out, errOut)
	}
	line := regexp.MustCompile(`(?m)^\[1/1\] good .* ± ([0-9.]+ %)(.*)$`).FindStringSubmatch(out + errOut)
	row := regexp.MustCompile(`(?m)^good +[0-9.]+ ms +~?([0-9.]+ %) .*ok$`).FindStringSubmatch(out)
	if line == nil || row == nil || line[1] != row[1] {
		t.Fatalf("the point's line says %q, the table %q:\n%s%s", line, row, errOut, out)
	}
	cause := "most readings failed: "
	if !strings.Contains(line[2], "(no power: "+cause) || !strings.Contains(line[2], "ended (exit status 1)") {
		t.Errorf("the point's line does not say why there is no power: %s", line[0])
	}
	if !strings.Contains(out, "no power and energy, by version (points): good (1): "+cause) {
		t.Errorf("nor does the table:\n%s", out)
	}
}
