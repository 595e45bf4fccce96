// Package client speaks to both HTTP APIs of the platform: the control API
// (projects, branches, compute endpoints, API keys, operations) and the
// claimable API (a temporary PostgreSQL without an account).
//
// A call goes through the same rooms every time. client.go builds it, sends it
// and decodes the answer; retry.go decides what may be sent again; limits.go
// keeps the platform's rate limits before the platform has to; transport.go
// reads whole bodies and writes the masked log; errors.go says what went wrong
// in words for the person at the terminal; pages.go walks lists;
// operations.go waits for asynchronous work.
//
// The package knows nothing of Terraform.
package client
