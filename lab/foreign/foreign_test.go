package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What bench verify says of each config decides where its versions are counted.
func TestTable(t *testing.T) {
	said := map[string]struct{ out, message string }{
		"a.json": {out: `[{"versions": [
			{"version": "new", "ok": 1}, {"version": "old", "ok": 1, "unchecked": 1},
			{"version": "lost", "failures": [{"status": "failed", "reason": "compile a.cu: exit status 1 a.cu:4:1: error: 'tex2D' was | not declared"}]},
			{"version": "late", "failures": [{"status": "timeout", "reason": "still here"}]},
			{"version": "off", "failures": [{"status": "wrong", "reason": "y: largest error"}]}]}]`},
		"b/c.json": {message: "c.json:1:2: algorithm:\n what is wrong"},
	}
	folder := t.TempDir()
	for name := range said {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := tryAll(folder, func(config string) (out, message []byte, err error) {
		name, err := filepath.Rel(folder, config)
		return []byte(said[name].out), []byte(said[name].message), err
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := write(&b, list); err != nil {
		t.Fatal(err)
	}
	const want = `| config | version | | reason |
|---|---|---|---|
| a.json | lost | does not compile | 'tex2D' was \| not declared |
| a.json | late | does not run | still here |
| a.json | off | is wrong | y: largest error |
| b/c.json |  | config refused | c.json:1:2: algorithm: what is wrong |

of 6: 1 config refused; 1 does not compile; 1 does not run; 1 is wrong; 1 runs, and has nothing to compare with; 1 is right
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}
