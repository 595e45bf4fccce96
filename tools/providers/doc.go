// Package providers holds nothing: this module pins, in its go.mod, the other
// providers that examples use. Tests build them, so that Terraform needs no
// Registry.
package providers
