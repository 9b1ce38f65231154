package command_test

import (
	"strings"
	"testing"
)

// A limit that the runtime does not survive is one line, not its trace.
func TestLowLimits(t *testing.T) {
	t.Parallel()
	for limit, want := range map[string]string{
		"-v 2000000": "bench: the address space is limited to 1.91 GiB, ", "-v unlimited": "",
		"-n 20": "bench: at most 20 files may be open, ", "-n 64": "",
	} {
		status, _, errOut := execute(t, t.TempDir(), "/bin/sh", "-c", "ulimit "+limit+"; exec '"+benchPath+"' version")
		if good := want == ""; (status == 0) != good || !strings.HasPrefix(errOut, want) || good != (errOut == "") || strings.Count(errOut, "\n") > 1 {
			t.Errorf("ulimit %s: status %d\n%s", limit, status, errOut)
		}
	}
}
