// Package record keeps results: the journal of finished points, the CSV files,
// the raw samples and run.json, and reads a results folder back.
//
//	Result ──Append──▶ journal.jsonl          one line a point, on disk at once
//	   │
//	   └──NewRun──▶ Run: Info, Columns, Rows ──Write──▶ five CSVs, samples, run.json
//	                 ▲                                      │
//	                 └──────────────── Read ◀───────────────┘  or of the journal alone
//
// A Result is all that is known of a point. The journal (journal.go) holds
// Results, what a run that resumes must agree with (Header), and what each
// process found of its surroundings (session.go). A Row (row.go) is the summary
// of one Result; its struct tags are the columns of the CSV files and their
// description in docs/csv.md, and sections.go lists the columns that each file
// has. Columns (columns.go) are those that differ from run to run: parameters,
// tunables, rails, temperatures. Info (info.go) describes tool,
// config, machine, devices and sensors.
//
// What was not measured is no zero: a Number knows whether it is set, and its
// cell is empty where it is not.
package record
