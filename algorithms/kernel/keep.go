package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/gpu"
	"example.org/bench/gpu/cuda/hostcompiler"
	"example.org/bench/internal/safefile"
)

// Kept holds the seed and the right answers of problems, in a process without foreign code. Its methods are
// called from a process with foreign code: they give inputs, judge answers and compile what the config names.
// A right answer is given only after an answer to the same problem was wrong.
type Kept struct {
	mutex   sync.Mutex
	a       *algorithm
	env     framework.Env
	key     string // parameters of problem, as JSON
	problem *problem
	// judged counts the answers to the problem. wrong describes the first wrong answer since the last call of
	// Judged.
	judged int
	wrong  string
}

// keep implements framework.Factory.Keep.
func (a *algorithm) keep(env framework.Env) any { return &Kept{a: a, env: env} }

// Judged returns how many answers to the last problem were judged, or would be if it had right answers, and
// describes the first wrong answer since the last call.
func (k *Kept) Judged() (answers int, wrong string) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	answers, wrong = k.judged, k.wrong
	k.wrong = ""
	if k.a.def.Verify.None != "" {
		answers++
	}
	return answers, wrong
}

// At identifies a problem by its parameters, as JSON, and its set of inputs. Sets 0 and 1 alternate; each set
// beyond them is drawn anew.
type At struct {
	Params []byte
	Set    int
}

// at makes the problem, unless it is the last one.
func (k *Kept) at(q At) (*problem, error) {
	if k.problem == nil || k.key != string(q.Params) {
		var params framework.Values
		if err := json.Unmarshal(q.Params, &params); err != nil {
			return nil, err
		}
		if k.problem != nil {
			k.problem.Close()
			k.problem = nil
		}
		made, err := k.a.newProblem(k.env, params)
		if err != nil {
			return nil, err
		}
		k.judged = 0
		k.key, k.problem = string(q.Params), made.(*problem)
	}
	if q.Set == 0 {
		return k.problem, nil
	}
	if q.Set > 1 {
		return k.problem.other(k.env, q.Set)
	}
	second, err := k.problem.alternate(k.env)
	if err == nil && second == nil {
		err = errAlike
	}
	return second, err
}

// Inputs returns what arguments hold before a run.
func (k *Kept) Inputs(q At, inputs *map[int][]byte) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	p, err := k.at(q)
	if err != nil {
		return err
	}
	*inputs = map[int][]byte{}
	for i, v := range p.inputs {
		if k.a.arguments[i].fields == nil {
			(*inputs)[i] = v.data
		}
	}
	return nil
}

// ConstantAt identifies a constant of a problem by its list in everyConstant and its index in that list.
type ConstantAt struct {
	At
	List, Index int
}

// Content returns what a constant holds before a run.
func (k *Kept) Content(q ConstantAt, content *[]byte) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	p, err := k.at(q.At)
	if err != nil {
		return err
	}
	lists := k.a.everyConstant()
	if q.List < 0 || q.List >= len(lists) || q.Index < 0 || q.Index >= len(lists[q.List]) {
		return errors.New("there is no such constant")
	}
	v, err := p.content(&lists[q.List][q.Index], q.Index)
	*content = v.data
	return err
}

// Vector is a vector in the form in which it is sent.
type Vector struct {
	Element string
	Size    int64
	Data    []byte
}

func sent(v vector) Vector { return Vector{v.name, v.size, v.data} }

// received converts a vector that was sent.
func (v Vector) received() (vector, error) {
	e, ok := elementNamed(v.Element)
	if !ok || v.Size < 0 || int64(len(v.Data)) != v.Size*e.bytes {
		return vector{}, fmt.Errorf("%d bytes are not %d elements of %q", len(v.Data), v.Size, v.Element)
	}
	w := newVector(e, v.Size)
	copy(w.data, v.Data)
	return w, nil
}

// Answers is the answers of a run.
type Answers struct {
	At
	Vectors map[int]Vector
}

// Checked is the judgement of answers.
type Checked struct {
	Checks []framework.Check
	Notes  []string
}

// received is the answers of another process, by argument.
type received map[int]vector

func (r received) asJudged(int) (bool, error) { return false, nil }

func (r received) answer(i int) (vector, error) {
	v, ok := r[i]
	if !ok {
		return v, fmt.Errorf("there is no answer for argument %d", i)
	}
	return v, nil
}

// Verify compares answers with the right ones.
func (k *Kept) Verify(q Answers, said *Checked) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	p, err := k.at(q.At)
	if err != nil {
		return err
	}
	answers := received{}
	for i, v := range q.Vectors {
		if answers[i], err = v.received(); err != nil {
			return err
		}
	}
	env := k.env
	env.Note = func(format string, args ...any) { said.Notes = append(said.Notes, fmt.Sprintf(format, args...)) }
	for _, i := range k.a.comparedAnswers() {
		if o, v := &k.a.arguments[i], answers[i]; v.elementType == nil || v.name != p.element(i).name || !o.loose && v.size != p.sizes[i] {
			return fmt.Errorf("there is no answer %s of %d elements of %s", o.Name, p.sizes[i], p.element(i).name)
		}
	}
	said.Checks, err = p.verify(env, answers)
	k.judged++
	for _, c := range said.Checks {
		if !c.OK() && k.wrong == "" {
			k.wrong = fmt.Sprintf("%s %.3g is above %.3g", c.Metric, c.Error, c.Bound)
		}
	}
	return err
}

// Right returns the right answer of a problem, if an answer was wrong.
func (k *Kept) Right(q At, right *map[int]Vector) error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	if k.wrong == "" {
		return errors.New("no answer was wrong")
	}
	p, err := k.at(q)
	if err != nil {
		return err
	}
	*right = map[int]Vector{}
	for i, v := range p.right {
		(*right)[i] = sent(v)
	}
	return nil
}

// Build identifies a version of a C function at a point.
type Build struct {
	Params, Tunables []byte // JSON
	Version          string
}

// Built is the library of a version: a file, or the reason why there is none.
type Built struct {
	File    string
	Failure *hostcompiler.Failure
}

// Library compiles a version.
func (k *Kept) Library(q Build, built *Built) error {
	var params, tunables framework.Values
	if err := errors.Join(json.Unmarshal(q.Params, &params), json.Unmarshal(q.Tunables, &tunables)); err != nil {
		return err
	}
	for _, v := range k.a.versions {
		if v.Name != q.Version || v.C == nil {
			continue
		}
		file, err := k.a.library(v, params, tunables)
		built.File, built.Failure = file, hostcompiler.FailureOf(err)
		return nil
	}
	return fmt.Errorf("there is no version %s of a C function", q.Version)
}

// library compiles a version into a new folder.
func (a *algorithm) library(v *variant, params, tunables framework.Values) (file string, err error) {
	options, err := given(v.C.Options, params, tunables)
	if err != nil {
		return "", err
	}
	path, err := filepath.Abs(a.inFolder(v.C.Source))
	if err != nil {
		return "", err
	}
	folder, err := safefile.TempFolder("bench-c-")
	if err != nil {
		return "", err
	}
	macros, err := v.macros(params, tunables, gpu.Facts{})
	if err == nil {
		file, err = makeLibrary(folder, a.callText(v.C, params), path, withMacros(options, macros))
	}
	if err == nil {
		err = startsAlone(file, path)
	}
	if err != nil {
		os.RemoveAll(folder)
	}
	return file, err
}

// kept asks the keeper about one problem.
type kept struct {
	framework.Keeper
	at At
}

// keptBy returns nil if the problem is this process's own.
func keptBy(k framework.Keeper, params framework.Values, set int) (*kept, error) {
	if k == nil {
		return nil, nil
	}
	text, err := json.Marshal(params)
	return &kept{k, At{text, set}}, err
}

// inputs returns the keeper's contents of the arguments that hold something before a run.
func (k *kept) inputs() (inputs map[int][]byte, err error) {
	err = k.Call("Inputs", k.at, &inputs)
	if err != nil && err.Error() == errAlike.Error() {
		err = errAlike
	}
	return inputs, err
}

// content returns what a constant with a fill holds.
func (k *kept) content(a *algorithm, g *global, i int, into vector) (vector, error) {
	for list, constants := range a.everyConstant() {
		if i < len(constants) && &constants[i] == g {
			var data []byte
			if err := k.Call("Content", ConstantAt{k.at, list, i}, &data); err != nil {
				return into, err
			}
			if len(data) != len(into.data) {
				return into, fmt.Errorf("the keeper has %d bytes; want %d", len(data), len(into.data))
			}
			copy(into.data, data)
			return into, nil
		}
	}
	return into, errors.New("the constant is in no list")
}

// verify has the keeper compare answers.
func (k *kept) verify(env framework.Env, answers map[int]vector) ([]framework.Check, error) {
	q, said := Answers{k.at, map[int]Vector{}}, Checked{}
	for i, v := range answers {
		q.Vectors[i] = sent(v)
	}
	if err := k.Call("Verify", q, &said); err != nil {
		return nil, err
	}
	for _, n := range said.Notes {
		env.Note("%s", strings.TrimSpace(n))
	}
	return said.Checks, nil
}

// right returns the right answer, if an answer was wrong.
func (k *kept) right() (map[int]vector, error) {
	var list map[int]Vector
	if err := k.Call("Right", k.at, &list); err != nil {
		return nil, err
	}
	right := map[int]vector{}
	for i, v := range list {
		var err error
		if right[i], err = v.received(); err != nil {
			return nil, err
		}
	}
	return right, nil
}

// library has the keeper compile a version, and loads it.
func (k *kept) library(v *variant, tunables framework.Values) (*library, error) {
	text, err := json.Marshal(tunables)
	if err != nil {
		return nil, err
	}
	var built Built
	if err := k.Call("Library", Build{k.at.Params, text, v.Name}, &built); err != nil {
		return nil, err
	}
	if err := built.Failure.Err(); err != nil {
		return nil, err
	}
	defer os.RemoveAll(filepath.Dir(built.File))
	return loadLibrary(built.File, v.C.Source)
}
