package engine

import (
	"slices"
	"testing"

	"example.org/bench/framework/record"
)

func TestLibrariesIn(t *testing.T) {
	const maps = `00400000-00401000 r-xp 00000000 08:01 11 /usr/bin/bench
7f0000000000-7f0000001000 r-xp 00000000 08:01 12 /usr/lib/libcufft.so.12.0.0
7f0000001000-7f0000002000 r--p 00001000 08:01 12 /usr/lib/libcufft.so.12.0.0
7f0000002000-7f0000003000 rw-p 00000000 00:00 0
7f0000003000-7f0000004000 r-xp 00000000 08:01 13 /usr/lib/libblas.so
7ffc00000000-7ffc00001000 rw-p 00000000 00:00 0 [stack]`
	want := []record.Library{{Name: "blas", File: "libblas.so"}, {Name: "cufft", File: "libcufft.so.12.0.0", Version: "12.0.0"}}
	if got := librariesIn(maps); !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
