package jetson

import "testing"

// FuzzRelease: a file of any content is of a release, or of none; each has a text.
func FuzzRelease(f *testing.F) {
	f.Add([]byte("# R36 (release), REVISION: 4.3, GCID: 38968081, BOARD: generic, EABI: aarch64"))
	f.Add([]byte("# R99999999999999999999 (release), REVISION: 1"))
	f.Add([]byte("R32 (release), REVISION: 7\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r := parseRelease(text)
		if r.Major < 0 || r.Minor < 0 || r.CUDA() == "" && r.Package("cuda-nvrtc") != "" {
			t.Errorf("%+v", r)
		}
	})
}
