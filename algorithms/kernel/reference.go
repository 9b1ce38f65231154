package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"bench/framework"
	"bench/framework/safefile"
)

// reference is where the right answer comes from, as verify says.
type reference struct {
	a *algorithm
	// Of kernels: their file and launches, and the version whose macros and
	// default tunables they are compiled with.
	unit     *unit
	launches []kernelLaunch
	as       *variant
}

// answer makes the right answer of a problem: a vector for each output.
func (r *reference) answer(env framework.Env, p *problem) (right map[int]vector, err error) {
	v := &r.a.def.Verify
	switch {
	case v.C != nil:
		right, err = r.byC(p)
	case v.Kernels != nil:
		right, err = r.byKernels(env, p)
	case v.Program != nil:
		right, err = r.byProgram(p)
	default:
		right, err = r.byFiles(r.a.folder, v.Files, p)
	}
	if err != nil {
		return nil, err
	}
	for i, w := range right {
		if !w.isFloat() {
			continue
		}
		for j, x := range w.floats() {
			if math.IsNaN(x) {
				return nil, fmt.Errorf("element %d of %s is not a number; want every element of an output written", j, r.a.arguments[i].Name)
			}
		}
	}
	return right, nil
}

func (r *reference) byC(p *problem) (map[int]vector, error) {
	f, err := newCall(p, r.a.def.Verify.C)
	if err != nil {
		return nil, err
	}
	defer f.close()
	f.run()
	return f.answers(), nil
}

func (r *reference) byKernels(env framework.Env, p *problem) (_ map[int]vector, err error) {
	if env.Device == nil {
		return nil, errors.New("kernels need a GPU")
	}
	tunables := r.as.defaults(p.params, env.Device.Facts())
	g := &gpuRun{GPURun: framework.GPURun{Env: env}, p: p}
	g.source = r.unit.source(r.a.macros(p.params, r.as.Defines, r.as.settings, tunables), r.as.Options, r.a.def.Verify.Kernels)
	g.compiled = r.launches
	g.tunables = tunables
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
		if right[i], err = g.download(i); err != nil {
			return nil, err
		}
	}
	return right, nil
}

// byFiles reads the right answer of files in a folder.
func (r *reference) byFiles(folder string, names map[string]string, p *problem) (map[int]vector, error) {
	right := map[int]vector{}
	for _, i := range r.a.answers() {
		path := names[r.a.arguments[i].Name]
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		var err error
		if right[i], err = readArray(path, p.element(i), p.sizes[i]); err != nil {
			return nil, err
		}
	}
	return right, nil
}

// described is problem.json of a program's folder.
type described struct {
	Params    framework.Values `json:"params"`
	Arguments []describedArg   `json:"arguments"`
}

type describedArg struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value any    `json:"value,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Use   string `json:"use,omitempty"`
	// File is where an input lies, Answer where the program is to write.
	File   string `json:"file,omitempty"`
	Answer string `json:"answer,omitempty"`
}

// byProgram runs a program on a folder with the inputs, where it leaves the
// right answer.
func (r *reference) byProgram(p *problem) (map[int]vector, error) {
	folder, err := safefile.TempFolder("bench-verify-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	d := described{Params: p.params}
	answers := map[string]string{}
	for i := range r.a.arguments {
		o := &r.a.arguments[i]
		if o.Use == scratch {
			continue
		}
		x := describedArg{Name: o.Name, Type: p.element(i).name, Size: p.sizes[i], Use: o.Use}
		if !o.isVector() {
			if x.Value, err = r.a.scalar(o, p.params); err != nil {
				return nil, err
			}
		}
		if o.isFilled() {
			x.File = o.Name + ".npy"
			if err := writeArray(filepath.Join(folder, x.File), p.inputs[i]); err != nil {
				return nil, err
			}
		}
		if o.isAnswer() {
			x.Answer = o.Name + ".right.npy"
			answers[o.Name] = x.Answer
		}
		d.Arguments = append(d.Arguments, x)
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "problem.json"), text, 0o600); err != nil {
		return nil, err
	}
	words := append([]string{}, r.a.def.Verify.Program...)
	// Files beside the config come first: a script, or an argument that is one.
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
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // the caller keeps its thread
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("program %s: %w: %s", strings.Join(r.a.def.Verify.Program, " "), err, lastLines(out))
	}
	return r.byFiles(folder, answers, p)
}

// lastLines is the end of what a program printed.
func lastLines(out []byte) string {
	const most = 2000
	if len(out) > most {
		out = out[len(out)-most:]
	}
	return strings.ToValidUTF8(strings.TrimSpace(string(out)), "?")
}
