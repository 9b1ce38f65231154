package executable

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"bench/framework"
	"bench/framework/config"
)

// bareName is the name of a program without what differs from point to point.
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

// settings are the values of names, without their dashes.
type settings map[string]framework.Value

func (s settings) set(name string, v framework.Value) { s[strings.TrimLeft(name, "-")] = v }

// expand puts the values of placeholders into text.
func (s settings) expand(text string) string {
	return config.Placeholder().ReplaceAllStringFunc(text, func(match string) string {
		if v, ok := s[match[1:len(match)-1]]; ok {
			return v.String()
		}
		return match
	})
}

// placed are the names that stand in placeholders of the program or its arguments, and
// so are no arguments themselves.
func placed(cfg *config.Config) map[string]bool {
	names := map[string]bool{}
	for _, text := range cfg.CommandTexts() {
		for _, m := range config.Placeholder().FindAllStringSubmatch(text, -1) {
			names[m[1]] = true
		}
	}
	return names
}

// anyOf says why none of the programs that a name with placeholders may stand for is there.
func anyOf(cfg *config.Config) error {
	pattern := config.Placeholder().ReplaceAllString(cfg.Executable, "*")
	for _, p := range places(cfg, pattern) {
		if found, err := filepath.Glob(p); err == nil && len(found) > 0 {
			return nil
		}
	}
	return fmt.Errorf("no program %s exists, neither from the working directory nor beside the config; build it or correct \"executable\"", pattern)
}
