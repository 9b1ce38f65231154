package kernel

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
	"example.org/bench/gpu"
)

// option is a compiler option as written. {NAME} in it stands for the value of a parameter or tunable. It may
// depend on a condition.
type option struct {
	Text string    `json:"option"`
	When formula   `json:"when"`
	when *computed // nil means always
}

// UnmarshalJSON reads a text or an object.
func (o *option) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte("{")) {
		type object option
		return json.Unmarshal(b, (*object)(o))
	}
	return json.Unmarshal(b, &o.Text)
}

// options returns the list with its conditions compiled. It refuses placeholders that stand for nothing.
func (b *builder) options(path string, list []option, names scope) []option {
	list, known := slices.Clone(list), maps.Clone(names)
	delete(known, deviceName) // a precompiled library is found without a device
	for i := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		list[i].when = b.compile(at+".when", list[i].When, known)
		for _, m := range placeholder().FindAllStringSubmatch(list[i].Text, -1) {
			if _, ok := known[m[1]]; !ok {
				b.fault(at, "{%s} is neither a parameter nor a tunable%s", m[1], config.Choice(m[1], slices.Sorted(maps.Keys(known)), "names"))
			}
		}
	}
	return list
}

// given returns the options of a list for these settings.
func given(list []option, settingLists ...framework.Values) (texts []string, err error) {
	env := settings(gpu.Facts{}, settingLists...)
	for _, o := range list {
		if o.when != nil {
			holds, err := o.when.truth(env)
			if err != nil {
				return nil, err
			}
			if !holds {
				continue
			}
		}
		texts = append(texts, filled(o.Text, settingLists))
	}
	return texts, nil
}

// filled replaces the placeholders in text by their values.
func filled(text string, lists []framework.Values) string {
	return placeholder().ReplaceAllStringFunc(text, func(match string) string {
		for _, list := range lists {
			if v, ok := list[match[1:len(match)-1]]; ok {
				return v.String()
			}
		}
		return match
	})
}

// searched returns the header folders that a list of options names, in all settings, relative to the config.
func (a *algorithm) searched(list []option) (folders []string) {
	behind := false // an option whose folder is the next option
	for _, o := range list {
		name, found := o.Text, behind
		for _, flag := range []string{"--include-path", "-I"} {
			if rest, ok := strings.CutPrefix(o.Text, flag); ok && !found {
				name, found = strings.TrimPrefix(rest, "="), true
			}
		}
		behind = found && name == ""
		if found && !behind && !strings.Contains(name, "{") {
			folders = append(folders, a.inFolder(name))
		}
	}
	return folders
}
