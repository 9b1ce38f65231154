// Package record keeps results: the journal of finished points, the CSV files,
// the raw samples and run.json, and reads a results folder back.
//
//	Result ──Append──▶ journal.jsonl          one line a point, on disk at once
//	   │
//	   └──NewRun──▶ Run: Info, Columns, Rows ──Write──▶ five CSVs, samples, run.json
//	                 ▲                                      │
//	                 └──────────────── Read ◀───────────────┘  or of the journal alone
//
// A Result is everything known about a point. The journal (journal.go, its lines
// in line.go and docs/journal.md) holds Results, what a resumed run must agree with
// (Header), and what each process found out about its surroundings (session.go).
// A Row (row.go) is the summary of one Result; its struct tags are the columns of
// the CSV files and their description in docs/csv.md, and sections.go lists the
// columns that each file has. gocsv makes cells of the structs and reads them back
// (csv.go). A writer (write.go) writes the files row by row, of one run or of many
// that are merged. Columns (columns.go) are those that differ from run to run:
// parameters, tunables, rails, temperatures. Info (info.go) describes tool, config,
// machine, devices and sensors.
//
// What was not measured is not zero: a Number knows whether it is set, and
// its cell is empty if it is not.
package record
