package command_test

import (
	"strings"
	"testing"

	"bench/test/tree"
)

// Of a copied tree doctor prints what the tree tells: nothing is of this
// machine, and what the tree lacks is not good.
func TestDoctorOfATree(t *testing.T) {
	t.Parallel()
	root := tree.Unpack(t, "../powermode/testdata/jetson-nano-l4t32.txtar")
	write(t, root+"/proc/device-tree/model", "NVIDIA Jetson Nano Developer Kit\x00")
	status, out, _ := execute(t, t.TempDir(), benchPath, "doctor", "--root", root)
	for _, want := range []string{
		"ok       board          NVIDIA Jetson Nano Developer Kit\n",
		"missing  CPU            not told by " + root + "\n",
		"missing  memory         not told by " + root + "\n",
		"missing  ina3221        no INA3221 power monitor below " + root,
		"ok       nvpmodel       0 MAXN, 1 5W\n",
		"ok       mode now       0\n",
	} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("status %d, want %q in\n%s", status, want, out)
		}
	}
	for _, here := range []string{"0 CPUs", "0.0 GiB", "usable", "amd64", "arm64", "load ", "warning", "NVRTC", "simulator", "fftw", "cache"} {
		if strings.Contains(out, here) {
			t.Errorf("%q is not of the tree:\n%s", here, out)
		}
	}
}
