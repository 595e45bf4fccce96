// Package peers holds nothing: this module pins, in its go.mod, another provider
// for Neon, which make bench-peers builds and measures beside ours.
package peers
