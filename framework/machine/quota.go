package machine

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// CPUQuota is how many CPUs' time the control groups of this process allow it, by the
// lowest limit of them; 0 without one. It is cpu.max of version 2 (Linux, "Control Group
// v2"), and cpu.cfs_quota_us by cpu.cfs_period_us of version 1 ("CFS Bandwidth Control").
// Where a container shows its own groups alone, the folders that are there count.
func (t Tree) CPUQuota() float64 {
	lowest := 0.0
	limit := func(quota, period string) {
		q, err1 := strconv.ParseFloat(quota, 64)
		p, err2 := strconv.ParseFloat(period, 64)
		if err1 != nil || err2 != nil || q <= 0 || p <= 0 { // "max", or -1
			return
		}
		if cpus := q / p; lowest == 0 || cpus < lowest {
			lowest = cpus
		}
	}
	for line := range strings.Lines(t.Text("proc/self/cgroup")) { // cgroups(7)
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		var mounts []string
		switch controllers := strings.Split(parts[1], ","); {
		case parts[1] == "":
			mounts = []string{"", "unified"}
		case slices.Contains(controllers, "cpu"):
			mounts = []string{parts[1], "cpu"}
		}
		for _, mount := range mounts {
			for group := path.Clean("/" + parts[2]); ; group = path.Dir(group) {
				folder := path.Join("sys/fs/cgroup", mount, group)
				if quota, period, ok := strings.Cut(t.Text(path.Join(folder, "cpu.max")), " "); ok {
					limit(quota, period)
				}
				limit(t.Text(path.Join(folder, "cpu.cfs_quota_us")), t.Text(path.Join(folder, "cpu.cfs_period_us")))
				if group == "/" {
					break
				}
			}
		}
	}
	return lowest
}
