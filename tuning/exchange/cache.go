package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/expression"
)

const millisecond = 1e-3

// hugeTime is what Kernel Tuner wrote up to 2021 for a configuration that
// failed, 1e20 ms; times as large as this are taken for it.
const hugeTime = 1e19

// cacheFile is Kernel Tuner's cache file.
type cacheFile struct {
	Device      string                    `json:"device_name"`
	Kernel      string                    `json:"kernel_name"`
	ProblemSize any                       `json:"problem_size"`
	Keys        []string                  `json:"tune_params_keys"`
	Params      map[string][]any          `json:"tune_params"`
	Objective   string                    `json:"objective"`
	Cache       map[string]map[string]any `json:"cache"`
}

// scored says that configurations have a number for the objective and none has a time.
func (f cacheFile) scored() bool {
	found := false
	for _, entry := range f.Cache {
		if _, timed := entry["time"].(json.Number); timed {
			return false
		}
		_, is := entry[f.Objective].(json.Number)
		found = found || is
	}
	return found
}

// ReadCache reads a Kernel Tuner cache file. One that an interrupted tuning
// left without its end is read as far as it goes.
func ReadCache(text []byte) (*Study, error) {
	s := &Study{}
	var f cacheFile
	if err := decode(text, &f); err != nil {
		whole, cut := mended(text)
		f = cacheFile{}
		if whole == nil || decode(whole, &f) != nil {
			return nil, fmt.Errorf("cache file: %w", err)
		}
		s.note("the file has no end, as an interrupted tuning leaves it; read are its %d whole configurations", len(f.Cache))
		if cut > 0 {
			s.note("%d bytes of a configuration that is not whole are left out", cut)
		}
	}
	if len(f.Keys) == 0 || f.Cache == nil {
		return nil, errors.New("cache file: tune_params_keys and cache are needed")
	}
	if len(f.Cache) > maxResults {
		return nil, fmt.Errorf("cache file: %d configurations; at most %d are supported", len(f.Cache), maxResults)
	}
	if f.scored() {
		return nil, fmt.Errorf("cache file: %w", noTime(f.Objective))
	}
	s.Kernel, s.Device, s.ProblemSize = f.Kernel, f.Device, f.ProblemSize
	for i, name := range f.Keys {
		if slices.Contains(f.Keys[:i], name) {
			return nil, fmt.Errorf("cache file: tune_params_keys has %s twice", name)
		}
		p := Parameter{Name: name}
		if f.Params != nil && len(f.Params[name]) == 0 {
			return nil, fmt.Errorf("cache file: tune_params has no values of %s, which tune_params_keys names", name)
		}
		for _, x := range f.Params[name] {
			v, err := valueOf(x)
			if err != nil {
				return nil, fmt.Errorf("cache file: tune_params.%s: %w", name, err)
			}
			p.Values = append(p.Values, v)
		}
		s.Parameters = append(s.Parameters, p)
	}
	for name := range f.Params {
		if !slices.Contains(f.Keys, name) {
			return nil, fmt.Errorf("cache file: tune_params has %s, which tune_params_keys lacks", name)
		}
	}
	keys := make([]string, 0, len(f.Cache))
	for k := range f.Cache {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	known := map[string]string{} // keys by the values that they stand for
	for _, k := range keys {
		r, err := cacheResult(s.Parameters, k, f.Cache[k])
		if err != nil {
			return nil, fmt.Errorf("cache file: configuration %q: %w", k, err)
		}
		if err := checkKey(s.Parameters, k, r.Values); err != nil {
			return nil, fmt.Errorf("cache file: configuration %q: %w", k, err)
		}
		values := fmt.Sprint(numbersAndWords(r.Values))
		if first, twice := known[values]; twice {
			return nil, fmt.Errorf("cache file: configurations %q and %q are the same", first, k)
		}
		known[values] = k
		s.Results = append(s.Results, r)
	}
	s.fill()
	return s, nil
}

// mended closes a file that was cut off in its list of configurations; cut
// is how much of it is left out. nil where it was cut earlier.
func mended(text []byte) (whole []byte, cut int) {
	start := bytes.Index(text, []byte(`"cache"`))
	if start < 0 {
		return nil, 0
	}
	end := bytes.TrimRight(text, " \t\r\n,")
	for {
		closed := slices.Concat(end, []byte("}\n}"))
		if json.Valid(notJSON().ReplaceAll(closed, []byte("${1}null"))) {
			return closed, max(0, len(bytes.TrimRight(text, " \t\r\n,"))-len(end))
		}
		// A configuration ends with a brace, the first one begins with one.
		at := bytes.LastIndexAny(end[:max(0, len(end)-1)], "}{")
		if at <= start {
			return nil, 0
		}
		end = end[:at+1]
	}
}

func cacheResult(parameters []Parameter, key string, entry map[string]any) (Result, error) {
	r := Result{Failure: OK}
	var parts []string
	for i, p := range parameters {
		x, ok := entry[p.Name]
		if !ok { // in the key only
			if parts == nil {
				parts = strings.Split(key, ",")
			}
			if len(parts) != len(parameters) {
				return r, fmt.Errorf("%s is missing", p.Name)
			}
			x = keyPart(parts[i])
		}
		v, err := valueOf(x)
		if err != nil {
			return r, fmt.Errorf("%s: %w", p.Name, err)
		}
		r.Values = append(r.Values, v)
	}
	var odd error
	if times, ok := entry["times"].([]any); ok {
		for _, t := range times {
			x, ok := seconds(t, millisecond)
			if err := framework.CheckSeconds(x); ok && err != nil {
				odd = fmt.Errorf("one of times, %v ms, %w", t, err)
			}
			if ok {
				r.Times = append(r.Times, x)
			}
		}
	}
	r.CompileTime, _ = seconds(entry["compile_time"], millisecond)
	run, _ := seconds(entry["benchmark_time"], millisecond)
	check, _ := seconds(entry["verification_time"], millisecond)
	r.RunTime = max(run, 0) + max(check, 0)
	r.Timestamp, _ = entry["timestamp"].(string)
	time, ok := seconds(entry["time"], millisecond)
	class := entry["time"]
	if e, failed := entry["__error__"]; failed {
		class, ok = e, false
	}
	switch {
	case !ok:
		r.Failure = failureOf(class)
	case time >= hugeTime*millisecond:
		r.Failure = Run
	case !(time > 0):
		return r, fmt.Errorf("time %v is not positive", entry["time"])
	case framework.CheckSeconds(time) != nil:
		return r, fmt.Errorf("time %v ms %w", entry["time"], framework.CheckSeconds(time))
	default:
		r.Time = time
		if odd != nil {
			return r, odd
		}
	}
	if r.Failure != OK {
		r.Times = nil
	}
	return r, nil
}

// checkKey compares a configuration's key and its values with each other and
// against the declared ones.
func checkKey(parameters []Parameter, key string, values []expression.Value) error {
	parts := strings.Split(key, ",")
	if len(parts) != len(values) { // a word has a comma
		parts = nil
		var texts []string
		for _, v := range values {
			texts = append(texts, v.String())
		}
		if want := strings.Join(texts, ","); key != want {
			return fmt.Errorf("its values are those of %q", want)
		}
	}
	for i, v := range values {
		p := parameters[i]
		if p.Values != nil && !slices.ContainsFunc(p.Values, func(x expression.Value) bool { return same(x, v) }) {
			return fmt.Errorf("%s is %s, which tune_params does not list", p.Name, v)
		}
		if parts == nil || parts[i] == v.String() {
			continue
		}
		if x, err := valueOf(keyPart(parts[i])); err != nil || !same(x, v) {
			return fmt.Errorf("%s is %s there and %q in the key", p.Name, v, parts[i])
		}
	}
	return nil
}

// numbersAndWords are values without what does not distinguish them.
func numbersAndWords(values []expression.Value) []any {
	var list []any
	for _, v := range values {
		if v.IsWord {
			list = append(list, quoted(v.Word))
		} else {
			list = append(list, v.Number)
		}
	}
	return list
}

// keyPart reads one value of a key, as Python's str wrote it.
func keyPart(s string) any {
	switch s {
	case "True", "False":
		return s == "True"
	}
	var n json.Number
	if json.Unmarshal([]byte(s), &n) == nil && n != "" && s[0] != '"' {
		return n
	}
	return s
}

// The classes of Kernel Tuner's failures.
var failureClasses = map[string]Failure{
	"CompilationFailedConfig": Compile, "RuntimeFailedConfig": Run, "InvalidConfig": Invalid, "ErrorConfig": Run,
}

func failureOf(class any) Failure {
	if word, ok := class.(string); ok {
		if f, known := failureClasses[word]; known {
			return f
		}
	}
	return Run
}

// classOf is the class that Kernel Tuner would write.
func classOf(f Failure) string {
	switch f {
	case Compile:
		return "CompilationFailedConfig"
	case Invalid:
		return "InvalidConfig"
	}
	return "RuntimeFailedConfig"
}

// WriteCache writes a study as a Kernel Tuner cache file, a line a
// configuration.
func WriteCache(out io.Writer, s *Study) error {
	var b bytes.Buffer
	var err error
	field := func(indent, name string, x any, end string) {
		text, e := json.Marshal(x)
		err = errors.Join(err, e)
		fmt.Fprintf(&b, "%s%q: %s%s\n", indent, name, text, end)
	}
	size := s.ProblemSize
	if size == nil {
		size = 1
	}
	b.WriteString("{\n")
	field("", "device_name", s.Device, ",")
	field("", "kernel_name", s.Kernel, ",")
	field("", "problem_size", size, ",")
	var names []string
	for _, p := range s.Parameters {
		names = append(names, p.Name)
	}
	field("", "tune_params_keys", names, ",")
	b.WriteString("\"tune_params\": {")
	for i, p := range s.Parameters {
		var list []any
		for _, v := range p.Values {
			list = append(list, scalar(v))
		}
		if i > 0 {
			b.WriteString(", ")
		}
		text, e := json.Marshal(list)
		err = errors.Join(err, e)
		fmt.Fprintf(&b, "%q: %s", p.Name, text)
	}
	b.WriteString("},\n")
	field("", "objective", "time", ",")
	b.WriteString("\"cache\": {")
	for i, r := range s.Results {
		if i > 0 {
			b.WriteString(",")
		}
		entry, key := cacheEntry(s, r)
		text, e := json.Marshal(entry)
		err = errors.Join(err, e)
		fmt.Fprintf(&b, "\n%s: %s", quoted(key), text)
	}
	b.WriteString("}\n}\n")
	if err != nil {
		return err
	}
	_, err = out.Write(b.Bytes())
	return err
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string has no error
	return string(text)
}

func cacheEntry(s *Study, r Result) (entry map[string]any, key string) {
	entry = map[string]any{}
	var parts []string
	for d, v := range r.Values {
		entry[s.Parameters[d].Name] = scalar(v)
		parts = append(parts, v.String())
	}
	// The names of times are Kernel Tuner's; it asks for all of them.
	for _, name := range []string{"verification_time", "strategy_time", "framework_time"} {
		entry[name] = 0
	}
	entry["compile_time"], entry["benchmark_time"] = milliseconds(r.CompileTime), milliseconds(r.RunTime)
	entry["timestamp"] = r.Timestamp
	if r.Failure != OK {
		entry["time"] = classOf(r.Failure)
		entry["__error__"] = classOf(r.Failure)
		return entry, strings.Join(parts, ",")
	}
	entry["time"] = milliseconds(r.Time)
	times := []any{}
	for _, t := range r.Times {
		times = append(times, milliseconds(t))
	}
	if len(times) == 0 {
		times = append(times, milliseconds(r.Time))
	}
	entry["times"] = times
	return entry, strings.Join(parts, ",")
}
