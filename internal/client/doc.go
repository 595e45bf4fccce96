// Package client calls Neon's two HTTP APIs: the control API (projects, branches,
// compute endpoints, API keys, operations) and the claimable API (a temporary
// PostgreSQL without an account). It knows nothing of Terraform.
//
// Each kind of object has a file with its calls: branches.go, endpoints.go and so on.
// Every request passes through the same layers:
//
//   - do in client.go is what the calls use. It sends a write to a project through the
//     project's line (writes.go), and invalidates the shared reads (reads.go).
//   - send in client.go builds the request, decodes the answer, and returns what fails as
//     one of the errors of errors.go and absence.go.
//   - retry.go decides what is sent again, and when.
//   - transport.go carries out each attempt: it waits for the rate limits (limits.go),
//     sends, reads the whole answer, and writes the log without secrets (log.go).
//
// Calls that need more than one request build on these: kinds.go lists, reads, changes and
// deletes objects of any kind, wait.go waits for operations, lost_writes.go, creations.go and
// key_creation.go find out what happened to a write whose answer was lost.
package client
