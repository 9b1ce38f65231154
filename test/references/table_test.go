package references

import (
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.org/bench/framework"
)

// row is a key with its unit and meaning, and the field that it comes from.
type row struct{ key, unit, meaning, field string }

// table lists the keys that a type's JSON may have, such as "points[].params.NAME".
type table struct {
	source  comments
	rows    []row
	printed map[string]bool
}

func (b *table) row(r row) {
	if r.key = strings.TrimPrefix(r.key, "."); !b.printed[r.key] {
		b.printed[r.key] = true
		b.rows = append(b.rows, r)
	}
}

// add lists a type's keys below a key, whose unit its parts have where they tell none.
func (b *table) add(t reflect.Type, below, unit string) {
	if other, ok := alike[t]; ok {
		t = other
	}
	section := shared[t]
	switch {
	case below != "" && section != "":
		if strings.HasSuffix(below, "]") {
			b.row(row{key: below, meaning: linkTo(section, section)})
		}
	case t.Kind() == reflect.Pointer:
		b.add(t.Elem(), below, unit)
	case t.Implements(reflect.TypeFor[json.Marshaler]()):
	case t.Kind() == reflect.Slice:
		b.add(t.Elem(), below+"[]", unit)
	case t.Kind() == reflect.Map:
		b.row(row{key: below + ".NAME", unit: unit, meaning: kind(t.Elem())})
		b.add(t.Elem(), below+".NAME", unit)
	case t.Kind() == reflect.Struct:
		for f := range fields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			switch {
			case name == "-" || !f.IsExported():
			case f.Anonymous && name == "":
				b.add(f.Type, below, unit)
			default:
				name = cmp.Or(name, f.Name)
				of := cmp.Or(unitOf(name, f), unit)
				meaning := markdown(b.source.of(t, f.Name))
				if section := shared[pointed(f.Type)]; section != "" {
					meaning = linkTo(meaning, section)
				}
				b.row(row{below + "." + name, of, meaning, t.String() + "." + f.Name})
				b.add(f.Type, below+"."+name, of)
			}
		}
	}
}

func fields(t reflect.Type) func(func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

func pointed(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// kind says what each value of a map is.
func kind(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[framework.Value]():
		return "a number or a word"
	case t == reflect.TypeFor[[]framework.Value]():
		return "list of numbers or words"
	case t.Kind() == reflect.String:
		return "text"
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String:
		return "list of texts"
	case t.Kind() == reflect.Slice:
		return "list of numbers"
	case t.Kind() == reflect.Struct:
		return "an object"
	}
	return "a number"
}

// unitOf is the unit of a field: as its tag says, or else its type or the end of its key.
func unitOf(key string, f reflect.StructField) string {
	if unit := f.Tag.Get("unit"); unit != "" {
		return unit
	}
	if pointed(f.Type) == reflect.TypeFor[time.Time]() {
		return "time"
	}
	for _, s := range [][2]string{{"items_per_s", "items/s"}, {"_B_per_s", "B/s"}, {"_FLOP_per_s", "FLOP/s"}, {"_per_s", ""}, {"_s", "s"}, {"_J", "J"}, {"_Js", "J·s"}, {"_W", "W"},
		{"_Hz", "Hz"}, {"_bytes", "bytes"}, {"_bits", "bits"}} {
		if strings.HasSuffix(key, s[0]) {
			return s[1]
		}
	}
	return ""
}

// comments are those of the fields of the structs that a folder declares, by "type.field", by folder.
type comments map[string]map[string]string

// of is the comment of a field in one line: the one behind it, or else the one above it without its
// subject and full stop, with other fields of the struct by their keys; empty where there is none.
func (c comments) of(t reflect.Type, field string) string {
	folder := strings.TrimPrefix(t.PkgPath(), path.Dir(reflect.TypeFor[framework.Value]().PkgPath())+"/")
	if c[folder] == nil {
		c[folder] = map[string]string{}
		files, err := filepath.Glob(path.Join("../..", folder, "*.go"))
		if err != nil {
			panic(err) // of the pattern alone
		}
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				fmt.Fprintln(os.Stderr, err) // its fields have no meaning then
				continue
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if spec, ok := n.(*ast.TypeSpec); ok {
					if s, ok := spec.Type.(*ast.StructType); ok {
						keep(c[folder], spec.Name.Name, s)
					}
				}
				return true
			})
		}
	}
	return c[folder][t.Name()+"."+field]
}

// keep adds the comments of a struct's fields.
func keep(all map[string]string, name string, of *ast.StructType) {
	keys := map[string]string{}
	for _, f := range of.Fields.List {
		for _, n := range f.Names {
			if tag := f.Tag; tag != nil {
				key, _, _ := strings.Cut(reflect.StructTag(strings.Trim(tag.Value, "`")).Get("json"), ",")
				keys[n.Name] = key
			}
		}
	}
	for _, f := range of.Fields.List {
		for _, n := range f.Names {
			text := f.Comment.Text()
			if text == "" {
				text = subject.ReplaceAllString(strings.TrimPrefix(f.Doc.Text(), n.Name), "")
				text = strings.TrimSuffix(strings.TrimSpace(text), ".")
				text = within.ReplaceAllStringFunc(text, func(found string) string {
					at := strings.LastIndexAny(found, " \n") + 1
					if key := keys[found[at:]]; key != "" {
						return found[:at] + strconv.Quote(key)
					}
					return found
				})
			}
			all[name+"."+n.Name] = strings.Join(strings.Fields(text), " ")
		}
	}
}

var (
	subject = regexp.MustCompile(`^\s+((is|are|says?|counts?|names?|lists?)\s)?`)
	within  = regexp.MustCompile(`(^|[^.:][ \n])[A-Z]\w*`) // begins no sentence

	code = regexp.MustCompile(`"([^"]+)"|(--[a-z-]+|\b[a-z0-9]+_\w+)`)
	page = regexp.MustCompile(`docs/([a-z-]+\.md)(#[\w-]+)?`)
)

// markdown marks code, flags, keys and pages of a comment.
func markdown(comment string) string {
	return page.ReplaceAllString(code.ReplaceAllString(comment, "`$1$2`"), "[$1]($1$2)")
}

// linkTo makes a section's name in a text lead there, or appends it.
func linkTo(text, section string) string {
	link := "[" + strings.ToLower(section) + "](#" + strings.ReplaceAll(strings.ToLower(section), " ", "-") + ")"
	name := regexp.MustCompile(`(?i)\b` + section + `\b`)
	if at := name.FindStringIndex(text); at != nil {
		return text[:at[0]] + link + text[at[1]:]
	}
	if text == "" {
		return "" // which is a mistake
	}
	return text + ": " + link
}

// A meaning is what stands behind a field, or above it without its subject.
func TestMeanings(t *testing.T) {
	for comment, want := range map[string]string{
		`"ok" or "no worse", with --gate`:     "`ok` or `no worse`, with `--gate`",
		"next_share by it (docs/why.md#what)": "`next_share` by it ([why.md](why.md#what))",
		"files/s, and N_M":                    "files/s, and N_M",
	} {
		if got := markdown(comment); got != want {
			t.Errorf("%s: %s, want %s", comment, got, want)
		}
	}
	for _, c := range [][3]string{{"a point of A", "Point", "a [point](#point) of A"}, {"what bounds it", "Why", "what bounds it: [why](#why)"}, {"", "Why", ""}, {"as of bench version", "bench version", "as of [bench version](#bench-version)"}} {
		if got := linkTo(c[0], c[1]); got != c[2] {
			t.Errorf("%s: %s, want %s", c[0], got, c[2])
		}
	}
	of := table{source: comments{}, printed: map[string]bool{}}
	of.add(reflect.TypeFor[sample](), "", "")
	want := []row{
		{"above", "", "`behind_s` and what stands above `behind_s`, in two lines. Parts is a word", "references.sample.Above"}, {"behind_s", "s", "of it", "references.sample.Behind"}, {"behind_s.NAME", "s", "a number", ""},
		{"parts", "", "its parts", "references.sample.Parts"}, {"parts[].Silent", "J", "", "references.part.Silent"},
	}
	if !reflect.DeepEqual(of.rows, want) {
		t.Errorf("%q", of.rows)
	}
}

type sample struct {
	// Above says Behind and what stands above Behind,
	// in two lines. Parts is a word.
	Above string `json:"above"`
	// Behind has another comment.
	Behind map[string]float64 `json:"behind_s,omitempty"` // of it
	Parts  []part             `json:"parts"`              // its parts
	Hidden int                `json:"-"`
}

type part struct {
	Silent float64 `unit:"J"`
}
