// Package docs holds the references that bench help prints.
package docs

import _ "embed"

// CSV and JSON describe what the program writes, in Markdown. They are made from the
// code (make references).
var (
	//go:embed csv.md
	CSV string
	//go:embed json.md
	JSON string
)
