package record

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gocarina/gocsv"

	"bench/framework/measure"
	"bench/framework/safefile"
)

// The compressed files of everything that was sampled.
const (
	samplesCSV      = "samples.csv.gz"
	powerSamplesCSV = "power_samples.csv.gz"
)

// Sample is one timed sample.
type Sample struct {
	Point   int     `csv:"point" doc:"the point's number in the other files"`
	Version string  `csv:"version" doc:"implementation"`
	Mode    string  `csv:"mode" doc:"cold (caches flushed before the sample) or hot (back to back)"`
	Index   int     `csv:"index" doc:"number of the sample in its series, in the order taken"`
	Time    float64 `csv:"time_s" doc:"time of one run"`
}

// PowerSample is one reading of one sensor channel.
type PowerSample struct {
	Point   int    `csv:"point" doc:"the point's number in the other files"`
	Version string `csv:"version" doc:"implementation"`
	Time    Number `csv:"time_s" doc:"since the start of the sustained run; negative before it"`
	Sensor  string `csv:"sensor" doc:"whose channel it is"`
	Channel string `csv:"channel" doc:"the channel that was read"`
	Value   Number `csv:"value" doc:"in the channel's unit (run.json: sensors)"`
}

func (r *Run) writeSamples(dir string) error {
	timed := compressed[Sample](func(add func([]Sample) error) error {
		for _, res := range r.Results {
			for _, s := range []struct {
				mode   string
				series *measure.Series
			}{{"cold", res.Cold}, {"hot", res.Hot}} {
				if s.series == nil {
					continue
				}
				rows := make([]Sample, len(s.series.Samples))
				for i, x := range s.series.Samples {
					rows[i] = Sample{res.Point.ID, res.Point.Version, s.mode, i, x}
				}
				if err := add(rows); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err := safefile.Write(filepath.Join(dir, r.file(samplesCSV)), timed); err != nil {
		return err
	}
	path := filepath.Join(dir, r.file(powerSamplesCSV))
	any := false
	for _, res := range r.Results {
		any = any || res.Energy != nil && len(res.Energy.Samples) > 0
	}
	if !any {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	return safefile.Write(path, compressed[PowerSample](func(add func([]PowerSample) error) error {
		for _, res := range r.Results {
			if res.Energy == nil {
				continue
			}
			rows := make([]PowerSample, len(res.Energy.Samples))
			for i, s := range res.Energy.Samples {
				rows[i] = PowerSample{res.Point.ID, res.Point.Version, Measured(s.Time), s.Sensor, s.Channel, Measured(s.Value)}
			}
			if err := add(rows); err != nil {
				return err
			}
		}
		return nil
	}))
}

// compressed is a CSV file of T, compressed; fill hands it the rows.
type compressed[T any] func(add func([]T) error) error

func (fill compressed[T]) WriteTo(w io.Writer) (int64, error) {
	z := gzip.NewWriter(w)
	out := gocsv.NewSafeCSVWriter(csv.NewWriter(z))
	err := gocsv.MarshalCSV([]T{}, out)
	if err == nil {
		err = fill(func(rows []T) error { return gocsv.MarshalCSVWithoutHeaders(rows, out) })
	}
	return 0, errors.Join(err, z.Close())
}

// ReadSamples reads the timed samples of a run from its folder.
func ReadSamples(dir string, r *Run) ([]Sample, error) {
	return readCompressed[Sample](filepath.Join(dir, r.file(samplesCSV)))
}

// ReadPowerSamples reads the readings of power channels of a run from its
// folder; none where no power was measured.
func ReadPowerSamples(dir string, r *Run) ([]PowerSample, error) {
	samples, err := readCompressed[PowerSample](filepath.Join(dir, r.file(powerSamplesCSV)))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return samples, err
}

func readCompressed[T any](path string) ([]T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var samples []T
	if err := gocsv.Unmarshal(z, &samples); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return samples, nil
}
