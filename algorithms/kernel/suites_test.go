//go:build suites

package kernel

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework/config"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/sim"
)

// Whole files of public suites compile in the simulator, unchanged: BENCH_SUITES names a folder of repositories, and its
// sources, BENCH_INCLUDE folders of headers, as PATH has them. A study, with the tag suites: nothing of a suite is here.
func TestSuitesCompile(t *testing.T) {
	root := os.Getenv("BENCH_SUITES")
	if root == "" {
		t.Fatal("BENCH_SUITES, a folder of repositories, is missing")
	}
	d, err := sim.Open(1, sim.Checks())
	if err != nil {
		t.Fatal(err)
	}
	search := filepath.SplitList(os.Getenv("BENCH_INCLUDE"))
	count := map[string]int{}
	err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(path) != ".cu" {
			return err
		}
		u, err := readUnit(filepath.Dir(path), sources{filepath.Base(path)}, search, sourceFiles{&config.Config{}}, false)
		if err != nil {
			return err
		}
		s := gpu.Source{Name: path, Text: u.text, Headers: u.headers, Kernels: plainKernels(u.text)}
		if len(s.Kernels) == 0 {
			count["no kernel, or templates alone"]++
			return nil
		}
		if _, err = d.Compile(s); err == nil {
			count["compiles"]++
			return nil
		}
		_, reason, _ := strings.Cut(err.Error(), "error: ")
		reason, _, _ = strings.Cut(reason, "\n")
		count["does not compile"]++
		fmt.Printf("%s: %s\n", strings.TrimPrefix(path, root), reason)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(count)) {
		fmt.Printf("%s: %d\n", name, count[name])
	}
}

var (
	definedKernel = regexp.MustCompile(`(template\s*<[^;{}()]*>\s*)?(?:extern\s+"C"\s+)?(?:static\s+)?__global__[^;{}]*?\b(\w+)\s*\([^;{}]*\)\s*\{`)
	bounds        = regexp.MustCompile(`__launch_bounds__\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`)
	namespaces    = regexp.MustCompile(`\bnamespace\s+(\w+)\s*\{`)
)

// plainKernels returns the kernels that a text defines and that are no templates. Those of a text with one namespace are in it.
func plainKernels(text string) (list []string) {
	text = bounds.ReplaceAllString(comment().ReplaceAllString(text, " "), " ")
	in := ""
	if found := namespaces.FindAllStringSubmatch(text, -1); len(found) == 1 {
		in = found[0][1] + "::"
	}
	for _, m := range definedKernel.FindAllStringSubmatch(text, -1) {
		if m[1] == "" && !slices.Contains(list, in+m[2]) {
			list = append(list, in+m[2])
		}
	}
	return list
}
