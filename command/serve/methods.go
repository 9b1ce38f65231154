package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"example.org/bench/framework/engine"
	"example.org/bench/framework/judge"
)

// Verb runs a command line of bench, and returns its exit status and what it printed.
type Verb func(ctx context.Context, args []string) (status int, out, said string)

// Bench is what the methods call.
type Bench struct {
	Verb Verb
	// Task reads a task; it may return one that was read before.
	Task func(path string) (*judge.Task, error)
	// Options are the options of every judgement, except device, seed and spare workers.
	Options judge.Options
}

// warm keeps a worker ready for each judgement, until end.
func (b *Bench) warm() (end func()) {
	b.Options.Spare = &engine.Spare{Apart: true}
	return b.Options.Spare.Close
}

// Judge holds the parameters of judge.
type Judge struct {
	Task   string `json:"task" jsonschema:"file of the task: a config with the key judge"`
	Name   string `json:"name,omitempty" jsonschema:"what the candidate is called, such as mine.cu; its ending says what it is"`
	Source string `json:"source,omitempty" jsonschema:"text of the candidate; or else file"`
	File   string `json:"file,omitempty" jsonschema:"file of the candidate (.cu, .ptx, .cubin, .c), instead of name and source"`
	Device string `json:"device,omitempty" jsonschema:"cuda:0, sim (verify in the simulator, time nothing) or cpu; default: cuda:0 for kernels and cpu for C functions"`
	Seed   uint64 `json:"seed,omitempty" jsonschema:"seed of the random inputs; default: one is drawn"`
}

// Config holds the parameters of methods that take only a config.
type Config struct {
	Config string `json:"config" jsonschema:"file of a config"`
}

// Verify holds the parameters of verify.
type Verify struct {
	Subject  string   `json:"subject" jsonschema:"name of a built-in algorithm, or file of a config"`
	Device   string   `json:"device,omitempty" jsonschema:"cpu, cuda:0 or sim; default: the CPU, and cuda:0 where there is one"`
	Versions []string `json:"versions,omitempty" jsonschema:"versions to check; default: all"`
	Set      []string `json:"set,omitempty" jsonschema:"values that replace those of a config, each NAME=VALUE,VALUE..."`
}

// Why holds the parameters of why.
type Why struct {
	Subject  string   `json:"subject" jsonschema:"folder of a run, or file of a config, which is measured first"`
	Device   string   `json:"device,omitempty" jsonschema:"cuda:0, cuda:1, ...; default: cuda:0"`
	Versions []string `json:"versions,omitempty" jsonschema:"versions to explain; default: all"`
	Set      []string `json:"set,omitempty" jsonschema:"values that replace those of a config, each NAME=VALUE,VALUE..."`
	Against  string   `json:"against,omitempty" jsonschema:"a version, or tunables as NAME=VALUE, that each point is held against"`
}

// Tune holds the parameters of tune.
type Tune struct {
	Config   string   `json:"config" jsonschema:"file of a config"`
	Out      string   `json:"out" jsonschema:"folder for the results"`
	Device   string   `json:"device,omitempty" jsonschema:"cuda:0 or cpu; default: cuda:0, or the CPU where no version runs on a GPU"`
	Versions []string `json:"versions,omitempty" jsonschema:"versions to tune; default: all"`
	Set      []string `json:"set,omitempty" jsonschema:"values that replace those of the config, each NAME=VALUE,VALUE..."`
	Budget   string   `json:"budget,omitempty" jsonschema:"trials for each sweep point, such as 100, or a time such as 60s"`
	Strategy string   `json:"strategy,omitempty" jsonschema:"how to search; default: best"`
	Wisdom   string   `json:"wisdom,omitempty" jsonschema:"wisdom file to add what is found to; default: none"`
}

// List holds the parameters of list.
type List struct {
	Subject string `json:"subject,omitempty" jsonschema:"name of a built-in algorithm, or file of a config; default: all built-in algorithms"`
}

// Doctor holds the parameters of doctor.
type Doctor struct{}

// Answer is what a verb printed.
type Answer struct {
	// Status is the exit status of the verb.
	Status int `json:"status" jsonschema:"exit status of the verb: 0 is good, 1 something was bad, 2 bad parameters"`
	// Output are the verb's documents (docs/json.md).
	Output []any `json:"output" jsonschema:"the JSON documents that the verb printed"`
	// Messages are what the verb printed besides.
	Messages []string `json:"messages" jsonschema:"what the verb said besides, a line each"`
}

// method is a method, for both protocols.
type method struct {
	name, doc string
	line      func(ctx context.Context, t *turn, params json.RawMessage) (any, error)
	tool      toolAdder
}

// methods returns the methods of b.
func methods(b *Bench) []method {
	verb := func(ctx context.Context, t *turn, args ...string) (Answer, error) { return b.answer(ctx, t, args) }
	return []method{
		of("judge", "Judge a candidate, a kernel or a C function, by a task: is it right, honest, and faster than the baseline?", b.judge),
		of("validate", "Check a config: every mistake with its line, and how many points it has.", func(ctx context.Context, t *turn, p Config) (Answer, error) {
			return verb(ctx, t, "validate", "--json", "--", p.Config)
		}),
		of("verify", "Check the answers of versions against the double-precision reference; in the simulator every access to memory too. Nothing is timed.", func(ctx context.Context, t *turn, p Verify) (Answer, error) {
			return verb(ctx, t, append(flags("verify", p.Device, p.Versions, p.Set), "--", p.Subject)...)
		}),
		of("why", "Say what bounds each point of a GPU, and what would make it faster by about how much.", func(ctx context.Context, t *turn, p Why) (Answer, error) {
			args := flags("why", p.Device, p.Versions, p.Set)
			if p.Against != "" {
				args = append(args, "--against="+p.Against)
			}
			return verb(ctx, t, append(args, "--", p.Subject)...)
		}),
		of("tune", "Search the tunables of a config's versions for the fastest.", func(ctx context.Context, t *turn, p Tune) (Answer, error) {
			args := append(flags("tune", p.Device, p.Versions, p.Set), "--out="+p.Out, "--wisdom=none")
			if p.Wisdom != "" {
				args[len(args)-1] = "--wisdom=" + p.Wisdom
			}
			for flag, value := range map[string]string{"budget": p.Budget, "strategy": p.Strategy} {
				if value != "" {
					args = append(args, "--"+flag+"="+value)
				}
			}
			return verb(ctx, t, append(args, "--", p.Config)...)
		}),
		of("list", "Show the built-in algorithms; of one, or of a config, its versions, parameters, tunables and formulas.", func(ctx context.Context, t *turn, p List) (Answer, error) {
			if p.Subject == "" {
				return verb(ctx, t, "list", "--json")
			}
			return verb(ctx, t, "list", "--json", "--", p.Subject)
		}),
		of("doctor", "Show what was found on this machine, and what is missing.", func(ctx context.Context, t *turn, _ Doctor) (Answer, error) {
			return verb(ctx, t, "doctor", "--json")
		}),
	}
}

// flags returns the command line of a verb up to its subject.
func flags(verb, device string, versions, set []string) []string {
	args := []string{verb, "--json"}
	if device != "" {
		args = append(args, "--device="+device)
	}
	if len(versions) > 0 {
		args = append(args, "--versions="+strings.Join(versions, ","))
	}
	for _, s := range set {
		args = append(args, "--set="+s)
	}
	return args
}

// answer runs a verb in its turn.
func (b *Bench) answer(ctx context.Context, t *turn, args []string) (Answer, error) {
	defer t.leave()
	if err := t.wait(ctx); err != nil {
		return Answer{}, err
	}
	if slices.Contains(args, "-") || args[len(args)-1] == "" {
		return Answer{}, errors.New("want the name of a file or of an algorithm")
	}
	status, out, said := b.Verb(ctx, args)
	a := Answer{Status: status, Output: []any{}, Messages: []string{}}
	d := json.NewDecoder(strings.NewReader(out))
	d.UseNumber()
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return a, fmt.Errorf("what bench %s printed: %w", args[0], err)
		}
		if list, ok := v.([]any); ok {
			a.Output = append(a.Output, list...)
		} else {
			a.Output = append(a.Output, v)
		}
	}
	for line := range strings.Lines(said) {
		a.Messages = append(a.Messages, strings.TrimRight(line, "\n"))
	}
	return a, nil
}

// judge judges a candidate in its turn. While another one is measured, the candidate is put in its place
// and compiled.
func (b *Bench) judge(ctx context.Context, t *turn, p Judge) (*judge.Judgement, error) {
	defer t.leave()
	task, err := b.Task(p.Task)
	if err != nil {
		return nil, err
	}
	var c judge.Candidate
	switch {
	case p.File != "" && (p.Source != "" || p.Name != ""):
		return nil, errors.New("file excludes name and source: want one of them")
	case p.File != "":
		if c, err = judge.ReadCandidate(p.File); err != nil {
			return nil, err
		}
	case p.Name == "":
		return nil, errors.New("want the name and the source of a candidate, or its file")
	default:
		c = judge.Candidate{Name: p.Name, Text: []byte(p.Source)}
	}
	k, err := task.Prepare(c)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	end := func() {}
	if t.waits() {
		end = k.CompileAhead(ctx, p.Device)
	}
	err = t.wait(ctx)
	end()
	if err != nil {
		return nil, err
	}
	opt := b.Options
	opt.Device, opt.Seed = p.Device, p.Seed
	return k.Judge(ctx, opt)
}

// strictly decodes the parameters of a method and refuses unknown ones.
func strictly(params json.RawMessage, into any) error {
	if len(params) == 0 {
		params = json.RawMessage("{}")
	}
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("params: %w", err)
	}
	return nil
}
