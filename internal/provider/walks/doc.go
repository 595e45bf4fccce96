// Package walks tests what holds for all that the provider serves: each resource, data source, list, action and example
// in turn, by what its noun.hcl says.
package walks
