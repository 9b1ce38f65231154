// Package report makes one HTML file of results: runs, comparisons, searches and
// replays. It decides what there is to say and to draw, in Go; the page's scripts
// (web) only show it.
//
// A source of results becomes a Section: its verdict, warnings, facts, figures and
// tables. What is to be in a report besides, such as a history, joins as a Section
// of its own: nothing else has to know of it.
//
// The file requests nothing. Its Content-Security-Policy allows its own scripts and
// style, by their hashes, and nothing else; texts of results are data, which the
// scripts only ever show as text.
package report
