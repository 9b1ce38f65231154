// Package report makes one HTML file of results: runs, comparisons, searches and replays. Go decides what
// there is to say and to draw; the page's scripts (web) only show it.
//
// A source of results becomes a Section: its verdict, warnings, facts, figures and tables. Further content,
// such as a history, is a Section of its own.
//
// The file requests nothing. Its Content-Security-Policy allows only its own scripts and style, by their
// hashes. Texts of results are data, which the scripts show only as text.
package report
