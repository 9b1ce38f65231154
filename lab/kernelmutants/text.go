package main

import (
	"bytes"
	"regexp"
	"strings"
)

// code is a text of CUDA C++ in which what is no code, or not the simulator's, is
// blank: every byte stays at its place.
func code(text string) string {
	b := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	for i := 0; i < len(b); i++ {
		end := 0
		switch {
		case bytes.HasPrefix(b[i:], []byte("//")):
			end = find(b, i, "\n")
		case bytes.HasPrefix(b[i:], []byte("/*")):
			end = min(len(b), find(b, i+2, "*/")+2)
		case b[i] == '"' || b[i] == '\'' && (i == 0 || !isWord(b[i-1])):
			end = i + 1
			for end < len(b) && b[end] != b[i] && b[end] != '\n' {
				if b[end] == '\\' {
					end++
				}
				end++
			}
			end = min(len(b), end+1)
		default:
			continue
		}
		blank(i, end)
		i = end - 1
	}
	directives(b, blank)
	return string(b)
}

// directives blanks those of the preprocessor, and what they leave out in the simulator.
func directives(b []byte, blank func(from, to int)) {
	var out []bool // of each open #if: this part is left out
	skipped, continued := 0, false
	at := 0
	for line := range bytes.Lines(b) {
		from := at
		at += len(line)
		text := strings.TrimSpace(string(line))
		isDirective := continued || strings.HasPrefix(text, "#")
		word, rest, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "#")), " ")
		if isDirective && !continued {
			switch word {
			case "if", "ifdef", "ifndef":
				not := word == "ifndef" && rest == "BENCH_SIM" || word == "if" && strings.Contains(rest, "!defined(BENCH_SIM)") && !strings.Contains(rest, "||")
				out = append(out, not)
				if not {
					skipped++
				}
			case "else", "elif":
				was := out[len(out)-1]
				now := !was && word == "else" && simulated(b[:from])
				out[len(out)-1] = now
				skipped += toInt(now) - toInt(was)
			case "endif":
				skipped -= toInt(out[len(out)-1])
				out = out[:len(out)-1]
			}
		}
		continued = isDirective && strings.HasSuffix(text, `\`)
		if isDirective || skipped > 0 {
			// An #if's own text is kept until its #else has been seen.
			defer blank(from, at)
		}
	}
}

// simulated tells whether the innermost #if that is open at the end of b asks for the simulator.
func simulated(b []byte) bool {
	depth := 0
	lines := strings.Split(string(b), "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		text := strings.TrimSpace(lines[i])
		switch {
		case strings.HasPrefix(text, "#endif"):
			depth++
		case strings.HasPrefix(text, "#if") && depth > 0:
			depth--
		case strings.HasPrefix(text, "#if"):
			return text == "#ifdef BENCH_SIM" || strings.HasPrefix(text, "#if defined(BENCH_SIM) ||")
		}
	}
	return false
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// find is where part begins in b from there on, or b's end.
func find(b []byte, from int, part string) int {
	if from > len(b) {
		return len(b)
	}
	if i := bytes.Index(b[from:], []byte(part)); i >= 0 {
		return from + i
	}
	return len(b)
}

// closing is the index of the bracket that closes the one at open, or -1.
func closing(text string, open int) int {
	depth := 0
	for i := open; i < len(text); i++ {
		switch text[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// lineOf is the number of the line in which text's byte at lies.
func lineOf(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }

// span is a part of a file by its lines, the last included.
type span struct{ First, Last int }

func (s span) holds(line int) bool { return s.First <= line && line <= s.Last }

// statement is the one around at.
func statement(text string, at int) (from, to int) {
	from = strings.LastIndexAny(text[:at], ";{}") + 1
	for from < at && (text[from] == ' ' || text[from] == '\n') {
		from++
	}
	to = len(text)
	if i := strings.IndexAny(text[at:], ";{}"); i >= 0 {
		to = at + i
	}
	return from, to
}

func spanOf(text string, from, to int) span { return span{lineOf(text, from), lineOf(text, to)} }

// governed is the statement around at with the one that it governs, as a loop's head
// does its body, or with what follows if that leaves out the rest.
func governed(text string, at int) span {
	from, to := statement(text, at)
	end := 0 // of what a return or continue leaves out
	// The head of a for loop holds semicolons.
	depth := 0
	for i := at; i >= 0; i-- {
		if text[i] == ')' {
			depth++
		}
		if text[i] == '(' {
			if depth == 0 {
				if head := closing(text, i); head >= 0 && keyword.MatchString(text[:i]) {
					from, _ = statement(text, i)
					to = head + 1
					for to < len(text) && (text[to] == ' ' || text[to] == '\n') {
						to++
					}
					if leaves.MatchString(text[to:]) {
						end = function(text, at).Last
					}
					if body := strings.IndexAny(text[to:], ";{"); body >= 0 {
						to += body
						if text[to] == '{' {
							to = max(to, closing(text, to))
						}
					}
					break
				}
			} else {
				depth--
			}
		}
		if text[i] == '{' || text[i] == '}' {
			break
		}
	}
	all := spanOf(text, from, min(to, len(text)-1))
	all.Last = max(all.Last, end)
	return all
}

var leaves = regexp.MustCompile(`^\{?\s*(return|continue|break)\b`)

var keyword = regexp.MustCompile(`\b(for|if|while)\s*$`)

// function is the body of the outermost braces around at, but for a namespace's.
func function(text string, at int) span {
	var open []int
	for i := 0; i < at; i++ {
		switch text[i] {
		case '{':
			open = append(open, i)
		case '}':
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	for _, o := range open {
		from, _ := statement(text, o)
		if head := strings.TrimSpace(text[from:o]); strings.HasPrefix(head, "namespace") || head == "extern" {
			continue
		}
		return spanOf(text, from, max(o, closing(text, o)))
	}
	return span{1, lineOf(text, len(text))}
}
