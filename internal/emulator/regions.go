package emulator

import "slices"

type region struct {
	ID      string `json:"region_id"`
	Name    string `json:"name"`
	Default bool   `json:"default"`
	GeoLat  string `json:"geo_lat"`
	GeoLong string `json:"geo_long"`
}

// regions are those that projects can be in.
var regions = []region{
	{ID: "aws-us-east-1", Name: "AWS US East 1 (N. Virginia)", GeoLat: "38.99", GeoLong: "-77.45"},
	{ID: defaultRegion, Name: "AWS US East 2 (Ohio)", Default: true, GeoLat: "39.96", GeoLong: "-83.00"},
	{ID: "aws-us-west-2", Name: "AWS US West 2 (Oregon)", GeoLat: "45.84", GeoLong: "-119.70"},
	{ID: "aws-eu-central-1", Name: "AWS Europe Central 1 (Frankfurt)", GeoLat: "50.11", GeoLong: "8.68"},
	{ID: "aws-eu-west-2", Name: "AWS Europe West 2 (London)", GeoLat: "51.51", GeoLong: "-0.13"},
	{ID: "aws-ap-southeast-1", Name: "AWS Asia Pacific 1 (Singapore)", GeoLat: "1.35", GeoLong: "103.82"},
	{ID: "aws-ap-southeast-2", Name: "AWS Asia Pacific 2 (Sydney)", GeoLat: "-33.87", GeoLong: "151.21"},
	{ID: "aws-sa-east-1", Name: "AWS South America East 1 (São Paulo)", GeoLat: "-23.55", GeoLong: "-46.63"},
	{ID: "azure-eastus2", Name: "Azure East US 2 (Virginia)", GeoLat: "36.67", GeoLong: "-78.39"},
	{ID: "azure-westus3", Name: "Azure West US 3 (Arizona)", GeoLat: "33.45", GeoLong: "-112.07"},
	{ID: "azure-gwc", Name: "Azure Germany West Central (Frankfurt)"},
}

func regionExists(id string) bool {
	return slices.ContainsFunc(regions, func(r region) bool { return r.ID == id })
}

// listRegions answers GET /regions. Every organization has all of them.
func (e *Emulator) listRegions(c *call) (reply, error) {
	orgID, err := c.queryMatching("org_id", idPattern)
	if err != nil {
		return reply{}, err
	}
	if orgID != "" {
		if err := e.findOrganization(c, orgID); err != nil {
			return reply{}, err
		}
	}
	return ok(map[string]any{"regions": regions})
}
