package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"bench/algorithms"
	"bench/algorithms/kernel"
	"bench/framework"
	"bench/framework/bound"
	"bench/framework/config"
	"bench/framework/experiment"
	"bench/framework/profile"
)

// compareClasses holds the classes of the configs' points against Nsight Compute's.
func compareClasses(ctx context.Context, folder string, configs []string, out io.Writer) error {
	profiler, err := profile.Find(profile.Toolkit)
	if err != nil {
		return err
	}
	keep, err := os.Create(filepath.Join(folder, "classes.jsonl"))
	if err != nil {
		return err
	}
	defer keep.Close()
	table, err := os.Create(filepath.Join(folder, "ncu.csv"))
	if err != nil {
		return err
	}
	defer table.Close()
	speeds, err := os.Create(filepath.Join(folder, "ncu.jsonl"))
	if err != nil {
		return err
	}
	defer speeds.Close()
	var errs []error
	for _, path := range configs {
		list, err := explained(ctx, path, keep)
		errs = append(errs, err)
		seen, err := profiled(ctx, path, profiler, table)
		errs = append(errs, err)
		for _, e := range list {
			if s, ok := seen[e.Point.Algorithm+" "+e.Point.Version+" "+e.Point.Settings()]; ok {
				errs = append(errs, json.NewEncoder(speeds).Encode(profiledPoint{e.Point.Key(), s, s.Class()}))
			}
		}
	}
	return errors.Join(append(errs, printClasses([]string{folder}, out))...)
}

// profiledPoint is a line of ncu.jsonl.
type profiledPoint struct {
	Point string        `json:"point"`
	Speed profile.Speed `json:"ncu"`
	Class string        `json:"class"`
}

// printClasses compares what folders have; of a point that several have, the last.
func printClasses(folders []string, out io.Writer) error {
	speeds, points := map[string]profile.Speed{}, map[string]experiment.Explained{}
	var order []string
	for _, folder := range folders {
		err := lines(filepath.Join(folder, "classes.jsonl"), func(e experiment.Explained) {
			key := e.Point.Key()
			if _, ok := points[key]; !ok {
				order = append(order, key)
			}
			points[key] = e
		})
		err = errors.Join(err, lines(filepath.Join(folder, "ncu.jsonl"), func(p profiledPoint) { speeds[p.Point] = p.Speed }))
		if err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "POINT\tCLASS\tSHARE\tTIME\tMODEL\tNCU\tCOMPUTE\tMEMORY\tDRAM\tL2\tL1\tSAME")
	same, all := 0, 0
	for _, key := range order {
		e := points[key]
		s, ok := speeds[key]
		if !ok {
			fmt.Fprintf(w, "%s %s %s\t%s\tnot profiled\n", e.Point.Algorithm, e.Point.Version, e.Point.Settings(), e.Why.Title())
			continue
		}
		agree := coarse(e.Why) == s.Class()
		all++
		if agree {
			same++
		}
		fmt.Fprintf(w, "%s %s %s\t%s\t%.2f\t%.4g µs\t%.4g µs\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t%v\n", e.Point.Algorithm, e.Point.Version, e.Point.Settings(), e.Why.Title(), e.Why.Share,
			1e6*e.Why.Time, 1e6*e.Why.Model, s.Class(), s.Compute, s.Memory, s.DRAM, s.L2, s.L1, agree)
	}
	w.Flush()
	fmt.Fprintf(out, "%d of %d classes are those of Nsight Compute's rule\n", same, all)
	return nil
}

// lines reads a file of JSON documents.
func lines[T any](file string, f func(T)) error {
	text, err := os.Open(file)
	if err != nil {
		return err
	}
	defer text.Close()
	for d := json.NewDecoder(text); d.More(); {
		var x T
		if err := d.Decode(&x); err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		f(x)
	}
	return nil
}

// coarse is the class as Nsight Compute's rule names it.
func coarse(w bound.Why) string {
	switch w.Class {
	case bound.Memory, bound.L2, bound.SharedMem:
		return profile.BoundByMemory
	case bound.Compute, bound.Clock:
		return profile.BoundByCompute
	case bound.Unknown:
		return string(bound.Unknown)
	}
	return profile.BoundByLatency
}

// profiled is what the profiler says of a config's points, by what they are.
func profiled(ctx context.Context, path, profiler string, keep io.Writer) (map[string]profile.Speed, error) {
	c, err := config.Load(path)
	if err != nil {
		return nil, err
	}
	var factory *framework.Factory
	if c.CUDA != nil {
		factory, err = kernel.New(c)
	} else {
		factory, err = framework.NewRegistry(algorithms.All(), nil).Algorithm(c.Algorithm), nil
	}
	if err != nil {
		return nil, err
	}
	if factory == nil {
		return nil, fmt.Errorf("%s: no algorithm %s", path, c.Algorithm)
	}
	x, err := experiment.Open(ctx, experiment.Subject{Config: c, Factory: factory},
		experiment.Options{Processor: "GPU", Must: true, Seed: 1, For: experiment.Profile, Verify: framework.FastVerification})
	if err != nil {
		return nil, err
	}
	x.Close()
	byKey, err := profile.Speeds(ctx, x.Engine, profiler, x.Plan.Points, keep)
	found := map[string]profile.Speed{}
	for _, p := range x.Plan.Points {
		if s, ok := byKey[p.Key()]; ok {
			found[p.Algorithm+" "+p.Version+" "+p.Settings()] = s
		}
	}
	return found, err
}
