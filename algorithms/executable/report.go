package executable

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// sample is an example of the line that a program prints.
const sample = `{"time_s": 1.5e-3, "flops": 2000, "load_bytes": 16000, "store_bytes": 8000}`

// report is the parsed line that a program prints.
type report struct {
	given map[string]bool
	times []float64 // from time_s (one time) or times_s
	runs  int64     // zero if not given

	flops, load, store         int64
	nominalFLOPs, nominalBytes *int64
	error, bound               *float64
	answer, right              string // .npy files
}

// field reads the value of one field into r.
type field func(r *report, raw json.RawMessage) error

var fields = map[string]field{
	"time_s": func(r *report, raw json.RawMessage) error {
		t, err := seconds(raw)
		r.times = []float64{t}
		return err
	},
	"times_s": func(r *report, raw json.RawMessage) error {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
			return fmt.Errorf("is %s; want a list of seconds, one per run", short(raw))
		}
		r.times = nil
		for _, x := range list {
			t, err := seconds(x)
			if err != nil {
				return err
			}
			r.times = append(r.times, t)
		}
		return nil
	},
	"runs": func(r *report, raw json.RawMessage) (err error) {
		if r.runs, err = count(raw); err == nil && r.runs < 1 {
			err = errors.New("is 0; want at least 1")
		}
		return err
	},
	"flops":       whole(func(r *report, n int64) { r.flops = n }),
	"load_bytes":  whole(func(r *report, n int64) { r.load = n }),
	"store_bytes": whole(func(r *report, n int64) { r.store = n }),
	"nominal_flops": whole(func(r *report, n int64) {
		r.nominalFLOPs = &n
	}),
	"nominal_bytes": whole(func(r *report, n int64) {
		r.nominalBytes = &n
	}),
	"answer":       named(func(r *report, name string) { r.answer = name }),
	"right_answer": named(func(r *report, name string) { r.right = name }),
	"error": func(r *report, raw json.RawMessage) error {
		if string(raw) == "null" { // NaN, which JSON cannot represent
			none := math.NaN()
			r.error = &none
			return nil
		}
		x, err := positive(raw)
		r.error = &x
		return err
	},
	"error_bound": func(r *report, raw json.RawMessage) error {
		x, err := positive(raw)
		r.bound = &x
		return err
	},
}

func named(set func(*report, string)) field {
	return func(r *report, raw json.RawMessage) error {
		var name *string
		if json.Unmarshal(raw, &name) != nil || name == nil || *name == "" {
			return fmt.Errorf("is %s; want the name of a .npy file", short(raw))
		}
		set(r, *name)
		return nil
	}
}

func whole(set func(*report, int64)) field {
	return func(r *report, raw json.RawMessage) error {
		n, err := count(raw)
		set(r, n)
		return err
	}
}

// parse parses the line that a program prints.
func parse(line []byte) (report, error) {
	r := report{given: map[string]bool{}}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		at := ""
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			at = fmt.Sprintf(" at byte %d", syntax.Offset)
		}
		return r, fmt.Errorf("prints a line that is not JSON%s (%w): %s", at, err, short(line))
	}
	if twice := repeated(line); twice != "" {
		return r, fmt.Errorf("prints %s twice; want it once", twice)
	}
	names := slices.Sorted(maps.Keys(fields))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		read := fields[name]
		if read == nil {
			return r, fmt.Errorf("prints an unknown field %q%s", name, config.Choice(name, names, "fields"))
		}
		if err := read(&r, members[name]); err != nil {
			return r, fmt.Errorf("prints a wrong %s: it %w", name, err)
		}
		r.given[name] = true
	}
	switch {
	case r.given["time_s"] && r.given["times_s"]:
		return r, errors.New("prints time_s and times_s; want one of them")
	case r.given["error"] != r.given["error_bound"]:
		return r, errors.New("prints one of error and error_bound; want both or none")
	case r.given["answer"] != r.given["right_answer"]:
		return r, errors.New("prints one of answer and right_answer; want both or none")
	case r.load > math.MaxInt64-r.store:
		return r, fmt.Errorf("prints load_bytes %d and store_bytes %d; want a sum below 2^63", r.load, r.store)
	case r.given["answer"] && !r.given["error"]:
		return r, errors.New("prints answer without error; want error and error_bound, which say whether it is right")
	}
	return r, nil
}

// repeated returns the first name that occurs twice in a JSON object, or "" if none does.
func repeated(object []byte) string {
	d := json.NewDecoder(bytes.NewReader(object))
	d.Token() // skip the brace
	seen := map[string]bool{}
	for d.More() {
		name, _ := d.Token()
		text, _ := name.(string)
		if seen[text] {
			return text
		}
		seen[text] = true
		var value json.RawMessage
		if d.Decode(&value) != nil {
			break
		}
	}
	return ""
}

// counted reports an error if the report has no counts.
func (r report) counted() error {
	for _, name := range []string{"flops", "load_bytes", "store_bytes"} {
		if !r.given[name] {
			return fmt.Errorf("prints no %s; want one line such as %s", name, sample)
		}
	}
	return nil
}

// timed reports an error if the report has no time.
func (r report) timed() error {
	if r.times == nil {
		return fmt.Errorf("prints no time_s; want one line such as %s", sample)
	}
	return nil
}

// countRuns returns how many runs the times cover: the number that the program reports, else one for each
// time, else the first whole number among the arguments.
func (r report) countRuns(many []config.Argument) int64 {
	switch {
	case r.runs > 0:
		return r.runs
	case r.given["times_s"]:
		return int64(len(r.times))
	}
	for _, s := range many {
		if s.Value.Kind() == framework.Int && s.Value.Int() > 0 {
			return s.Value.Int()
		}
	}
	return 1
}

// seconds parses a time, which must be above zero.
func seconds(raw json.RawMessage) (float64, error) {
	var x *float64
	if json.Unmarshal(raw, &x) != nil || x == nil {
		return 0, fmt.Errorf("is %s; want seconds as a number", short(raw))
	}
	return *x, framework.CheckSeconds(*x)
}

// positive parses a number that must not be negative.
func positive(raw json.RawMessage) (float64, error) {
	var x *float64
	if json.Unmarshal(raw, &x) != nil || x == nil {
		return 0, fmt.Errorf("is %s; want a number", short(raw))
	}
	if *x < 0 {
		return 0, fmt.Errorf("is %g; want 0 or more", *x)
	}
	return *x, nil
}

// count parses a whole number that must not be negative. It accepts 2e9 as well.
func count(raw json.RawMessage) (int64, error) {
	var n *int64
	if json.Unmarshal(raw, &n) == nil && n != nil {
		if *n < 0 {
			return 0, fmt.Errorf("is %d; want 0 or more", *n)
		}
		return *n, nil
	}
	x, err := positive(raw)
	if err != nil {
		return 0, err
	}
	if x != math.Trunc(x) || x >= 1<<63 {
		return 0, fmt.Errorf("is %g; want a whole number below 2^63", x)
	}
	return int64(x), nil
}

// short cuts what was printed to a length that fits in a message.
func short(raw []byte) string {
	if r := bytes.Runes(raw); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return string(raw)
}
