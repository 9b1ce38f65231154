// Package configs holds the experiments and the schema that they follow.
package configs

import _ "embed"

// Schema is the JSON schema (draft-07) of experiment files.
//
//go:embed schema.json
var Schema []byte
