package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/internal/terminal"
	"example.org/bench/tuning"
)

// kttFile is KTT's own output.
type kttFile struct {
	Metadata struct {
		Device   string
		TimeUnit string
	}
	Results []struct {
		KernelName    string
		Status        string
		TotalDuration any
		Configuration []struct {
			Name  string
			Value any
		}
	}
}

var kttFailures = map[string]Failure{
	"Ok": OK, "CompilationFailed": Compile, "DeviceLimitsExceeded": Run, "ComputationFailed": Run, "ValidationFailed": Wrong, "Timeout": Timeout,
}

// ReadKTT reads KTT's own output.
func ReadKTT(text []byte) (*Study, error) {
	var f kttFile
	if err := decode(text, &f); err != nil {
		return nil, fmt.Errorf("KTT file: %w", err)
	}
	if len(f.Results) == 0 {
		return nil, errors.New("KTT file: Results are needed")
	}
	unit, known := units[strings.ToLower(f.Metadata.TimeUnit)]
	if !known {
		return nil, fmt.Errorf("KTT file: unit of time %q", f.Metadata.TimeUnit)
	}
	s := &Study{Device: f.Metadata.Device, Kernel: f.Results[0].KernelName}
	for _, c := range f.Results[0].Configuration {
		s.Parameters = append(s.Parameters, Parameter{Name: c.Name})
	}
	if len(s.Parameters) == 0 {
		return nil, errors.New("KTT file: result 1 has no parameters in its Configuration")
	}
	for i, x := range f.Results {
		r := Result{Failure: Run}
		if failure, known := kttFailures[x.Status]; known {
			r.Failure = failure
		}
		if len(x.Configuration) != len(s.Parameters) {
			return nil, fmt.Errorf("KTT file: result %d has %s, want %d", i+1, terminal.Count(len(x.Configuration), "parameter"), len(s.Parameters))
		}
		for d, c := range x.Configuration {
			if c.Name != s.Parameters[d].Name || slices.ContainsFunc(s.Parameters[:d], func(p Parameter) bool { return p.Name == c.Name }) {
				return nil, fmt.Errorf("KTT file: result %d has %s where %s is wanted once", i+1, c.Name, s.Parameters[d].Name)
			}
			v, err := valueOf(c.Value)
			if err != nil {
				return nil, fmt.Errorf("KTT file: result %d: %s: %w", i+1, c.Name, err)
			}
			r.Values = append(r.Values, v)
		}
		if r.Failure == OK {
			var ok bool
			if r.Time, ok = seconds(x.TotalDuration, unit); !ok || !(r.Time > 0) {
				return nil, fmt.Errorf("KTT file: result %d is Ok without a TotalDuration", i+1)
			}
			if err := framework.CheckSeconds(r.Time); err != nil {
				return nil, fmt.Errorf("KTT file: result %d: its TotalDuration %w", i+1, err)
			}
		}
		s.Results = append(s.Results, r)
	}
	s.fill()
	return s, nil
}

// Read reads any of the formats, told apart by their keys. t1 is for a T4
// file and may be nil.
func Read(text []byte, t1 *Study) (*Study, error) {
	s, err := read(text, t1)
	return s, tuning.Brief(err)
}

func read(text []byte, t1 *Study) (*Study, error) {
	var keys map[string]any
	if err := decode(text, &keys); err != nil {
		if t1 != nil {
			return nil, errT1
		}
		return ReadCache(text) // which may lack its end
	}
	has := func(k string) bool { _, ok := keys[k]; return ok }
	switch {
	case t1 != nil && !has("results"):
		return nil, errT1
	case has("cache"):
		return ReadCache(text)
	case has("ConfigurationSpace"):
		return ReadT1(text)
	case has("results"):
		return ReadT4(text, t1)
	case has("Results"):
		return ReadKTT(text)
	}
	return nil, errors.New("neither a Kernel Tuner cache (key cache), T1 (ConfigurationSpace), T4 (results) nor KTT file (Results)")
}
