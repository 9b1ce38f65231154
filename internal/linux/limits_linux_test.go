package linux

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A limit of processes and threads is refused in a line where too few are left, whichever
// it is: a user's, and a control group's of both versions, in a container or not.
func TestEnoughThreads(t *testing.T) {
	need := int(leastThreads())
	user := map[string]string{
		"proc/loadavg": "0 0 0 1/500 77", "proc/7/status": fmt.Sprintf("Name:\tx\nUid:\t%d\t0\t0\t0\nThreads:\t30\n", os.Getuid()),
		"proc/8/status": fmt.Sprintf("Name:\tx\nUid:\t%d\t0\t0\t0\nThreads:\t99\n", os.Getuid()+1),
	}
	group := func(cgroup, folder string, most, used int) map[string]string {
		return map[string]string{"proc/self/cgroup": cgroup, folder + "/pids.max": fmt.Sprint(most, "\n"), folder + "/pids.current": fmt.Sprint(used, "\n")}
	}
	const two, one = "0::/user.slice/a.scope\n", "9:cpu:/x\n8:pids:/docker/abc\n0::/\n"
	for _, c := range []struct {
		files  map[string]string
		limit  int
		exempt bool
		want   string
	}{
		{user, 30 + need, false, ""},
		{user, 29 + need, false, fmt.Sprintf("at most %d processes and threads may run, 30 do, and a run needs up to %d more: raise the limit (a user's, ulimit -u)", 29+need, need)},
		{user, 1, true, ""},
		{user, math.MaxInt64, false, ""},
		{group(two, "sys/fs/cgroup/user.slice/a.scope", need, 0), math.MaxInt64, false, ""},
		{group(two, "sys/fs/cgroup/user.slice/a.scope", need, 1), math.MaxInt64, false, "user.slice/a.scope/pids.max)"},
		{group(two, "sys/fs/cgroup/user.slice", need, 1), math.MaxInt64, false, "user.slice/pids.max)"},
		{group("0::/\n", "sys/fs/cgroup", need, 1), math.MaxInt64, false, "sys/fs/cgroup/pids.max)"},
		{group(one, "sys/fs/cgroup/pids/docker/abc", need, 1), math.MaxInt64, false, "docker/abc/pids.max)"},
		{group(one, "sys/fs/cgroup/pids", need, 1), math.MaxInt64, false, "sys/fs/cgroup/pids/pids.max)"},
		{group(one, "sys/fs/cgroup/pids", need, 0), math.MaxInt64, false, ""},
		{group(one, "sys/fs/cgroup/cpu/x", need, 9), math.MaxInt64, false, ""},
		{map[string]string{"proc/self/cgroup": two, "sys/fs/cgroup/user.slice/pids.max": "max\n", "sys/fs/cgroup/user.slice/pids.current": "7\n"}, math.MaxInt64, false, ""},
		{nil, math.MaxInt64, false, ""},
	} {
		root := t.TempDir()
		for name, text := range c.files {
			path := filepath.Join(root, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		err := enoughThreads(root, uint64(c.limit), c.exempt)
		if (err == nil) != (c.want == "") || err != nil && !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v, %d: %v, want %q", c.files, c.limit, err, c.want)
		}
	}
}
