package machine

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestParseCPUs(t *testing.T) {
	for text, want := range map[string]CPUs{
		"0": {0}, "0-2,5": {0, 1, 2, 5}, "3,1": {3, 1}, "": nil, "x": nil, "1-": nil, "-2": nil, "1,,2": nil, "0-70000": nil,
	} {
		if got := ParseCPUs(text); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if n := len(ParseCPUs("4-65540")); n != 1<<16+1 {
		t.Errorf("the longest list has %d CPUs", n)
	}
	for want, c := range map[string]CPUs{"0-2,5": {0, 1, 2, 5}, "1,3": {1, 3}, "0-1": {0, 1}, "": nil} {
		if got := c.String(); got != want {
			t.Errorf("%v: %q, want %q", []int(c), got, want)
		}
	}
}

func TestAllowedCPUs(t *testing.T) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	want := ParseCPUs(field(string(status), "Cpus_allowed_list:"))
	got := AllowedCPUs()
	if len(got) == 0 || !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	set := got.Set()
	if set.Count() != len(got) || !set.IsSet(got[0]) || !set.IsSet(got[len(got)-1]) {
		t.Errorf("set of %v has %d CPUs", got, set.Count())
	}
}

func TestBest(t *testing.T) {
	files := map[string]string{}
	cpu := func(n int, siblings, clock, pkg string) {
		maps.Copy(files, map[string]string{
			cpuFile(n, "topology/thread_siblings_list"): siblings + "\n",
			cpuFile(n, "cpufreq/cpuinfo_max_freq"):      clock + "\n",
			cpuFile(n, "topology/physical_package_id"):  pkg + "\n",
		})
	}
	// Two cores of two threads each, numbered as Linux does on x86.
	cpu(0, "0,2", "3000000", "0")
	cpu(2, "0,2", "3000000", "0")
	cpu(1, "1,3", "3000000", "0")
	cpu(3, "1,3", "3000000", "0")
	// Two faster cores without a second thread.
	cpu(4, "4", "4000000", "0")
	cpu(5, "5", "4000000", "0")
	root := tree(t, files)
	all := CPUs{0, 1, 2, 3, 4, 5}
	for n, want := range map[int]CPUs{1: {4}, 2: {4, 5}, 3: {0, 4, 5}, 4: {0, 1, 4, 5}, 5: {0, 1, 2, 4, 5}, 9: all} {
		if got := root.Best(all, n); !slices.Equal(got, want) {
			t.Errorf("best %d CPUs are %v, want %v", n, got, want)
		}
	}
	if got := root.Best(CPUs{2, 3}, 1); !slices.Equal(got, CPUs{2}) {
		t.Errorf("best of CPUs 2 and 3 is %v", got)
	}
	if got := tree(t, nil).Best(CPUs{0, 1, 2}, 2); !slices.Equal(got, CPUs{0, 1}) {
		t.Errorf("without topology the best two of three are %v", got)
	}
	// Two cores of two threads, numbered one after the other.
	clear(files)
	for n, siblings := range []string{"0-1", "0-1", "2-3", "2-3"} {
		cpu(n, siblings, "3000000", "0")
	}
	if got := tree(t, files).Best(CPUs{0, 1, 2, 3}, 2); !slices.Equal(got, CPUs{0, 2}) {
		t.Errorf("one thread of each core: %v, want 0 and 2", got)
	}
	// Two packages whose cores take turns in the numbering.
	clear(files)
	for n, pkg := range []string{"0", "1", "0", "1"} {
		cpu(n, "", "3000000", pkg)
	}
	if got := tree(t, files).Best(CPUs{0, 1, 2, 3}, 2); !slices.Equal(got, CPUs{0, 2}) {
		t.Errorf("best two in one package are %v", got)
	}
}

func TestLastLevelCache(t *testing.T) {
	files := map[string]string{}
	put := func(cpu, index, level, kind, size, shared string) {
		dir := "sys/devices/system/cpu/cpu" + cpu + "/cache/index" + index + "/"
		for name, text := range map[string]string{"level": level, "type": kind, "size": size, "shared_cpu_list": shared} {
			files[dir+name] = text + "\n"
		}
	}
	for _, c := range []struct{ cpu, shared string }{{"0", "0-1"}, {"1", "0-1"}, {"2", "2-3"}} {
		put(c.cpu, "0", "1", "Data", "48K", c.cpu)
		put(c.cpu, "1", "1", "Instruction", "32K", c.cpu)
		put(c.cpu, "3", "3", "Unified", "32768K", c.shared)
	}
	root := tree(t, files)
	for _, c := range []struct {
		cpus CPUs
		want int64
	}{{CPUs{0}, 32 << 20}, {CPUs{0, 1}, 32 << 20}, {CPUs{0, 1, 2}, 64 << 20}, {CPUs{7}, 0}} {
		if got := root.LastLevelCache(c.cpus); got != c.want {
			t.Errorf("CPUs %v share %d bytes, want %d", c.cpus, got, c.want)
		}
	}
	for text, want := range map[string]int64{"512K": 512 << 10, "100": 100, "": 0, "x": 0} {
		if got := cacheSize(text); got != want {
			t.Errorf("size %q is %d, want %d", text, got, want)
		}
	}
}

// field is what follows a name at the start of a line.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// Devices get whole cores, of those near to them where that tells them apart.
func TestApart(t *testing.T) {
	files := map[string]string{}
	for cpu := range 8 { // cores of two threads: 0 and 4, 1 and 5, …
		files[cpuFile(cpu, "topology/thread_siblings_list")] = CPUs{cpu % 4, cpu%4 + 4}.String() + "\n"
	}
	all := CPUs{0, 1, 2, 3, 4, 5, 6, 7}
	for _, c := range []struct {
		near string // lists of three devices
		cpus CPUs
		want string
	}{
		{"", all, "0-1,4-5 2,6 3,7"},
		{"0-7 0-7 0-7", all, "0-1,4-5 2,6 3,7"},
		{"0-1,4-5 0-1,4-5 2-3,6-7", all, "0,4 1,5 2-3,6-7"},
		{"2-3,6-7 0-1,4-5 2-3,6-7", all, "2,6 0-1,4-5 3,7"},
		{"0-3 2-7 1", all, "0-1,4-5 2,6 3,7"},             // they overlap
		{"0-1,4-5 0-1,4-5 2-3,6-7", CPUs{0, 4, 1, 5}, ""}, // no core is near the third, and there are two
		{"", CPUs{0, 4, 1}, ""},
	} {
		for i, list := range strings.Fields(c.near) {
			files["sys/bus/pci/devices/"+[]string{"a", "b", "c"}[i]+"/local_cpulist"] = list + "\n"
		}
		var got []string
		for _, part := range tree(t, files).Apart(c.cpus, []string{"a", "b", "c"}) {
			got = append(got, part.String())
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("near %q of %v: %q, want %q", c.near, c.cpus, text, c.want)
		}
	}
}
