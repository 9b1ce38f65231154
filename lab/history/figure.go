package main

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
	"os"
)

// drawPanels draws the median delay against the size of the step, a panel for
// each calibration.
func drawPanels(curves []curve) []*plot.Plot {
	colours := []color.Color{color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255}}
	dashes := [][]vg.Length{nil, {6, 3}, {2, 2}, {6, 2, 2, 2}}
	var panels []*plot.Plot
	for _, calibration := range []string{allShapes, constantShape} {
		p := plot.New()
		p.Title.Text = "Thresholds by " + calibration
		p.X.Label.Text = "size of the step (standard deviations)"
		p.Y.Label.Text = "median delay (runs after the step's)"
		p.Y.Min, p.Y.Max = 0, 30
		p.X.Min, p.X.Max = 0, 10
		p.Legend.Top = true
		p.Add(plotter.NewGrid())
		var names []string
		for _, c := range curves {
			if !slices.Contains(names, c.method) {
				names = append(names, c.method)
			}
		}
		for i, name := range names {
			var points plotter.XYs
			for _, c := range curves {
				if c.method == name && c.calibration == calibration && !math.IsInf(c.median, 0) {
					points = append(points, plotter.XY{X: c.size, Y: c.median})
				}
			}
			if len(points) == 0 {
				continue
			}
			line, marks, err := plotter.NewLinePoints(points)
			if err != nil {
				continue
			}
			line.Color, marks.Color, line.Width, line.Dashes = colours[i], colours[i], vg.Points(1.5), dashes[i]
			marks.Shape = draw.CircleGlyph{}
			p.Add(line, marks)
			p.Legend.Add(name, line, marks)
		}
		panels = append(panels, p)
	}
	return panels
}

// drawFiles writes the figure as SVG and PNG.
func drawFiles(curves []curve, path string) error {
	const width, height = 22 * vg.Centimeter, 10 * vg.Centimeter
	panels := drawPanels(curves)
	onto := func(c vg.CanvasSizer) {
		dc := draw.New(c)
		half := dc.Size().X / 2
		panels[0].Draw(draw.Crop(dc, 0, -half, 0, 0))
		panels[1].Draw(draw.Crop(dc, half, 0, 0, 0))
	}
	svg, png := vgsvg.New(width, height), vgimg.New(width, height)
	onto(svg)
	onto(png)
	for _, file := range []struct {
		name  string
		write func(f *os.File) error
	}{
		{path + ".svg", func(f *os.File) error { _, err := svg.WriteTo(f); return err }},
		{path + ".png", func(f *os.File) error { _, err := vgimg.PngCanvas{Canvas: png}.WriteTo(f); return err }},
	} {
		f, err := os.Create(file.name)
		if err != nil {
			return err
		}
		if err := file.write(f); err != nil {
			f.Close()
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}
