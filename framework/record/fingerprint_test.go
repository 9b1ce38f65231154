package record

import (
	"testing"
	"testing/fstest"
)

func TestFingerprint(t *testing.T) {
	tree := func(files ...string) fstest.MapFS {
		fs := fstest.MapFS{}
		for i := 0; i < len(files); i += 2 {
			fs[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
		}
		return fs
	}
	of := func(files ...string) string {
		t.Helper()
		sum, err := FingerprintOf(tree(files...))
		if err != nil || len(sum) != 64 {
			t.Fatalf("%q, %v", sum, err)
		}
		return sum
	}
	base := of("a/x.go", "package a", "a/k.cu", "kernel")
	if of("a/k.cu", "kernel", "a/x.go", "package a", "a/x_test.go", "any") != base {
		t.Error("tests are part of it")
	}
	for _, other := range [][]string{
		{"a/x.go", "package a", "a/k.cu", "kernel2"},
		{"a/x.go", "package a", "a/l.cu", "kernel"},
		{"a/x.go", "package a", "a/k.cu", "kernel", "b.s", ""},
		{"a/x.go", "package a\na/k.cu 6\nkernel"},
	} {
		if of(other...) == base {
			t.Errorf("%q has the same", other)
		}
	}
	if len(program()) != 64 || fingerprint() != "" {
		t.Errorf("program %q, fingerprint %q of no sources", program(), fingerprint())
	}
}
