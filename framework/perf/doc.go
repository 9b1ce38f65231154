// Package perf counts events of CPUs and of the system through Linux's perf_event_open(2):
// instructions and cache misses where the CPU's counters can be read, and page faults,
// context switches and CPU time everywhere.
package perf
