package framework

import (
	"slices"
	"sort"
)

// Registry lists the plugins. It is built by explicit calls, never by init functions.
type Registry struct {
	algorithms map[string]*Factory
	sensors    []SensorFactory
}

// NewRegistry returns a registry of these algorithms and sensors. It panics if two algorithms have
// the same name.
func NewRegistry(algorithms []*Factory, sensors []SensorFactory) *Registry {
	r := &Registry{algorithms: map[string]*Factory{}, sensors: sensors}
	for _, f := range algorithms {
		if r.algorithms[f.Name] != nil {
			panic("framework: two algorithms named " + f.Name)
		}
		r.algorithms[f.Name] = f
	}
	return r
}

// Algorithm returns the factory with this name, or nil.
func (r *Registry) Algorithm(name string) *Factory { return r.algorithms[name] }

// Names returns the algorithms' names in alphabetical order.
func (r *Registry) Names() []string {
	names := make([]string, 0, len(r.algorithms))
	for n := range r.algorithms {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Sensors returns the sensors in the order in which they were given.
func (r *Registry) Sensors() []SensorFactory { return r.sensors }

// Version returns the factory's first version with this name, or nil.
func (f *Factory) Version(name string) *Version {
	for i := range f.Versions {
		if f.Versions[i].Name == name {
			return &f.Versions[i]
		}
	}
	return nil
}

// VersionNames returns the names of the factory's versions, each once.
func (f *Factory) VersionNames() (names []string) {
	for _, v := range f.Versions {
		if !slices.Contains(names, v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// TunableNames returns the names of the versions' tunables, each once.
func (f *Factory) TunableNames() (names []string) {
	for _, v := range f.Versions {
		for _, t := range v.Tunables {
			if !slices.Contains(names, t.Name) {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

// VersionOn returns the factory's version with this name for processor p, or nil. A CPU and a GPU
// version may share a name.
func (f *Factory) VersionOn(name string, p Processor) *Version {
	for i := range f.Versions {
		if f.Versions[i].Name == name && f.Versions[i].Processor == p {
			return &f.Versions[i]
		}
	}
	return nil
}

// Param returns the factory's parameter with this name, including InputsParam, or nil.
func (f *Factory) Param(name string) *Param {
	for i := range f.Params {
		if f.Params[i].Name == name {
			return &f.Params[i]
		}
	}
	if name == InputsParam {
		return f.inputsParam()
	}
	return nil
}
