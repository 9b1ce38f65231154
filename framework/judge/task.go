package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/experiment"
	"example.org/bench/gpu"
)

// Task is what candidates are judged by.
type Task struct {
	experiment.Subject
	factory experiment.FactoryOf
	// source is the file that a candidate replaces.
	source string
	c      bool // the source is a C function

	mutex sync.Mutex
	gpus  map[string]*gpu.Facts // facts of the devices that it was judged on, by device
}

// gpu returns the facts of a device on which the task was judged, or nil.
func (t *Task) gpu(device string) *gpu.Facts {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.gpus[device]
}

// know keeps the facts of a GPU.
func (t *Task) know(device string, facts *gpu.Facts) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.gpus == nil {
		t.gpus = map[string]*gpu.Facts{}
	}
	if facts != nil && !facts.Simulated {
		t.gpus[device] = facts
	}
}

// LoadTask reads a task. factory makes its algorithm.
func LoadTask(path string, factory experiment.FactoryOf) (*Task, error) {
	c, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	return NewTask(c, factory)
}

// NewTask returns the task of a config. factory makes its algorithm. The errors are *config.Errors.
func NewTask(c *config.Config, factory experiment.FactoryOf) (*Task, error) {
	f, err := factory(c)
	if err != nil {
		return nil, err
	}
	t := &Task{Subject: experiment.Subject{Config: c, Factory: f}, factory: factory}
	if err := t.CheckTask(); err != nil {
		return nil, err
	}
	t.c = f.Version(c.Judge.Version).Processor == framework.CPU
	_, source, err := t.replaced("")
	if err != nil {
		return nil, err
	}
	t.source = source
	return t, nil
}

// folder returns the folder of the task's file.
func (t *Task) folder() string { return filepath.Dir(t.Config.Path) }

// Forms returns the endings that a candidate's name may have.
func (t *Task) Forms() []string {
	if t.c {
		return cForms
	}
	return kernelForms
}

// replaced returns the content of "cuda" with the judged version's source replaced by a file, and
// the file that it had. In a list of files the last one is replaced, unless the candidate is
// compiled code.
func (t *Task) replaced(by string) (cuda json.RawMessage, had string, err error) {
	type object map[string]json.RawMessage
	var all object
	var versions []object
	if err := json.Unmarshal(t.Config.CUDA, &all); err != nil {
		return nil, "", err
	}
	if list := all["versions"]; list != nil {
		err = json.Unmarshal(list, &versions)
	}
	i := slices.IndexFunc(versions, func(v object) bool {
		var name string
		return json.Unmarshal(v["name"], &name) == nil && name == t.Config.Judge.Version
	})
	if i < 0 || err != nil {
		return nil, "", errors.Join(err, fmt.Errorf("%s: judge.version: %s is not among versions", t.Config.Path, t.Config.Judge.Version))
	}
	first := versions[0]["source"] // has verify.kernels, where they have no source of their own
	place := versions[i]
	if t.c {
		place = object{}
		if err := json.Unmarshal(versions[i]["c"], &place); err != nil {
			return nil, "", err
		}
	}
	source := place["source"]
	if source == nil {
		source = all["source"]
	}
	var list []string
	if err := json.Unmarshal(source, &list); err != nil {
		list = []string{""}
		if err := json.Unmarshal(source, &list[0]); err != nil {
			return nil, "", err
		}
	}
	if had = list[len(list)-1]; !filepath.IsAbs(had) {
		had = filepath.Join(t.folder(), had)
	}
	if list[len(list)-1] = by; filepath.Ext(by) != ".cu" {
		list = []string{by}
	}
	var form any = list
	if t.c {
		form = by
	}
	put := func(to object, key string, v any) {
		text, failed := json.Marshal(v)
		to[key], err = text, errors.Join(err, failed)
	}
	put(place, "source", form)
	if t.c {
		put(versions[i], "c", place)
	} else {
		put(place, "benign", []string{}) // lines refer to the replaced source
		delete(place, "opencl_source")   // a candidate is CUDA C++
		delete(all, "opencl_source")
	}
	var verify object
	if all["verify"] != nil {
		if err := json.Unmarshal(all["verify"], &verify); err != nil {
			return nil, "", err
		}
	}
	if verify["kernels"] != nil && verify["source"] == nil {
		if first == nil {
			first = all["source"]
		}
		put(verify, "source", first)
		put(all, "verify", verify)
	}
	put(all, "versions", versions)
	cuda, failed := json.Marshal(all)
	return cuda, had, errors.Join(err, failed)
}

// with returns the subject with a file in place of the judged version's source.
func (t *Task) with(file string) (experiment.Subject, error) {
	c, err := config.Parse(t.Config.Path, []byte(t.Config.Text))
	if err != nil {
		return experiment.Subject{}, err
	}
	c.Path, c.Files = t.Config.Path, map[string][]byte{}
	if c.CUDA, _, err = t.replaced(file); err != nil {
		return experiment.Subject{}, err
	}
	f, err := t.factory(c)
	return experiment.Subject{Config: c, Factory: f}, err
}
