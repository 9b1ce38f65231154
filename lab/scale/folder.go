//go:build linux

package main

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"example.org/bench/framework/measure"
	"example.org/bench/framework/plan"
	"example.org/bench/framework/record"
)

// pieceRows is how many rows are written at once: what a run just made holds of a row is many
// times what its files have.
const pieceRows = 50000

// folder writes the files of a run of so many rows, in pieces.
func folder(dir string, rows int, seed uint64, versions ...string) error {
	g := rand.New(rand.NewPCG(seed, 1))
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	info := record.Info{Started: began, Ended: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Tool: record.Tool{Version: "scale"}, Config: record.ConfigFile{Path: "scale.json", Hash: "0", Text: "{}"}, Seed: 1, Devices: []record.Device{{ID: "cpu"}}}
	axes := []plan.Axis{{Name: "N", Count: rows / len(versions)}}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	piece := dir + ".piece"
	defer os.RemoveAll(piece)
	for from := 0; from < rows; from += pieceRows {
		var results []record.Result
		for i := from; i < min(from+pieceRows, rows); i++ {
			n := i / len(versions)
			seconds := 1e-6 * float64(n+1)
			s := &measure.Series{Batch: 1, Converged: true, Stop: "noise below 0.5 %"}
			for range samplesOfRow {
				s.Samples = append(s.Samples, seconds*(1+0.003*g.NormFloat64()))
			}
			results = append(results, result(i, n, versions[i%len(versions)], s, began.Add(time.Duration(i)*time.Second)))
		}
		if err := record.Write(piece, record.NewRun(info, "scale", axes, results)); err != nil {
			return err
		}
		files, err := os.ReadDir(piece)
		if err != nil {
			return err
		}
		for _, f := range files {
			if err := extend(filepath.Join(dir, f.Name()), filepath.Join(piece, f.Name()), from == 0 || f.Name() == record.InfoFile); err != nil {
				return err
			}
		}
	}
	return nil
}

// extend appends a piece's file to that of the run, without its header unless it is the first.
func extend(to, from string, first bool) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	mode := os.O_APPEND
	if first {
		mode = os.O_TRUNC
	}
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|mode, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	var text io.Reader = in
	var w io.WriteCloser = out
	if strings.HasSuffix(from, ".gz") { // members that follow each other are one stream
		if text, err = gzip.NewReader(in); err != nil {
			return err
		}
		w = gzip.NewWriter(out)
		defer func() { err = errors.Join(err, w.Close()) }()
	}
	lines := bufio.NewReader(text)
	if !first {
		if _, err := lines.ReadString('\n'); err != nil {
			return err
		}
	}
	_, err = io.Copy(w, lines)
	return err
}
