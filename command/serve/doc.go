// Package serve answers requests of programs for what the verbs of the command line do, one
// after the other, in one process: as lines of JSON (Lines), and by the Model Context Protocol
// (Protocol). Both have the same methods, whose parameters are the types of methods.go.
package serve
