package executable

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"example.org/bench/framework"
	"example.org/bench/framework/config"
)

// bareName returns the name of a program without the parts that differ from point to point.
func bareName(path string) string {
	name := regexp.MustCompile(`[_.-]?`+config.Placeholder().String()).ReplaceAllString(filepath.Base(path), "")
	if short := strings.TrimSuffix(name, filepath.Ext(name)); short != "" {
		return short
	}
	if name == "" {
		return "program"
	}
	return name // a dot file
}

// settings maps names, without their dashes, to values.
type settings map[string]framework.Value

func (s settings) set(name string, v framework.Value) { s[strings.TrimLeft(name, "-")] = v }

// expand replaces the placeholders in text by their values.
func (s settings) expand(text string) string {
	return config.Placeholder().ReplaceAllStringFunc(text, func(match string) string {
		if v, ok := s[match[1:len(match)-1]]; ok {
			return v.String()
		}
		return match
	})
}

// placed returns the names used as placeholders in the program or its arguments. They are not passed as
// arguments themselves.
func placed(cfg *config.Config) map[string]bool {
	names := map[string]bool{}
	for _, text := range cfg.CommandTexts() {
		for _, m := range config.Placeholder().FindAllStringSubmatch(text, -1) {
			names[m[1]] = true
		}
	}
	return names
}

// anyOf reports an error if none of the programs that a name with placeholders may stand for exists.
func anyOf(cfg *config.Config) error {
	pattern := config.Placeholder().ReplaceAllString(cfg.Executable, "*")
	for _, p := range places(cfg, pattern) {
		if found, err := filepath.Glob(p); err == nil && len(found) > 0 {
			return nil
		}
	}
	return fmt.Errorf("no program %s exists, neither from the working directory nor beside the config; build it or correct \"executable\"", pattern)
}
