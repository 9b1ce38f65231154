// Package serve answers programs' requests for what the verbs of the command line do, one after another,
// in one process. Requests come as lines of JSON (Lines) or by the Model Context Protocol (Protocol).
// Both have the same methods, whose parameters are the types of methods.go.
package serve
