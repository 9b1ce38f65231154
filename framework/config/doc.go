// Package config reads experiment files: strict JSON, checked against an embedded draft-07 schema,
// with errors that name file, line, column and JSON path.
//
//	bytes ──read──▶ nodes ──validate──▶ nodes ──decode──▶ Config ──Set──▶ Config
//
// The reader keeps the position of every value (node.go, reader.go). The schema
// (configs/schema.json) says which keys and kinds are allowed; schema.go words its findings. The
// decoder accepts every form of arguments and axes (decode.go, axis.go) and refuses what a schema
// cannot. A Config holds every setting: the decoder fills in all defaults. Set then replaces values
// by those of the command line (set.go).
//
// All problems of a file are reported at once, as one *Errors. Packages that check more of a
// config, against an algorithm or a device, add theirs by position.
package config
