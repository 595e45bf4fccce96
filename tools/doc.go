// Package tools holds nothing: this module pins, in its go.mod, the programs that
// only development needs. `make tools` builds them into .cache/bin.
package tools
