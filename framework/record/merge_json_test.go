package record

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"bench/framework/measure"
	"bench/framework/plan"
)

// TestGlanceReadsAnyJSON: what a merge looks at is the same, however a result is written.
func TestGlanceReadsAnyJSON(t *testing.T) {
	r := board(1e-6, 64).results[0][0]
	r.Reason, r.Notes = `a "quoted" reason with } and ] and \`, []string{"{", "[1, 2"}
	r.TemperatureBefore = map[string]float64{"GPU": 40.5}
	r.Energy = &measure.Energy{Samples: []measure.PowerSample{{Sensor: "s", Channel: "c", Time: 1, Value: 2}}}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.Marshal(members) // in another order
	if err != nil {
		t.Fatal(err)
	}
	var spaced bytes.Buffer
	if err := json.Indent(&spaced, text, " ", "\t"); err != nil {
		t.Fatal(err)
	}
	var want glance
	if err := json.Unmarshal(text, &want); err != nil || !want.Started.Equal(r.Started) {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"as written": string(text), "in another order": string(sorted), "with spaces": spaced.String(),
		"with an escaped name": strings.Replace(string(text), `"started"`, `"st\u0061rted"`, 1)} {
		var got glance
		point, err := got.read([]byte(text))
		var p plan.Point
		if err == nil {
			err = json.Unmarshal(point, &p)
		}
		if err != nil || !reflect.DeepEqual(got, want) || p.Key() != r.Point.Key() {
			t.Errorf("%s: %v\n%+v\n%+v", name, err, got, want)
		}
	}
	for _, bad := range []string{"", "{", "{}", `{"status"`, `{"status":`, `{"status":"ok"`, `{"status":{"a":1}`, `{"status":"ok",}`, `{"status":"ok"}}`, `[]`, `{"a":1`, `{"a`, `{"a":"\`} {
		var got glance
		point, err := got.read([]byte(bad))
		if valid := json.Valid([]byte(bad)); err == nil && (!valid || len(point) > 0) && bad != `[]` {
			t.Errorf("%q is read, with the point %q", bad, point)
		}
	}
}

// TestRenamedKeepsTheRest: a result gets another number and device; the rest of its line is
// as it was, what this program does not know included.
func TestRenamedKeepsTheRest(t *testing.T) {
	for _, r := range board(1e-6, 64, 128).results[0] {
		r.Point.Instance, r.Point.PowerMode = 2, `15 W "max"`
		r.Point.Shared = "cuda:0,1"
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		r.Point.Shared = "" // the device that ran it is told
		text = append(text[:len(text)-1], `,"later":{"a":[1,"}"]}}`...)
		var known mergePoints
		for _, device := range []string{"orin1:cpu", `a "b"<c>:cuda:0`} {
			got, line, err := known.renamed(slices.Clone(text), 12345, device)
			if err != nil {
				t.Fatal(err)
			}
			p := r.Point
			p.ID, p.Device = 12345, device
			point, err := json.Marshal(p)
			if err != nil {
				t.Fatal(err)
			}
			old := valueLength(text[len(`{"point":`):])
			want := encodeBody(slices.Concat([]byte(`"result":{"point":`), point, text[len(`{"point":`)+old:]))
			if string(line) != string(want) {
				t.Errorf("got  %s\nwant %s", line, want)
			}
			r.Point = p
			if !reflect.DeepEqual(got, r) {
				t.Errorf("got  %+v\nwant %+v", got, r)
			}
		}
	}
}

// TestShortNames: each is as short as tells its path from the others.
func TestShortNames(t *testing.T) {
	for _, dirs := range [][]string{{"a"}, {"a", "b"}, {"x/a", "y/a"}, {"x/a", "a"}, {"/x/a", "x/a", "b"}, {"/a", "/b/a", "b/a/"}, {"./r/1", "r/2", "s/2"}, {"a", "a"}} {
		got := ShortNames(dirs)
		for i, name := range got {
			path := filepath.ToSlash(filepath.Clean(dirs[i]))
			is := func(path, end string) bool { return strings.HasSuffix("/"+path, "/"+end) }
			others := func(end string) (n int) {
				for j, d := range dirs {
					if j != i && is(filepath.ToSlash(filepath.Clean(d)), end) {
						n++
					}
				}
				return n
			}
			if !is(path, name) && name != path || others(name) > 0 && name != path {
				t.Errorf("%q: %q does not tell %q from the others", dirs, name, dirs[i])
			}
			if _, shorter, ok := strings.Cut(strings.TrimPrefix(name, "/"), "/"); ok && others(shorter) == 0 {
				t.Errorf("%q: %q is enough for %q, not %q", dirs, shorter, dirs[i], name)
			}
		}
	}
}
