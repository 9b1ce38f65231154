package config

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.org/bench/configs"
)

var update = flag.Bool("update", false, "write the tables of docs/config.md from the schema")

const reference = "../../docs/config.md"

// block is a table of the page between its two marks: a JSON path into the
// schema whose properties it lists.
var block = regexp.MustCompile(`(?s)<!-- keys of (\S+), by make references -->\n.*?<!-- end -->\n`)

// forms are the definitions that the page describes in words, by its headings.
var forms = map[string]string{
	"arguments": "[arguments](#forms)", "axes": "[axes](#forms)", "values": "[values](#forms)",
	"expression": "[expression](kernels.md#expressions)", "extent": "one to three [expressions](kernels.md#expressions)",
	"identifier": "name as in C", "scalar": "number or word", "source": "path", "cpp_name": "name as in C++",
	"tunable_values": "[values](#forms)", "tunable_default": "[expression](kernels.md#expressions), or true or false",
	"kernels": "list of [launches](#a-kernel) and [loops](#a-loop)",
}

// page is the schema with the headings of the tables that the page has.
type page struct {
	t        *testing.T
	schema   *node
	headings map[string]string // by path
	rows     map[string]string // the table that has a row, by the row
}

// fewestAlike is how many rows a table shares with an earlier one before it names them in a line alone.
const fewestAlike = 4

// resolve follows a $ref; keys beside it take precedence.
func (p *page) resolve(n *node, key string) *node {
	if own := n.get(key); own != nil {
		return own
	}
	if ref := n.get("$ref"); ref != nil {
		return p.resolve(p.target(ref), key)
	}
	return nil
}

func (p *page) target(ref *node) *node {
	name := strings.TrimPrefix(ref.value.String(), "#/definitions/")
	found := p.schema.get("definitions").get(name)
	if found == nil {
		p.t.Fatalf("the schema refers to %s, which it lacks", ref)
	}
	return found
}

// value says which values are allowed.
func (p *page) value(n *node, path string) string {
	if ref := n.get("$ref"); ref != nil {
		path = "definitions." + strings.TrimPrefix(ref.value.String(), "#/definitions/")
		if form, ok := forms[strings.TrimPrefix(path, "definitions.")]; ok {
			return form
		}
		return p.value(p.target(ref), path)
	}
	if list := n.get("enum"); list != nil {
		var words []string
		for _, w := range list.items {
			words = append(words, "`"+w.value.String()+"`")
		}
		return strings.Join(words, ", ")
	}
	var kinds []string
	if k := n.get("type"); k.kind == array {
		for _, one := range k.items {
			kinds = append(kinds, one.value.String())
		}
	} else {
		kinds = []string{k.value.String()}
	}
	words := map[string]string{"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
	for i, k := range kinds {
		switch k {
		case "object":
			switch each := n.get("additionalProperties"); {
			case n.get("properties") != nil:
				heading, ok := p.headings[path]
				if !ok {
					p.t.Errorf("%s is an object, and no table lists its keys", path)
				}
				kinds[i] = fmt.Sprintf("[object](#%s)", anchor(heading))
			case each.kind == object:
				kinds[i] = "object: name → " + p.value(each, path+".*")
			}
		case "array":
			kinds[i] = "list of " + p.value(n.get("items"), path+"[]")
		case "number", "integer":
			kinds[i] = words[k] + bounds(n)
		default:
			kinds[i] = words[k]
		}
	}
	return strings.Join(kinds, " or ")
}

func bounds(n *node) string {
	var found []string
	for _, b := range [][2]string{{"minimum", "≥ "}, {"exclusiveMinimum", "> "}, {"maximum", "≤ "}, {"exclusiveMaximum", "< "}} {
		if x := n.get(b[0]); x != nil {
			found = append(found, b[1]+x.value.String())
		}
	}
	if len(found) == 0 {
		return ""
	}
	return " " + strings.Join(found, ", ")
}

// anchor is GitHub's fragment for a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(strings.ToLower(regexp.MustCompile("[^A-Za-z0-9_ -]").ReplaceAllString(heading, "")), " ", "-")
}

// object finds an object by its path: keys, and [] for the items of a list.
func (p *page) object(path string) *node {
	n := p.schema
	rest := strings.TrimPrefix(path, "experiment")
	if name, ok := strings.CutPrefix(path, "definitions."); ok {
		name, rest, _ = strings.Cut(name, ".")
		name, list := strings.CutSuffix(name, "[]")
		if n = n.get("definitions").get(name); list {
			n = n.get("items")
		}
	}
	for _, key := range strings.FieldsFunc(rest, func(r rune) bool { return r == '.' }) {
		n = n.get("properties").get(key)
	}
	if n.get("properties") == nil {
		p.t.Fatalf("the schema has no object %s", path)
	}
	return n
}

// table lists the properties of the object at a path.
func (p *page) table(path string) string {
	n := p.object(path)
	var required []string
	if list := n.get("required"); list != nil {
		for _, r := range list.items {
			required = append(required, r.value.String())
		}
	}
	var rows []string
	alike := map[string][]string{} // keys whose row another table has
	for _, m := range n.get("properties").members {
		doc := p.resolve(m.value, "description")
		if doc == nil {
			p.t.Errorf("%s: %s has no description", path, m.key)
			continue
		}
		preset := ""
		if d := m.value.get("default"); d != nil {
			preset = d.value.String()
		} else if slices.Contains(required, m.key) {
			preset = "required"
		}
		inner := m.key
		if path != "experiment" {
			inner = path + "." + m.key
		}
		row := fmt.Sprintf("| `%s` | %s | %s | %s |\n", m.key, p.value(m.value, inner), preset, doc.value.String())
		rows = append(rows, row)
		if of := p.rows[row]; of != "" {
			alike[of] = append(alike[of], "`"+m.key+"`")
		}
	}
	b := &strings.Builder{}
	b.WriteString("| key | value | default | meaning |\n|---|---|---|---|\n")
	for _, row := range rows {
		of := p.rows[row]
		if len(alike[of]) < fewestAlike {
			b.WriteString(row)
		}
		if of == "" {
			p.rows[row] = path
		}
	}
	for _, of := range slices.Sorted(maps.Keys(alike)) {
		if len(alike[of]) >= fewestAlike {
			fmt.Fprintf(b, "\nAs of [%s](#%s): %s.\n", p.headings[of], anchor(p.headings[of]), strings.Join(alike[of], ", "))
		}
	}
	return b.String()
}

// The tables of docs/config.md are the schema's, and every object of the
// schema has one.
func TestReference(t *testing.T) {
	errs := &Errors{}
	p := &page{t: t, schema: read("schema.json", configs.Schema, errs), headings: map[string]string{}, rows: map[string]string{}}
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	had, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	text := string(had)
	for _, at := range block.FindAllStringSubmatchIndex(text, -1) {
		before := text[:at[0]]
		_, heading, ok := strings.Cut(before[strings.LastIndex(before, "\n#")+1:], " ")
		if !ok {
			t.Fatal("a table without a heading")
		}
		heading, _, _ = strings.Cut(heading, "\n")
		p.headings[text[at[2]:at[3]]] = heading
	}
	for _, path := range []string{"experiment", "measure", "run_arg"} {
		if p.headings[path] == "" {
			t.Errorf("no table of %s", path)
		}
	}
	want := block.ReplaceAllStringFunc(text, func(old string) string {
		first, _, _ := strings.Cut(old, "\n")
		return first + "\n" + p.table(block.FindStringSubmatch(old)[1]) + "<!-- end -->\n"
	})
	if *update {
		if err := os.WriteFile(reference, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if want != text {
		t.Errorf("%s is not what the schema says: make references", reference)
	}
}
