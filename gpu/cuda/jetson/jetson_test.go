package jetson

import (
	"os"
	"path/filepath"
	"testing"
)

// board has these files.
func board(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(root, "etc", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestPackagesOfReleases: packages are named as the board's own release has them.
func TestPackagesOfReleases(t *testing.T) {
	for release, want := range map[string][3]string{
		"# R24 (release), REVISION: 2.1, GCID: 8028265, BOARD: t210ref":            {"8.0", "cuda-nvrtc-8-0", "cuda-cufft-8-0"},
		"# R28 (release), REVISION: 1.0, GCID: 9379712":                            {"8.0", "cuda-nvrtc-8-0", "cuda-cufft-8-0"},
		"# R28 (release), REVISION: 2.1, GCID: 11272647":                           {"9.0", "cuda-nvrtc-9-0", "cuda-cufft-9-0"},
		"# R32 (release), REVISION: 3.1, GCID: 18186506":                           {"10.0", "cuda-nvrtc-10-0", "cuda-cufft-10-0"},
		"# R32 (release), REVISION: 7.1, GCID: 29689809":                           {"10.2", "cuda-nvrtc-10-2", "cuda-cufft-10-2"},
		"# R35 (release), REVISION: 4.1, GCID: 33958178":                           {"11.4", "cuda-nvrtc-11-4", "libcufft-11-4"},
		"# R36 (release), REVISION: 3.0, GCID: 36191598":                           {"12.2", "cuda-nvrtc-12-2", "libcufft-12-2"},
		"# R36 (release), REVISION: 4.4, GCID: 41062509":                           {"12.6", "cuda-nvrtc-12-6", "libcufft-12-6"},
		"# R38 (release), REVISION: 2.0, GCID: 41844464":                           {"13.0", "cuda-nvrtc-13-0", "libcufft-13-0"},
		"# R39 (release), REVISION: 0.0, GCID: 1":                                  {"13.2", "cuda-nvrtc-13-2", "libcufft-13-2"},
		"# R40 (release), REVISION: 1.0, GCID: 1":                                  {},
		"# R21 (release), REVISION: 5.0, GCID: 7273100":                            {},
		"# R99999999999999999999 (release), REVISION: 99999999999999999999, GCID:": {},
		"something else": {},
	} {
		r := ReleaseOf(board(t, map[string]string{"nv_tegra_release": release + "\n"}))
		if got := [3]string{r.CUDA(), r.Package("cuda-nvrtc"), r.Package("libcufft")}; got != want {
			t.Errorf("%s: %q, want %q", release, got, want)
		}
	}
	if p := (Release{32, 7}).Package("libcublas"); p != "libcublas10" {
		t.Errorf("cuBLAS of CUDA 10.2 is %s", p)
	}
}

func TestHints(t *testing.T) {
	nano := board(t, map[string]string{"nv_tegra_release": "# R32 (release), REVISION: 7.1, GCID: 1\n"})
	none := board(t, nil)
	for _, c := range []struct{ root, want string }{
		{nano, "`apt-get install cuda-npp-10-2`"}, {none, "NVIDIA's repository: libnpp-12-9 or libnpp-13-0"},
	} {
		if got := hint(c.root, "libnpp"); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got, want := Packages(nano), "of L4T 32.7, CUDA 10.2: cuda-nvrtc-10-2, which compiles kernels; for peers cuda-cufft-10-2, libcublas10, "+
		"cuda-cusolver-10-2, cuda-cusparse-10-2, cuda-npp-10-2, libfftw3-single3, libfftw3-double3, libopenblas-base"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Packages(none); got != "" {
		t.Errorf("packages of no board: %q", got)
	}
}
