package record

import (
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/measure"
)

// TestResultOfAText: a result is read with whatever its texts hold, and the text stays; what
// is no result is refused.
func TestResultOfAText(t *testing.T) {
	r := board(1e-6, 64).results[0][0]
	r.Reason, r.Notes = `a "quoted" reason with } and ] and \`, []string{"{", "[1, 2"}
	r.Checks = []framework.Check{{Error: math.NaN(), Bound: 1}}
	r.Energy = &measure.Energy{Samples: []measure.PowerSample{{Sensor: "s", Channel: "c", Time: 1, Value: 2}}}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var known mergePoints
	was := string(text)
	got, point, rest, err := known.result(text)
	isNaN := len(got.Checks) == 1 && math.IsNaN(got.Checks[0].Error)
	got.Checks, r.Checks = nil, nil
	if err != nil || !isNaN || !reflect.DeepEqual(got, r) || point.key != r.Point.Key() || !strings.HasPrefix(string(rest), `,"status":`) || string(text) != was {
		t.Errorf("%v\n%+v\n%s\nwant %+v", err, got, text, r)
	}
	for _, bad := range []string{"", "{", "{}", `{"status":"ok"}`, `{"point":`, `{"point":{`, `{"point":{}`, `{"point":{}}`, `{"point":{},`, `{"point":{},"status":"ok"`, `{"point":{},"status":"good"}`, `{"point":1,"status":"ok"}`,
		`{"point":{"a":"\`, `{"point":{},"status":"ok",}`, `{"point":{},"status":"ok"}}`, `[]`} {
		if _, _, _, err := known.result([]byte(bad)); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// TestRenamedKeepsTheRest: a result gets another number and device; the rest of its line is
// as it was, what this program does not know included.
func TestRenamedKeepsTheRest(t *testing.T) {
	for _, r := range board(1e-6, 64, 128).results[0] {
		r.Point.Instance, r.Point.Version, r.Point.PowerMode = 2, `x,"device":"cpu"`, `15 W "max"`
		r.Point.Shared = "cuda:0,1"
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		r.Point.Shared = "" // the device that ran it is told
		text = append(text[:len(text)-1], `,"later":{"a":[1,"}"]}}`...)
		var known mergePoints
		for _, device := range []string{"orin1:cpu", `a "b"<c>:cuda:0`, `,"device":"cpu"`} {
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
