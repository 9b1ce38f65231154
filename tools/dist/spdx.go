package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

// part is a module that is linked, or Go itself, with the licences that its files hold.
type part struct {
	name, version string
	licences      []string
}

// known are licences by their identifier on SPDX's list and by words that their texts alone have.
var known = []struct {
	id   string
	has  *regexp.Regexp
	lack *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`Apache License\s+Version 2\.0, January 2004`), nil},
	{"MIT", regexp.MustCompile(`Permission is hereby granted, free of charge,\s+to\s+any\s+person\s+obtaining`), nil},
	{"BSD-3-Clause", regexp.MustCompile(`Redistribution and use in source and binary forms[\s\S]*endorse\s+or\s+promote`), nil},
	{"BSD-2-Clause", regexp.MustCompile(`Redistribution and use in source and binary forms`), regexp.MustCompile(`endorse\s+or\s+promote`)},
	{"BSL-1.0", regexp.MustCompile(`Boost Software License - Version 1\.0`), nil},
	{"OFL-1.1", regexp.MustCompile(`SIL OPEN FONT LICENSE Version 1\.1`), nil},
	{"CC-BY-4.0", regexp.MustCompile(`Creative Commons Attribution 4\.0`), nil},
	{"CC-BY-3.0", regexp.MustCompile(`Creative Commons Attribution 3\.0`), nil},
	{"FTL", regexp.MustCompile(`The FreeType Project LICENSE`), nil},
	{"MPL-2.0", regexp.MustCompile(`Mozilla Public License,? [Vv]ersion 2\.0`), nil},
	{"GPL-2.0-only", regexp.MustCompile(`GNU GENERAL PUBLIC LICENSE\s+Version 2, June 1991`), nil},
}

// parts returns what is linked, by name, of the files of licences.
func parts(files []file) []part {
	found := map[string]map[string]bool{}
	for _, f := range files {
		rest := strings.TrimPrefix(f.name, "licences/")
		at := strings.Index(rest, "@")
		if at < 0 {
			continue
		}
		end := at + strings.Index(rest[at:], "/")
		module := rest[:end]
		if found[module] == nil {
			found[module] = map[string]bool{}
		}
		for _, k := range known {
			if k.has.Match(f.text) && (k.lack == nil || !k.lack.Match(f.text)) {
				found[module][k.id] = true
			}
		}
	}
	var list []part
	for _, module := range slices.Sorted(maps.Keys(found)) {
		name, version, _ := strings.Cut(module, "@")
		list = append(list, part{name, version, slices.Sorted(maps.Keys(found[module]))})
	}
	return list
}

var unnamed = regexp.MustCompile(`[^A-Za-z0-9.-]+`)

// spdx returns the list of what is linked, with licences, in SPDX's JSON (spdx.github.io/spdx-spec, 2.3). A part whose files hold several
// licences has none declared, because whether all hold or one may be chosen stands in their text; the comment lists them.
func (d dist) spdx(list []part, when time.Time) ([]byte, error) {
	type object map[string]any
	described := func(name, version, licence, comment, place string) object {
		o := object{"SPDXID": "SPDXRef-" + strings.Trim(unnamed.ReplaceAllString(name, "-"), "-"), "name": name, "versionInfo": version, "downloadLocation": place,
			"filesAnalyzed": false, "licenseConcluded": "NOASSERTION", "licenseDeclared": licence, "copyrightText": "NOASSERTION"}
		if comment != "" {
			o["licenseComments"] = comment
		}
		return o
	}
	own := described("bench", d.version, "MIT", "", "NOASSERTION")
	packages := []object{own}
	relations := []object{{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}}
	for _, p := range list {
		licence, comment, place := "NOASSERTION", "its files hold "+strings.Join(p.licences, ", "), "https://pkg.go.dev/"+p.name+"@"+p.version
		switch len(p.licences) {
		case 0:
			return nil, fmt.Errorf("%s has a licence that is not known here; want its identifier and words in %s", p.name, path.Join("tools", "dist", "spdx.go"))
		case 1:
			licence, comment = p.licences[0], ""
		}
		if p.name == "go" {
			place = "https://go.dev/dl/"
		}
		o := described(p.name, p.version, licence, comment, place)
		packages = append(packages, o)
		relations = append(relations, object{"spdxElementId": own["SPDXID"], "relationshipType": "STATIC_LINK", "relatedSpdxElement": o["SPDXID"]})
	}
	text, err := json.MarshalIndent(object{
		"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": "bench-" + d.version,
		"documentNamespace": "https://example.org/bench/spdx/" + d.version + "/" + d.commit,
		"creationInfo":      object{"created": when.UTC().Format(time.RFC3339), "creators": []string{"Tool: tools/dist"}},
		"packages":          packages, "relationships": relations,
	}, "", "  ")
	return append(text, '\n'), err
}
