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
	// By a short name: a long one is a note below, and how long depends on who runs the tests.
	status, out, _ := execute(t, root, benchPath, "doctor", "--root", ".")
	for _, want := range []string{
		"ok       board          NVIDIA Jetson Nano Developer Kit\n",
		"missing  CPU            not told by .\n",
		"missing  memory         not told by .\n",
		"missing  ina3221        no INA3221 power monitor below sys/",
		"ok       nvpmodel       0 MAXN, 1 5W\n",
		"ok       mode now       0 MAXN\n",
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
	// What the clocks show counts, not only what nvpmodel says.
	write(t, root+"/var/lib/nvpmodel/status", "pmode:0001 fmode:quiet")
	_, out, _ = execute(t, t.TempDir(), benchPath, "doctor", "--root", root)
	if !strings.Contains(out, "ok       mode now       1 5W\n") || !strings.Contains(out, "warning  mode now       nvpmodel says mode 1 (5W), but ") {
		t.Errorf("a mode that is not on:\n%s", out)
	}
	// Packages are named as that board's release has them, not this machine's.
	for release, want := range map[string]string{
		"R28 (release), REVISION: 2.1": "ok       packages       of L4T 28.2, CUDA 9.0: cuda-nvrtc-9-0, which compiles kernels; for peers cuda-cufft-9-0, ",
		"R32 (release), REVISION: 7.1": "of L4T 32.7, CUDA 10.2: cuda-nvrtc-10-2, which compiles kernels; for peers cuda-cufft-10-2, libcublas10, ",
		"R35 (release), REVISION: 4.1": "of L4T 35.4, CUDA 11.4: cuda-nvrtc-11-4, which compiles kernels; for peers libcufft-11-4, libcublas-11-4, ",
		"R36 (release), REVISION: 4.3": "of L4T 36.4, CUDA 12.6: cuda-nvrtc-12-6, ",
		"R38 (release), REVISION: 2.0": "of L4T 38.2, CUDA 13.0: cuda-nvrtc-13-0, ",
		"R39 (release), REVISION: 0.0": "of L4T 39.0, CUDA 13.2: cuda-nvrtc-13-2, ",
	} {
		write(t, root+"/etc/nv_tegra_release", "# "+release+", GCID: 1, BOARD: generic\n")
		if _, out, _ := execute(t, t.TempDir(), benchPath, "doctor", "--root", root); !strings.Contains(out, want) {
			t.Errorf("%s: want %q in\n%s", release, want, out)
		}
	}
}
