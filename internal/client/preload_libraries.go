package client

import (
	"context"
	"iter"
	"net/http"
)

// AvailableLibrary is a library that PostgreSQL can load at its start.
type AvailableLibrary struct {
	Name           string `json:"library_name"`
	Description    string `json:"description"`
	IsDefault      bool   `json:"is_default"`
	IsExperimental bool   `json:"is_experimental"`
	Version        string `json:"version"`
}

// AvailableLibraries lists the libraries for a project's version of PostgreSQL, which Neon
// sends in one answer.
func (c *Client) AvailableLibraries(ctx context.Context, projectID string) iter.Seq2[AvailableLibrary, error] {
	request := call{method: http.MethodGet, route: "/projects/{project_id}/available_preload_libraries", params: []string{projectID}}
	return eachOf(ctx, c, request, "libraries", "library", func(library AvailableLibrary) string { return library.Name })
}
