package command

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"example.org/bench/algorithms"
	"example.org/bench/framework"
	"example.org/bench/sensors"
)

// On a system without Linux what measures says in one line what it needs, whatever it is
// given, and what reads results works.
func TestElsewhere(t *testing.T) {
	execute := func(args ...string) (out string, err error) {
		var b bytes.Buffer
		a := &app{registry: framework.NewRegistry(algorithms.All(), sensors.All()), out: &b, err: &b}
		root := a.root()
		readOnly(root, "plan9")
		root.SetArgs(args)
		err = root.ExecuteContext(t.Context())
		return b.String(), err
	}
	for _, args := range [][]string{{"run", "absent.json"}, {"run"}, {"tune", "x", "y"}, {"doctor"}, {"energy", "true"}, {"modes"}, {"worker"}} {
		_, err := execute(args...)
		s, ok := err.(*statusError)
		if want := "bench " + args[0] + " needs Linux (amd64 or arm64), and this is plan9: "; !ok || s.status != exitUsage || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: %v", args, err)
		}
	}
	for _, args := range [][]string{{"compare", "../results/literature/tx2-mode0", "../results/literature/tx2-mode1", "--by", "power_mode"}, {"version"}, {"schema"}, {"list"},
		{"validate", "../configs/fft.json"}, {"export", "--to", "csv", "../results/epyc-fft", "--out", t.TempDir()}} {
		if out, err := execute(args...); err != nil || out == "" {
			t.Errorf("%v: %v\n%s", args, err, out)
		}
	}
	var names []string
	for _, c := range (&app{registry: framework.NewRegistry(nil, nil)}).root().Commands() {
		names = append(names, c.Name())
	}
	for _, name := range onLinux {
		if !slices.Contains(names, name) {
			t.Errorf("%s is no verb", name)
		}
	}
	for _, name := range []string{"report", "compare", "plot", "replay", "export", "merge", "import", "validate", "schema", "man"} {
		if !slices.Contains(names, name) || slices.Contains(onLinux, name) {
			t.Errorf("%s does not work elsewhere", name)
		}
	}
}
