package client

import (
	"context"
	"iter"
	"net/http"
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

// Regions lists the regions that are available to an organization. Without orgID it
// lists those that Neon has, of which the organization may lack some.
func (c *Client) Regions(ctx context.Context, orgID string) iter.Seq2[Region, error] {
	request := call{method: http.MethodGet, route: "/regions", query: url.Values{"org_id": {orgID}}}
	return eachOf(ctx, c, request, "regions", "region", func(region Region) string { return region.ID })
}
