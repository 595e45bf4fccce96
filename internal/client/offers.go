package client

import (
	"context"
	"iter"
	"net/url"
)

// Region is one that projects can be created in.
type Region struct {
	ID        string `json:"region_id"`
	Name      string `json:"name"`
	Default   bool   `json:"default"`
	Latitude  string `json:"geo_lat"`  // approximate, in degrees; empty if unknown
	Longitude string `json:"geo_long"` // the same
}

// ListRegions lists the regions that are available to an organization, or without orgID those that Neon has.
// GET /regions: https://api-docs.neon.tech/reference/getactiveregions
func (c *Client) ListRegions(ctx context.Context, orgID string) iter.Seq2[Region, error] {
	regions := kind[Region]{noun: "region", route: "/regions", field: "regions",
		id: func(region Region) string { return region.ID }}
	regions.query = url.Values{"org_id": {orgID}}
	return regions.list(ctx, c)
}

// AvailableLibrary is a library that PostgreSQL can load at its start.
type AvailableLibrary struct {
	Name           string `json:"library_name"`
	Description    string `json:"description"`
	IsDefault      bool   `json:"is_default"`
	IsExperimental bool   `json:"is_experimental"`
	Version        string `json:"version"`
}

// ListAvailableLibraries lists the libraries for a project's version of PostgreSQL, which Neon sends in one answer.
// GET /projects/{project_id}/available_preload_libraries: https://api-docs.neon.tech/reference/getavailablepreloadlibraries
func (c *Client) ListAvailableLibraries(ctx context.Context, projectID string) iter.Seq2[AvailableLibrary, error] {
	libraries := kind[AvailableLibrary]{
		noun: "library", route: "/projects/{project_id}/available_preload_libraries", field: "libraries",
		id: func(library AvailableLibrary) string { return library.Name },
	}
	return libraries.list(ctx, c, projectID)
}
