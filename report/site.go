package report

import (
	"fmt"
	"io"
	"strings"
)

// The files that the pages of a site share, in one folder.
const (
	AssetsFolder = "assets"
	chartsAsset  = "charts.js"
	scriptAsset  = "page.js"
	styleAsset   = "page.css"
	licenceAsset = "LICENCES.txt"
)

// Assets returns the files that the pages of a site share, by their names.
func Assets() (map[string][]byte, error) {
	p, err := pageParts()
	if err != nil {
		return nil, err
	}
	return map[string][]byte{chartsAsset: []byte(p.charts), scriptAsset: []byte(p.own), styleAsset: []byte(p.style), licenceAsset: []byte(p.licences)}, nil
}

// Page is a document as a page of a site. It holds only its data; the folder of the assets lies beside it.
type Page struct{ *Document }

// WriteTo implements io.WriterTo. Scripts come only from the site: the policy allows no others, and none in
// the page.
func (p Page) WriteTo(w io.Writer) (int64, error) {
	asset := func(name string) string { return AssetsFolder + "/" + name }
	return p.writePage(w, surround{
		policy: "default-src 'none'; script-src 'self' file:; style-src 'self' file:; base-uri 'none'; form-action 'none'",
		head:   fmt.Sprintf(`<link rel="stylesheet" href="%s">`, asset(styleAsset)), licences: "They are in " + asset(licenceAsset) + " beside this page.",
		scripts: fmt.Sprintf(`<script src="%s"></script>`+"\n"+`<script src="%s"></script>`, asset(chartsAsset), asset(scriptAsset)),
	})
}

// parts are what a page is made of.
type parts struct{ charts, own, style, licences string }

func pageParts() (p parts, err error) {
	if p.charts, err = inflated("web/charts.js.gz"); err != nil {
		return p, err
	}
	own := strings.Builder{}
	own.WriteString("\"use strict\";(() => {\n")
	for _, name := range scripts {
		text, err := web.ReadFile("web/" + name)
		if err != nil {
			return p, err
		}
		own.Write(text)
	}
	own.WriteString("})();\n")
	style, err := web.ReadFile("web/page.css")
	if err != nil {
		return p, err
	}
	licences, err := web.ReadFile("web/LICENCES.txt")
	p.own, p.style, p.licences = own.String(), string(style), string(licences)
	return p, err
}
