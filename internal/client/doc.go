// Package client speaks to both HTTP APIs of the platform: the control API
// (projects, branches, compute endpoints, API keys, operations) and the
// claimable API (a temporary PostgreSQL without an account).
//
// A call goes through the same rooms every time. client.go builds it, sends it
// and decodes the answer; retry.go decides what may be sent again; limits.go
// keeps the platform's rate limits before the platform has to; transport.go
// reads whole bodies, and log.go writes the masked log; errors.go says what went
// wrong in words for the person at the terminal.
//
// Around a call: pages.go walks lists; wait.go waits for asynchronous work;
// writes.go has the writes to one project take turns where the platform refuses
// overlapping work; lost_writes.go finds out what became of a write whose answer
// was lost, and key_creation.go of a key; reads.go serves the reads of many from
// one list.
//
// The package knows nothing of Terraform.
package client
