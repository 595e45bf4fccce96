// Package conformance holds the emulator and the client against what neither of
// them was written by: the platform's published OpenAPI description, its official
// command line, and the command line for claimable databases. It has tests only.
package conformance
