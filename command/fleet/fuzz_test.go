package fleet

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.org/bench/internal/safefile/safefiletest"
	"example.org/bench/test/damage"
)

const goodFleet = `{"ssh": ["ssh"], "folder": ".cache/bench-fleet", "configs": ["/c/s.json"], "binaries": [], "runs": [{"prefix": "s", "args": ["configs/0/s.json"]}], "boards": [
 {"host": "orin1", "name": "orin1", "job": ".cache/bench-fleet/orin1-20260101-000000-0123abcd", "sent": true, "state": {"phase": "running", "status": 0, "reason": "none"}, "fetched": false},
 {"host": "me@orin2", "name": "me_orin2", "sent": false, "state": {"phase": "", "status": 0}}]}`

const goodArray = `{"program": "/s/slurm/bench", "sbatch": ["--gres=gpu:1"], "tasks": [{"prefix": "s", "args": ["/c/s.json"]}, {"prefix": "t", "args": []}], "scripts": [{"file": "job-1.sh", "tasks": [0, 1], "job": "7"}], "program_sha256": "x"}`

// seeded adds a good text and changes of it.
func seeded(f *testing.F, good string, each int) {
	for seed := range each + 1 {
		f.Add([]byte(good), uint64(seed))
	}
}

// FuzzFleet: a fleet's file of any content is refused in a line, or has boards whose names stay
// in its folder and hosts that are no options.
func FuzzFleet(f *testing.F) {
	seeded(f, goodFleet, 60)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if err := os.WriteFile(filepath.Join(dir, File), damage.Change(seed, File, text), 0o600); err != nil {
			t.Fatal(err)
		}
		damage.CheckMemory(t, 4<<20+2000*len(text), func() {
			fleet, err := Open(dir, Given{}, func(string, ...any) {})
			if damage.CheckError(t, err); err != nil {
				return
			}
			defer fleet.Close()
			for _, b := range fleet.Boards {
				if strings.HasPrefix(b.Host, "-") || strings.ContainsAny(b.Name, "/\\") || strings.HasPrefix(b.Name, "..") || strings.Contains(b.Job, "..") {
					t.Errorf("board %+v", b)
				}
			}
			if len(fleet.SSH) != 1 || fleet.SSH[0] != DefaultSSH {
				t.Errorf("it starts %q", fleet.SSH)
			}
		})
	})
}

// FuzzArray: a cluster's file of any content is refused in a line, or has tasks and scripts that
// are there; it is nobody's, and so submits nothing.
func FuzzArray(f *testing.F) {
	seeded(f, goodArray, 60)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if err := os.WriteFile(filepath.Join(dir, ArrayFile), damage.Change(seed, ArrayFile, text), 0o600); err != nil {
			t.Fatal(err)
		}
		a, err := OpenArray(dir, func(string, ...any) {})
		if damage.CheckError(t, err); err != nil {
			return
		}
		defer a.Close()
		for _, s := range a.Scripts {
			a.text(s)
		}
		if a.own || a.ready() == nil {
			t.Errorf("%s would be submitted", text)
		}
	})
}

// FuzzJob: what was copied to a board is refused in a line, or is a job; so its state.
func FuzzJob(f *testing.F) {
	seeded(f, `{"name": "orin1", "runs": [{"prefix": "s", "args": ["configs/0/s.json", "--set", "N=1"]}]}`, 30)
	seeded(f, `{"phase": "done", "status": 1, "reason": "none"}`, 30)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		text = damage.Change(seed, jobFile, text)
		for _, name := range []string{jobFile, stateFile} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		damage.CheckMemory(t, 4<<20+2000*len(text), func() {
			_, err := readJob(dir)
			damage.CheckError(t, err)
			s, err := stateOf(dir)
			if damage.CheckError(t, err); err == nil && strings.ContainsAny(s.Reason+s.Phase, "\r\n") {
				t.Errorf("%+v", s)
			}
		})
	})
}

// FuzzFrames: what a board sends while it is followed ends in a state or in an error of a line;
// pieces have the length that was said.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("Welcome!\n{}\n{\"run\":\"s\",\"from\":0,\"bytes\":4}\nabc\n{\"state\":{\"phase\":\"done\",\"status\":0}}\n"))
	f.Add([]byte("{\"run\":\"s\",\"bytes\":4194305}\n"))
	f.Add([]byte("{\"run\":\"s\",\"bytes\":-1}\n"))
	f.Add([]byte("{\"state\":{\"reason\":\"x\\n::error::y\"}}"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		damage.CheckMemory(t, (8<<20)+len(sent)*2000+bytes.Count(sent, []byte("bytes"))*maxFrame, func() {
			took := 0
			s, err := receive(bytes.NewReader(sent), func(_ string, _ int64, text []byte) error {
				took += len(text)
				return nil
			}, func(State) {})
			damage.CheckError(t, err)
			if took > len(sent) {
				t.Errorf("%d bytes of %d", took, len(sent))
			}
			if strings.ContainsAny(s.Reason, "\r\n\u2028") {
				t.Errorf("%q", s.Reason)
			}
		})
	})
}

// FuzzArchive: an archive of a board's makes files in its folder alone, no more than it has bytes.
func FuzzArchive(f *testing.F) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{{Name: "results/s/journal.jsonl", Size: 3, Mode: 0o644}, {Name: "results", Typeflag: tar.TypeDir}, {Name: "../outside", Size: 0}, {Name: "/outside"}, {Name: "x", Typeflag: tar.TypeSymlink, Linkname: "/"}, {Name: "x/outside"}} {
		if err := w.WriteHeader(&h); err != nil {
			f.Fatal(err)
		}
		io.CopyN(w, strings.NewReader("abc"), h.Size)
	}
	w.Close()
	for seed := range 20 {
		f.Add(b.Bytes(), uint64(seed))
	}
	f.Add(sparse(f), uint64(0))
	f.Fuzz(func(t *testing.T, archive []byte, seed uint64) {
		above := t.TempDir()
		root := safefiletest.Hold(t, filepath.Join(above, "in"))
		damage.CheckMemory(t, 16<<20+1000*len(archive), func() {
			damage.CheckError(t, unpack(bytes.NewReader(damage.Change(seed, "x.tar", archive)), root))
		})
		if all, _ := os.ReadDir(above); len(all) != 1 {
			t.Errorf("outside: %v", all)
		}
		size := int64(0)
		filepath.Walk(above, func(_ string, info os.FileInfo, err error) error {
			if err == nil && info.Mode().IsRegular() {
				size += info.Size()
			}
			return nil
		})
		if size > int64(len(archive)+5000) {
			t.Errorf("%d bytes of %d", size, len(archive))
		}
	})
}

// sparse is an archive of one sparse file, which has a hole alone (GNU tar, "PAX Format, Version
// 1.0").
func sparse(t testing.TB) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	real := strings.Repeat("9", 13)
	data := make([]byte, 512)
	copy(data, "1\n"+real+"\n0\n")
	// The writer refuses these keys: others of their length stand in for them.
	h := &tar.Header{Name: "GNUSparseFile.0/x", Size: 512, Mode: 0o644, Format: tar.FormatPAX, PAXRecords: map[string]string{
		"GNU_sparse.major": "1", "GNU_sparse.minor": "0", "GNU_sparse.name": "results/x", "GNU_sparse.realsize": real}}
	if err := w.WriteHeader(h); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	w.Close()
	return bytes.ReplaceAll(b.Bytes(), []byte("GNU_sparse."), []byte("GNU.sparse."))
}

// TestSparseFile: some bytes of an archive make no file of terabytes.
func TestSparseFile(t *testing.T) {
	if err := unpack(bytes.NewReader(sparse(t)), safefiletest.Hold(t, t.TempDir())); err == nil || !strings.Contains(err.Error(), "is a sparse file") {
		t.Error(err)
	}
}

// FuzzSlurm: whatever squeue and scontrol answer, and a profile holds, tasks are the array's own
// and numbers are above 0.
func FuzzSlurm(f *testing.F) {
	f.Add("7 0 PENDING launch failed requeued held\n7 1 RUNNING None\n8 0 RUNNING x\n7 5 RUNNING\n7 -1 FAILED\n\n7 x y z w\n")
	f.Add("MaxArraySize            = 1001\nMaxArraySize = 0\n")
	f.Add("# a profile\n--partition=gpu\n\n--gres=gpu:1\r\n-x\u2028y")
	a := &Array{Tasks: make([]task, 2), Scripts: []script{{File: "job-1.sh", Tasks: []int{1, 0}, Job: "7"}}}
	f.Fuzz(func(t *testing.T, said string) {
		for n, q := range a.parseQueue(said) {
			if n < 0 || n >= len(a.Tasks) || !strings.HasPrefix(q.id, "7_") {
				t.Errorf("task %d: %+v", n, q)
			}
			damage.CheckLine(t, q.state+".")
		}
		if n := parseArraySize([]byte(said)); n < 1 {
			t.Errorf("arrays of %d tasks", n)
		}
		for _, o := range parseProfile(said) {
			if o == "" || strings.Contains(o, "\n") {
				t.Errorf("option %q", o)
			}
		}
	})
}

// FuzzSaid: what ssh and a board's log say last is one line, and not endless.
func FuzzSaid(f *testing.F) {
	f.Add([]byte("Warning: Permanently added 'x'\r\nssh: connect to host x port 22: Connection refused\r\n"))
	f.Add([]byte("x\r::error::y\u2028z"))
	f.Add([]byte(strings.Repeat("x", 5000)))
	f.Add([]byte(strings.Repeat("ä", 5000)))
	f.Fuzz(func(t *testing.T, said []byte) {
		damage.CheckLine(t, lastLine(said)+".")
		damage.CheckError(t, (ssh{host: "orin1"}).failed(t.Context(), io.EOF, said))
	})
}
