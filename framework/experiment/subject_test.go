package experiment_test

import (
	"errors"
	"strings"
	"testing"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/record"
)

// A version that is timed at a rate, or beside a load, is not alone; nor does a program take
// turns.
func TestNotInTurns(t *testing.T) {
	subject := func(text string) experiment.Subject {
		c, err := config.Parse("toy.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return experiment.Subject{Config: c, Factory: toy()}
	}
	for text, want := range map[string]string{
		`{"algorithm": "toy"}`:                                   "",
		`{"algorithm": "toy", "static_args": {"rate_hz": 100}}`:  "rate_hz: versions take turns back to back and alone",
		`{"algorithm": "toy", "sweep_arg": {"rate_hz": [1, 2]}}`: "rate_hz: versions take turns back to back and alone",
	} {
		if got := subject(text).NotInTurns(); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	s := subject(`{"algorithm": "toy"}`)
	s.Factory.External = true
	if got := s.NotInTurns(); got != "a program that times itself cannot take turns" {
		t.Errorf("%q", got)
	}
}

// Another machine's files have no GPU here.
func TestDefaultDevice(t *testing.T) {
	if got := experiment.DefaultDevice(t.Context(), t.TempDir()); got != "cpu" {
		t.Errorf("%q", got)
	}
	if experiment.ProcessorOf("cpu") != framework.CPU || experiment.ProcessorOf("sim") != framework.GPU {
		t.Error("the processor of a device")
	}
}

// A run's subject is made from the config that it keeps; what changed since is refused
// where the code as measured is needed.
func TestSubjectOfARun(t *testing.T) {
	c, err := config.Parse("toy.json", []byte(`{"algorithm": "toy", "static_args": {"N": 4}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Set([]string{"N=5"}, nil); err != nil {
		t.Fatal(err)
	}
	run := &record.Run{Info: record.Info{Config: record.ConfigOf(c)}}
	factory := func(*config.Config) (*framework.Factory, error) { return toy(), nil }
	s, changed, err := experiment.SubjectOf(run, factory)
	if err != nil || changed || s.Config.Static[0].Value.Int() != 5 {
		t.Fatalf("%+v, %v, %v", s.Config, changed, err)
	}
	old := *run
	old.Info.Config.Hash, old.Info.Config.Text = c.OldHash, record.Experiment(c.Text)
	if _, changed, err := experiment.SubjectOf(&old, factory); err != nil || changed {
		t.Errorf("a run with the text's hash: %v, %v", changed, err)
	}
	run.Info.Config.Hash = "another"
	if _, err := experiment.AsMeasured(factory)(run); err == nil || err.Error() != "its sources have changed since it was measured" {
		t.Error(err)
	}
	none := func(*config.Config) (*framework.Factory, error) { return nil, errors.New("no such algorithm") }
	if _, err := experiment.AsMeasured(none)(run); err == nil || !strings.HasPrefix(err.Error(), "its algorithm cannot be made from toy.json: no such") {
		t.Error(err)
	}
}
