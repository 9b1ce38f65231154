package analytical

import (
	"context"
	"fmt"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/experiment"
	"example.org/bench/framework/plan"
)

// Row is the model's choice at one point.
type Row struct {
	Algorithm string `json:"algorithm"` // its name
	Version   string `json:"version"`   // its name
	Device    string `json:"device"`    // the described one
	N         int64  `json:"N"`         // problem size
	Setting
}

// Rows are the choices with the literature's constants at the points of a plan for
// the device. unknown is told of each GPU version of which the literature says
// nothing, at its first point.
func (d *Device) Rows(points []plan.Point, unknown func(plan.Point)) []Row {
	var rows []Row
	told := map[string]bool{}
	for _, p := range points {
		n := p.Params.Int("N")
		s, ok := SettingOf(d.Facts, p.Algorithm, p.Version, int(n))
		switch {
		case ok:
			rows = append(rows, Row{p.Algorithm, p.Version, d.ID, n, s})
		case p.Processor == framework.GPU && !p.Peer && !told[p.Version]:
			told[p.Version] = true
			unknown(p)
		}
	}
	return rows
}

// RowsOf are the rows of a config's points with its default tunables; note is told what the literature says
// nothing of.
func (d *Device) RowsOf(ctx context.Context, config string, s experiment.Subject, note func(format string, args ...any)) ([]Row, error) {
	s.Config.Tunables = nil
	x, err := experiment.Open(ctx, s, experiment.Options{Processor: string(framework.GPU), Facts: &d.Facts, For: experiment.Search})
	if err != nil {
		return nil, err
	}
	defer x.Close()
	rows := d.Rows(x.Plan.Points, func(point plan.Point) {
		note("%s: the literature's model says nothing of it", strings.TrimSpace(point.Version+" "+x.Plan.AxesText(point)))
	})
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: the analytical model knows none of its versions; it knows those of fft, scan and tridiagonal that the literature has", config)
	}
	return rows, nil
}
