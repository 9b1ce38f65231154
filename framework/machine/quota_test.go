package machine

import (
	"strings"
	"testing"
)

func TestCPUQuota(t *testing.T) {
	const v2, v1 = "sys/fs/cgroup/", "sys/fs/cgroup/cpu,cpuacct/"
	for _, c := range []struct {
		name, groups string
		files        map[string]string
		want         float64
	}{
		{"no groups", "", nil, 0},
		{"version 2, no limit", "0::/user.slice/a.scope\n", map[string]string{v2 + "user.slice/a.scope/cpu.max": "max 100000\n"}, 0},
		{"version 2", "0::/user.slice/a.scope\n", map[string]string{v2 + "user.slice/a.scope/cpu.max": "30000 100000\n"}, 0.3},
		{"of a group above", "0::/a/b/c\n", map[string]string{v2 + "a/b/c/cpu.max": "150000 100000\n", v2 + "a/cpu.max": "50000 100000\n"}, 0.5},
		{"of another", "0::/a\n", map[string]string{v2 + "b/cpu.max": "30000 100000\n"}, 0},
		{"a container's own", "0::/\n", map[string]string{v2 + "cpu.max": "200000 100000\n"}, 2},
		{"beside version 1", "1:cpu:/\n0::/x\n", map[string]string{v2 + "unified/x/cpu.max": "30000 100000\n"}, 0.3},
		{"version 1", "4:memory:/m\n3:cpu,cpuacct:/docker/1f\n", map[string]string{v1 + "docker/1f/cpu.cfs_quota_us": "30000\n", v1 + "docker/1f/cpu.cfs_period_us": "100000\n"}, 0.3},
		{"version 1, no limit", "3:cpu,cpuacct:/d\n", map[string]string{v1 + "d/cpu.cfs_quota_us": "-1\n", v1 + "d/cpu.cfs_period_us": "100000\n"}, 0},
		{"version 1, the host's path in a container", "3:cpu,cpuacct:/docker/1f\n", map[string]string{v1 + "cpu.cfs_quota_us": "150000\n", v1 + "cpu.cfs_period_us": "100000\n"}, 1.5},
		{"the controllers' other name", "3:cpu,cpuacct:/\n", map[string]string{"sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "50000\n"}, 1},
		{"no numbers", "0::/a\n3:cpu:/a\nx\n", map[string]string{v2 + "a/cpu.max": "x y\n", "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us": "5\n", "sys/fs/cgroup/cpu/a/cpu.cfs_period_us": "0\n"}, 0},
	} {
		files := merged(map[string]string{"proc/self/cgroup": c.groups}, c.files)
		if got := tree(t, files).CPUQuota(); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestQuotaIsTold beside the CPUs, and as a warning where it is less than these.
func TestQuotaIsTold(t *testing.T) {
	for cpus, want := range map[int]string{2: "this process may use 0.3 of 2 CPUs", 0: ""} {
		files := map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "30000 100000\n"}
		got := strings.Join(tree(t, files).limited(cpus), "\n")
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%d CPUs: %q, want %q", cpus, got, want)
		}
	}
	if got := (Facts{UsableCPUs: 2, CPUQuota: 0.3}).Usable(); got != "2 usable, 0.3 by this cgroup's quota" {
		t.Errorf("%q", got)
	}
	if got := (Facts{UsableCPUs: 2, CPUQuota: 4}).Usable(); got != "2 usable" {
		t.Errorf("a quota above the CPUs: %q", got)
	}
}
