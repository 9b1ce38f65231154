package command_test

import (
	"strings"
	"testing"
)

// A limit that the runtime does not survive is one line, not its trace.
func TestLimitedAddressSpace(t *testing.T) {
	for limit, want := range map[string]string{"1500000": "bench: the address space is limited to 1.43 GiB, ", "unlimited": ""} {
		status, _, errOut := execute(t, t.TempDir(), "/bin/sh", "-c", "ulimit -v "+limit+"; exec '"+benchPath+"' version")
		if good := want == ""; (status == 0) != good || !strings.HasPrefix(errOut, want) || good != (errOut == "") || strings.Count(errOut, "\n") > 1 {
			t.Errorf("ulimit -v %s: status %d\n%s", limit, status, errOut)
		}
	}
}
