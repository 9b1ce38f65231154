package recorded

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"example.org/bench/internal/safefile"
)

// Write writes the space in the form that Read reads, gzip.
func (r *Space) Write(out io.Writer) error {
	z := gzip.NewWriter(out)
	w := csv.NewWriter(z)
	var row []string
	for _, p := range r.Space.Parameters {
		if p.Labels != nil {
			return fmt.Errorf("parameter %s has labels; a recorded space holds numbers", p.Name)
		}
		row = append(row, p.Name)
	}
	row = append(row, timeColumn, statusColumn)
	if r.Energies != nil {
		row = append(row, energyColumn)
	}
	if r.Compile != nil {
		row = append(row, compileColumn, runColumn)
	}
	if err := w.Write(row); err != nil {
		return err
	}
	for i, c := range r.Costs {
		row = row[:0]
		for d := range r.Space.Parameters {
			row = append(row, strconv.FormatFloat(r.Space.Value(i, d), 'f', -1, 64))
		}
		if math.IsNaN(c) {
			row = append(row, "", invalidStatus)
		} else {
			row = append(row, strconv.FormatFloat(c*1e3, 'g', -1, 64), validStatus)
		}
		if r.Energies != nil {
			joules := ""
			if !math.IsNaN(c) {
				joules = strconv.FormatFloat(r.Energies[i], 'g', -1, 64)
			}
			row = append(row, joules)
		}
		if r.Compile != nil {
			row = append(row, strconv.FormatFloat(r.Compile[i], 'g', -1, 64), strconv.FormatFloat(r.Run[i], 'g', -1, 64))
		}
		if err := w.Write(row); err != nil {
			return err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return z.Close()
}

// WriteFile writes the space to NAME.csv.gz in a folder.
func (r *Space) WriteFile(dir *safefile.Folder) error {
	var out bytes.Buffer
	if err := r.Write(&out); err != nil {
		return err
	}
	return dir.Write(r.Name+".csv.gz", &out)
}
