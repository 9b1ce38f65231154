package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
)

// The page's parts. charts.js.gz is ECharts as web/build makes it.
//
//go:embed web/page.css web/*.js web/charts.js.gz web/LICENCES.txt
var web embed.FS

// scripts are the page's own, in order.
var scripts = []string{"text.js", "colours.js", "options.js", "figure.js", "parallel.js", "table.js", "page.js"}

// counted counts the bytes that are written.
type counted struct {
	io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.Writer.Write(b)
	c.n += int64(n)
	return n, err
}

// WriteTo implements io.WriterTo: it writes the document as one HTML file. It has no further buffer of all of
// it, since large runs have hundreds of megabytes.
func (d *Document) WriteTo(w io.Writer) (int64, error) {
	p, err := pageParts()
	if err != nil {
		return 0, err
	}
	return d.writePage(w, surround{
		policy: fmt.Sprintf("default-src 'none'; script-src %s %s; style-src %s; base-uri 'none'; form-action 'none'", source(p.charts), source(p.own), source(p.style)),
		head:   "<style>" + p.style + "</style>", licences: p.licences,
		scripts: "<script>" + p.charts + "</script>\n<script>" + p.own + "</script>",
	})
}

// surround is the HTML around a document's data. All of it is made by this package.
type surround struct{ policy, head, licences, scripts string }

func (d *Document) writePage(w io.Writer, p surround) (int64, error) {
	d.drawAxes()
	to := &counted{Writer: w}
	b := bufio.NewWriter(to) // keeps the first error for Flush
	fmt.Fprintf(b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>%s</title>
%s
</head>
<body>
<noscript><p>This report draws itself with its own script, and needs no network: allow scripts for this file.</p></noscript>
<script type="application/json" id="data">`, p.policy, html.EscapeString(d.Title), p.head)
	if err := d.encode(b); err != nil {
		return to.n, err
	}
	b.WriteString("</script>\n<script type=\"text/plain\" id=\"licences\">")
	b.WriteString(p.licences)
	b.WriteString("</script>\n")
	b.WriteString(p.scripts)
	b.WriteString("\n</body>\n</html>\n")
	err := b.Flush()
	return to.n, err
}

// encode writes the document as Marshal does, with the points of a section one by one. Marshal writes <, >
// and & in texts as escapes, so that no text ends the element.
func (d *Document) encode(b *bufio.Writer) error {
	begin := func(v any) error { // an object without its end
		text, err := json.Marshal(v)
		if err == nil {
			b.Write(text[:len(text)-1])
		}
		return err
	}
	head := *d
	head.Sections = nil
	text, err := json.Marshal(head)
	if err != nil || d.Sections == nil {
		b.Write(text)
		return err
	}
	b.Write(bytes.TrimSuffix(text, []byte("null}")))
	b.WriteString("[")
	for i, s := range d.Sections {
		if i > 0 {
			b.WriteString(",")
		}
		points := s.made
		if points == nil {
			points = slices.Values(s.Points)
		}
		s.Points = nil
		if err := begin(s); err != nil {
			return err
		}
		before, after := `,"points":[`, ""
		for p := range points {
			drawAxes(p.Figures)
			b.WriteString(before)
			if err := begin(p); err != nil {
				return err
			}
			b.WriteString("}")
			before, after = ",", "]"
		}
		b.WriteString(after + "}")
	}
	b.WriteString("]}")
	return nil
}

// source allows an element of this text.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func inflated(name string) (string, error) {
	f, err := web.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(z)
	return string(text), err
}
