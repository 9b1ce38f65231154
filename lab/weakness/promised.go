package main

import (
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"text/tabwriter"

	"example.org/bench/algorithms/kernel"
	"example.org/bench/analysis/bound"
	"example.org/bench/analysis/trace"
	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/framework/record"
	"example.org/bench/tuning/analytical"
)

// printPromised prints what is promised for every change of a set that judges (a folder of test/weakness), by the kernel before it
// alone: by the model's time on an H200 with the ceilings and the clock of a run, before anything is measured.
func printPromised(run, set string, out io.Writer) error {
	folder := path.Join("test/weakness", set)
	list, ok := judging[folder]
	if !ok {
		return fmt.Errorf("%s judges nothing: want blind or blind2", set)
	}
	r, err := record.Read(run)
	if err != nil {
		return err
	}
	if len(r.Info.Devices) == 0 || r.Info.Devices[0].Facts == nil || len(r.Rows) == 0 {
		return fmt.Errorf("%s: want a run of a GPU", run)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KERNEL\tCHANGE\tCLASS\tMODEL\tPROMISED")
	var errs []error
	for _, p := range list {
		why, err := whyBy(filepath.Join(folder, p.Name+".json"), r.Info.Devices[0].Ceilings, r.Rows[0].Time.Clock.Float(), "before")
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.Name, err))
			continue
		}
		before := why["before"]
		said := "nothing"
		if gain, ok := p.Promised(before); ok {
			said = fmt.Sprintf("%.2f", gain)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.4g µs\t%s\n", p.Name, p.Changes[0], before.Title(), 1e6*before.Model, said)
	}
	return errors.Join(append(errs, w.Flush())...)
}

// whyBy is what is said of a config's versions by the model's time alone, on an H200 with these ceilings at this clock.
func whyBy(file string, of record.Ceilings, hz float64, versions ...string) (map[string]bound.Why, error) {
	described, err := analytical.FindDevice("h200")
	if err != nil {
		return nil, err
	}
	c, err := config.Load(file)
	if err != nil {
		return nil, err
	}
	factory, err := kernel.New(c)
	if err != nil {
		return nil, err
	}
	params := framework.Values{}
	for _, x := range factory.Params {
		params[x.Name] = x.Default
	}
	for _, x := range c.Sweep {
		params[x.Name] = x.Values[0]
	}
	problem, err := factory.NewProblem(framework.Env{Seed: 1, Workers: 2}, params)
	if err != nil {
		return nil, err
	}
	defer problem.Close()
	d, err := trace.Open(described.Facts, 8<<30)
	if err != nil {
		return nil, err
	}
	why := map[string]bound.Why{}
	for _, v := range versions {
		alg, err := factory.VersionOn(v, framework.GPU).New(framework.Env{Device: d, Seed: 1}, problem, nil)
		if err != nil {
			return nil, err
		}
		if err := alg.PreRun(); err != nil {
			return nil, err
		}
		d.Launches()
		if err := alg.Run(); err != nil {
			return nil, err
		}
		why[v] = bound.Explain(bound.Input{Launches: d.Launches(), Facts: described.Facts, Ceilings: of, Clock: hz})
		if err := alg.PostRun(); err != nil {
			return nil, err
		}
	}
	return why, nil
}
