package expression

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// Tree returns an expression as its library parses it. The error says where in it it is wrong.
func Tree(text string) (ast.Node, error) {
	if err := refuseComments(text); err != nil {
		return nil, err
	}
	tree, err := parser.Parse(text)
	if err != nil {
		return nil, explain(err)
	}
	return tree.Node, nil
}

// compileText makes an expression a program, with the compiler's options. The error
// says where in it it is wrong.
func compileText(text string, options ...expr.Option) (*vm.Program, error) {
	if err := refuseComments(text); err != nil {
		return nil, err
	}
	program, err := expr.Compile(text, options...)
	if err != nil {
		return nil, explain(err)
	}
	return program, nil
}

// explain words an error of the expression compiler, whose own text draws the
// place over several lines.
func explain(err error) error {
	var at *file.Error
	if !errors.As(err, &at) {
		return err
	}
	what := strings.Replace(at.Message, "unexpected token EOF", "it ends where a number, a name or a bracket is wanted", 1)
	if before, _, is := strings.Cut(what, ": strconv.ParseInt: "); is && strings.Contains(what, strconv.ErrRange.Error()) {
		what = before + ": beyond 64 bits; want a whole number up to 2^63-1"
	}
	return fmt.Errorf("at character %d: %s", at.From+1, what)
}

// comments are what begins one in the languages that people write configs from,
// and what to write instead. The expression compiler drops those of // and /*
// without a word, so that N // 2 would be N.
var comments = []struct{ begin, want string }{
	{"//", "// is neither a division nor a comment here; want floor(a / b) or ceildiv(a, b)"},
	{"/*", "an expression has no comments; want it without /* */"},
	{"#", "an expression has no comments; want it without #"},
}

// refuseComments finds a comment outside words in quotes.
func refuseComments(text string) error {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\'', '"', '`':
			i = endOfWord(text, i)
			continue
		}
		for _, c := range comments {
			if strings.HasPrefix(text[i:], c.begin) {
				return fmt.Errorf("at character %d: %s", utf8.RuneCountInString(text[:i])+1, c.want)
			}
		}
	}
	return nil
}

// endOfWord is where the quote that begins at i is closed, or the end of the text.
// A backslash takes the next byte into the word, but in backquotes, where a
// doubled one is part of the word.
func endOfWord(text string, i int) int {
	quote := text[i]
	for i++; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote != '`':
			i++
		case text[i] == quote:
			return i
		}
	}
	return i
}
