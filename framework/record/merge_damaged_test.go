package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/framework/plan"
)

// TestMergeWithoutHeaders: a journal that lost its beginning, or all, is passed over where the
// run's files are whole, as if it were not there.
func TestMergeWithoutHeaders(t *testing.T) {
	above := t.TempDir()
	b := board(1e-6, 64, 128)
	dir := b.write(t, filepath.Join(above, "run"))
	if err := Write(dir, NewRun(b.sessions[0], "fft", []plan.Axis{{Name: "N", Unit: "points", Count: 2}}, b.results[0])); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, JournalFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want []byte
	for name, text := range map[string][]byte{"none": nil, "empty": {}, "half": whole[len(whole)/2:],
		"results alone": whole[bytes.Index(whole, []byte(`","started":`))-len(`{"crc32c":"00000000`):]} {
		err := os.Remove(path)
		if text != nil {
			err = errors.Join(err, os.WriteFile(path, text, 0o666))
		}
		if err != nil {
			t.Fatal(err)
		}
		out, m := merged(t, MergeOptions{}, dir)
		if said := strings.Join(m.Notes, "\n"); (text != nil) != strings.Contains(said, "the run's files are merged instead") || m.Rows != 2 || len(m.Devices) != 1 {
			t.Errorf("%s: %q, %+v", name, said, m)
		}
		got, err := os.ReadFile(filepath.Join(out, "fft_time.csv"))
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, InfoFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge([]Part{{Dir: dir}}, filepath.Join(above, "out"), MergeOptions{}); err == nil {
		t.Error("nothing was merged")
	}
}

// TestMergeWithoutUnreadableResults: a whole line whose result is none of this build's costs that
// result, with a note.
func TestMergeWithoutUnreadableResults(t *testing.T) {
	for _, c := range []struct{ result, why string }{
		{`{"point":{"id":0,"params":{"N":1}},"status":"good"}`, `status is "good", want ok`},
		{`{"point":{"id":0,"params":{"N":1}},"status":"ok","elapsed_s":"long"}`, "elapsed_s"},
		{`{"point":{"id":0,"params":{"N":1}},"status":"ok","non_finite":{"elapsed_s":"much"},"elapsed_s":1}`, "want NaN, +Inf or -Inf"},
		{`{"status":"ok","point":{"id":0,"params":{"N":1}}}`, "does not begin with its point"},
	} {
		dir := board(1e-6, 64, 128).write(t, filepath.Join(t.TempDir(), "run"))
		path := filepath.Join(dir, JournalFile)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, append(text, encodeBody([]byte(`"result":`+c.result))...), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		_, m := merged(t, MergeOptions{}, dir)
		if m.Rows != 2 || len(m.Notes) != 1 || !strings.Contains(m.Notes[0], c.why) || strings.Contains(m.Notes[0], "\n") {
			t.Errorf("%s: %+v", c.result, m)
		}
	}
}

// TestPrefixIsAFilesName: what was received names no file elsewhere.
func TestPrefixIsAFilesName(t *testing.T) {
	for _, prefix := range []string{"../x", "a/b", "/tmp/x", "..", ".", "a\\b", "a\x00"} {
		b := board(1e-6, 64)
		b.header.Prefix = prefix
		journal := b.write(t, filepath.Join(t.TempDir(), "run"))
		files := t.TempDir()
		if err := Write(files, NewRun(b.sessions[0], "fft", nil, b.results[0])); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(files, InfoFile)
		text, err := os.ReadFile(path)
		if err == nil {
			quoted := strings.NewReplacer(`\`, `\\`, "\x00", `\u0000`).Replace(prefix)
			err = os.WriteFile(path, bytes.Replace(text, []byte(`"prefix": "fft"`), []byte(`"prefix": "`+quoted+`"`), 1), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{journal, files} {
			if _, err := Read(dir); err == nil || !strings.Contains(err.Error(), "without folders") {
				t.Errorf("%q is read: %v", prefix, err)
			}
			if _, err := Merge([]Part{{Dir: dir}}, filepath.Join(t.TempDir(), "out"), MergeOptions{}); err == nil || !strings.Contains(err.Error(), "without folders") {
				t.Errorf("%q is merged: %v", prefix, err)
			}
		}
		if err := Write(t.TempDir(), NewRun(b.sessions[0], prefix, nil, b.results[0])); err == nil && strings.ContainsAny(prefix, "/\x00") {
			t.Errorf("%q is written", prefix)
		}
	}
	for _, prefix := range []string{"", "fft", "ü b", "a.b"} {
		if err := CheckPrefix(prefix); err != nil {
			t.Error(err)
		}
	}
}
