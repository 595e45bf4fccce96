package emulator

import (
	"slices"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

var regionRoutes = []route{{"GET " + apiRoot + "/regions", forEverybody, (*Emulator).listRegions}}

type region struct {
	ID      string `json:"region_id"`
	Name    string `json:"name"`
	Default bool   `json:"default"`
	GeoLat  string `json:"geo_lat"`
	GeoLong string `json:"geo_long"`
}

// regions are those that projects can be in: those of the sample in Neon's API reference.
var regions = []region{
	{ID: "aws-us-east-2", Name: "AWS US East 2 (Ohio)", GeoLat: "39.96", GeoLong: "-83"},
	{ID: defaultRegion, Name: "AWS US East 1 (N. Virginia)", Default: true, GeoLat: "38.13", GeoLong: "-78.45"},
	{ID: "aws-us-west-2", Name: "AWS US West 2 (Oregon)", GeoLat: "46.15", GeoLong: "-123.88"},
	{ID: "aws-eu-central-1", Name: "AWS Europe Central 1 (Frankfurt)", GeoLat: "50", GeoLong: "8"},
	{ID: "aws-eu-west-2", Name: "AWS Europe West 2 (London)", GeoLat: "51.5", GeoLong: "0.12"},
	{ID: "aws-ap-southeast-1", Name: "AWS Asia Pacific 1 (Singapore)", GeoLat: "1.37", GeoLong: "103.8"},
	{ID: "aws-ap-southeast-2", Name: "AWS Asia Pacific 2 (Sydney)", GeoLat: "-33.85", GeoLong: "151.2"},
	{ID: "aws-sa-east-1", Name: "AWS South America East 1 (São Paulo)", GeoLat: "-23.49", GeoLong: "-46.81"},
}

// backendRegions have object storage, functions, the AI gateway and service credentials.
var backendRegions = []string{firstRegion, defaultRegion, "aws-eu-central-1", "aws-ap-southeast-1"}

// backendReason is why a project has none of that, empty where it has.
func (e *Emulator) backendReason(p *project) string {
	switch {
	case e.plays(doubts.BackendOffered, "nobody"):
		return "org_not_entitled"
	case !slices.Contains(backendRegions, p.RegionID):
		return "region_unavailable"
	}
	return ""
}

func hasRegion(all []region, id string) bool {
	return slices.ContainsFunc(all, func(r region) bool { return r.ID == id })
}

// offered are the regions that an organization has.
func (e *Emulator) offered() []region {
	if e.plays(doubts.Regions, "few") {
		return regions[:3]
	}
	return regions
}

// checkRegion refuses regions that aren't offered. None is the default one.
func (e *Emulator) checkRegion(id string) error {
	if id != "" && !hasRegion(e.offered(), id) {
		return wire.BadRequest("region %q does not exist", id)
	}
	return nil
}

// listRegions answers GET /regions, for an organization those that it has.
func (e *Emulator) listRegions(c *call) (reply, error) {
	if orgID := c.queryMatching("org_id", wire.IDPattern); orgID != "" {
		if err := e.findOrganization(c, orgID); err != nil {
			return reply{}, e.doubtful(doubts.RegionsOfOthers, err)
		}
		return ok(map[string]any{"regions": e.offered()})
	}
	return ok(map[string]any{"regions": regions})
}
