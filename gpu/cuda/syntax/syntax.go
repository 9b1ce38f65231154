// Package syntax splits CUDA C++ text into its parts, as far as that needs no compiler.
package syntax

import (
	"strings"

	"example.org/bench/internal/lazy"
)

var (
	tokens    = lazy.Regexp(`(?s)//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\w+|\n[ \t]*#(?:[^\n\\]|\\.)*|[ \t\r\f\v]+|\n|.`)
	remark    = lazy.Regexp(`(?s)//[^\n]*|/\*.*?\*/`)
	alignment = lazy.Regexp(`\b(?:__align__|__builtin_align__|alignas)\s*\((?:[^()]|\([^()]*\))*\)|__attribute__\s*\(\([^()]*(?:\([^()]*\))?[^()]*\)\)`)
	templates = lazy.Regexp(`<[^<>]*>`)
	behind    = lazy.Regexp(`\)\s*(?:const|volatile|noexcept|override|final|\s)*(?:->[^()]*)?$`)
	noBody    = lazy.Regexp(`\b(?:struct|class|union|enum|namespace)\s[^()]*$`)
)

// Tokens splits a text completely: into comments, string literals, names and numbers, directives with the
// preceding line end, space and punctuation.
func Tokens(text string) []string { return tokens().FindAllString(text, -1) }

// IsDirective reports whether a token is a preprocessor directive.
func IsDirective(token string) bool {
	return strings.HasPrefix(token, "\n") && strings.HasPrefix(strings.TrimSpace(token), "#")
}

// IsBlank reports whether tokens are only space, comments and directives.
func IsBlank(list []string) bool {
	for _, token := range list {
		if strings.TrimSpace(token) != "" && !IsDirective(token) && !strings.HasPrefix(token, "//") && !strings.HasPrefix(token, "/*") {
			return false
		}
	}
	return true
}

// WithoutRemarks returns text with a space in place of each comment.
func WithoutRemarks(text string) string { return remark().ReplaceAllString(text, " ") }

// WithoutAlignment returns text with a space in place of each attribute.
func WithoutAlignment(text string) string { return alignment().ReplaceAllString(text, " ") }

// BeginsBody reports whether the text before a brace is the head of a function.
func BeginsBody(head string) bool {
	head = WithoutAlignment(WithoutRemarks(head))
	for bare := ""; bare != head; head = templates().ReplaceAllString(head, " ") {
		bare = head
	}
	return behind().MatchString(head) && !noBody().MatchString(head)
}
