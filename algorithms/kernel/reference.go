package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/internal/bounded"
	"example.org/bench/internal/linux"
	"example.org/bench/internal/safefile"
)

// reference is the source of the right answer, as verify defines it.
type reference struct {
	a        *algorithm
	unit     *unit // for kernels, with their launches
	launches []kernelLaunch
	// as is the version whose macros and default tunables the kernels are compiled with, and whose sizes the
	// right answer has. It is nil if no size depends on tunables.
	as *variant
}

// freedBytes is the size of an answer from which on memory is freed after it.
const freedBytes = 16 << 20

// answer computes the right answer of a problem: a vector for each output.
func (r *reference) answer(env framework.Env, p *problem) (right map[int]vector, err error) {
	v := &r.a.def.Verify
	switch {
	case v.C != nil:
		right, err = r.byC(env, p)
	case v.Kernels != nil:
		right, err = r.byKernels(env, p)
	case v.Program != nil:
		right, err = r.byProgram(env, p)
	default:
		var sizes []int64
		if sizes, err = r.sizes(env, p); err == nil {
			right, err = r.byFiles(r.a.folder, v.Files, p, sizes)
		}
	}
	if err != nil {
		return nil, err
	}
	for i, w := range right {
		if !w.isFloat() || r.a.arguments[i].Compare == byNothing || r.a.kind(p.params) == framework.NaNInputs {
			continue
		}
		if j := w.firstNaN(); j >= 0 {
			return nil, fmt.Errorf("element %d of %s is not a number; want every element of an output written", j, r.a.arguments[i].Name)
		}
	}
	bytes := 0
	for _, w := range right {
		bytes += len(w.data)
	}
	if bytes >= freedBytes {
		runtime.GC() // frees as much again, before the answers to compare are allocated
	}
	return right, nil
}

func (r *reference) byC(env framework.Env, p *problem) (map[int]vector, error) {
	sizes, err := r.sizes(env, p)
	if err != nil {
		return nil, err
	}
	options, err := given(r.a.def.Verify.C.Options, p.params)
	if err != nil {
		return nil, err
	}
	f, err := newCall(p, r.a.def.Verify.C, sizes, func() (*library, error) { return p.compile(r.a.def.Verify.C, options) })
	if err != nil {
		return nil, err
	}
	defer f.close()
	for _, i := range r.a.answers() {
		if how := r.a.arguments[i].Compare; how != "" && how != byElement && r.a.arguments[i].Fill == nil {
			clear(f.vectors[i].data) // elements that are not written add nothing
		}
	}
	f.run()
	return f.answers(), nil
}

func (r *reference) byKernels(env framework.Env, p *problem) (_ map[int]vector, err error) {
	if env.Device == nil {
		return nil, errors.New("kernels need a GPU")
	}
	tunables := r.as.defaults(p.params, env.Device.Facts())
	g := &gpuRun{GPURun: framework.GPURun{Env: env}, p: p, sets: [2]*problem{p}, v: r.as, compiled: r.launches, tunables: tunables, read: map[int]vector{}}
	if g.source, err = r.unit.source(r.a, r.as, p.params, tunables, env.Device.Facts(), r.launches); err != nil {
		return nil, err
	}
	if g.sizes, err = p.sized(r.launches, tunables, env.Device.Facts()); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.PostRun()) }()
	if err := g.PreRun(); err != nil {
		return nil, err
	}
	if err := g.Run(); err != nil {
		return nil, err
	}
	if err := env.Device.Synchronize(env.Stream); err != nil {
		return nil, err
	}
	right := map[int]vector{}
	for _, i := range r.a.answers() {
		if right[i], err = g.answer(i); err != nil {
			return nil, err
		}
	}
	return right, nil
}

// sizes returns the sizes of the right answer's vectors, at the default tunables if they depend on tunables.
func (r *reference) sizes(env framework.Env, p *problem) ([]int64, error) {
	if r.as == nil {
		return p.sizes, nil
	}
	facts := gpu.Facts{}
	if env.Device != nil {
		facts = env.Device.Facts()
	}
	return p.sized(nil, r.as.defaults(p.params, facts), facts)
}

// byFiles reads the right answer from files in a folder. sizes holds the sizes of vectors.
func (r *reference) byFiles(folder string, names map[string]string, p *problem, sizes []int64) (map[int]vector, error) {
	right := map[int]vector{}
	for _, i := range r.a.comparedAnswers() {
		path := names[r.a.arguments[i].Name]
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		var err error
		if right[i], err = readArray(path, p.element(i), sizes[i]); err != nil {
			return nil, err
		}
	}
	return right, nil
}

// described is the problem.json in a program's folder.
type described struct {
	Params    framework.Values `json:"params"`
	Arguments []describedArg   `json:"arguments"`
	Constants []describedArg   `json:"constants,omitempty"`
}

type describedArg struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value any    `json:"value,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Use   string `json:"use,omitempty"`
	// File is the file of an input, Answer the one that the program is to write.
	File   string `json:"file,omitempty"`
	Answer string `json:"answer,omitempty"`
}

// byProgram runs a program on a folder with the inputs, to which the program writes the right answer.
func (r *reference) byProgram(env framework.Env, p *problem) (map[int]vector, error) {
	sizes, err := r.sizes(env, p)
	if err != nil {
		return nil, err
	}
	folder, err := safefile.TempFolder("bench-verify-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	d := described{Params: p.params}
	answers := map[string]string{}
	for i := range r.a.arguments {
		o := &r.a.arguments[i]
		if !o.inC() {
			continue
		}
		x := describedArg{Name: o.Name, Type: p.element(i).name, Size: sizes[i], Use: o.Use}
		if !o.isVector() {
			if x.Value, err = r.a.scalar(o, p.element(i), settingsOf(p.params)); err != nil {
				return nil, err
			}
			if _, raw := x.Value.(gpu.Raw); raw {
				if x.Value, err = o.value.number(settingsOf(p.params)); err != nil {
					return nil, err
				}
			}
		}
		if o.isFilled() {
			x.File = o.Name + ".npy"
			if err := writeArray(filepath.Join(folder, x.File), p.inputs[i]); err != nil {
				return nil, err
			}
		}
		if o.isAnswer() && o.Compare != byNothing {
			x.Answer = o.Name + ".right.npy"
			answers[o.Name] = x.Answer
		}
		d.Arguments = append(d.Arguments, x)
	}
	for i := range r.a.common {
		g := &r.a.common[i]
		x := describedArg{Name: g.Name, Type: g.element(p.params).name, File: fmt.Sprintf("constant.%d.npy", i)}
		content, err := p.content(g, i)
		if err == nil {
			x.Size = content.size
			err = writeArray(filepath.Join(folder, x.File), content)
		}
		if err != nil {
			return nil, fmt.Errorf("constant %s: %w", g.Name, err)
		}
		d.Constants = append(d.Constants, x)
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "problem.json"), text, 0o600); err != nil {
		return nil, err
	}
	words := append([]string{}, r.a.def.Verify.Program...)
	// Files beside the config come first: a script, or an argument that names a file.
	for i, w := range words {
		if beside := r.a.inFolder(w); i == 0 || !strings.HasPrefix(w, "-") {
			if info, err := os.Stat(beside); err == nil && info.Mode().IsRegular() {
				if words[i], err = filepath.Abs(beside); err != nil {
					return nil, err
				}
			}
		}
	}
	cmd := exec.Command(words[0], append(words[1:], folder)...)
	var out bounded.Said
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, time.Second
	left, err := linux.Run(context.Background(), cmd, linux.Limits{})
	if note := linux.Left(left, "verify.program"); note != "" {
		env.Remark("%s", note)
	}
	if err != nil {
		return nil, fmt.Errorf("program %s: %w: %s", strings.Join(r.a.def.Verify.Program, " "), err, lastLines(out.Bytes()))
	}
	return r.byFiles(folder, answers, p, sizes)
}

// lastLines returns the end of what a program printed.
func lastLines(out []byte) string {
	const most = 2000
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(out)), "?")
}
