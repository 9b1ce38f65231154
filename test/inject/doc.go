// Package inject has one operation of a program on files fail, whichever it is:
// tests of what a program makes of every failure in turn. It traces the program
// (ptrace(2)), so that nothing of the program is made for the test.
package inject
