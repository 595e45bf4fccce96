package emulator

import (
	"cmp"
	"maps"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/doubts"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/page"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/postgres"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

const dataAPIPath = branchPath + "/data-api/{database_name}"

var dataAPIRoutes = []route{
	{"GET " + dataAPIPath, forProject, about((*Emulator).dataAPI, (*Emulator).getDataAPI)},
	{"POST " + dataAPIPath, forProject, bodyOptional(withBody((*Emulator).createDataAPI))},
	{"PATCH " + dataAPIPath, forProject,
		checked(bodyOptional(aboutWithBody((*Emulator).dataAPI, (*Emulator).updateDataAPI)), (*Emulator).isFree)},
	{"DELETE " + dataAPIPath, forProject, about((*Emulator).dataAPI, whenFree((*Emulator).deleteDataAPI))},
}

type dataAPISettings struct {
	Aggregates      bool     `json:"db_aggregates_enabled"`
	AnonymousRole   string   `json:"db_anon_role"`
	SearchPath      string   `json:"db_extra_search_path"`
	MaxRows         int64    `json:"db_max_rows"`
	Schemas         []string `json:"db_schemas"`
	RoleClaim       string   `json:"jwt_role_claim_key"`
	CacheLifetime   int64    `json:"jwt_cache_max_lifetime"`
	OpenAPI         string   `json:"openapi_mode"`
	AllowedOrigins  string   `json:"server_cors_allowed_origins"`
	TimingIsEnabled bool     `json:"server_timing_enabled"`
}

var (
	// dataAPIDefaults are what counts where nothing was sent.
	dataAPIDefaults = map[string]any{
		"db_aggregates_enabled": true, "db_anon_role": "anonymous", "db_extra_search_path": "",
		"db_schemas":         []string{"public"},
		"jwt_role_claim_key": ".role", "openapi_mode": "disabled", "server_timing_enabled": false,
	}
)

// dataAPI finds the one of the database that the path names.
func (e *Emulator) dataAPI(c *call) (*dataAPI, error) {
	d, err := e.databaseOfPath(c)
	if err != nil {
		return nil, err
	}
	if served := c.branch.DataAPIs[d.ID]; served != nil {
		return served, nil
	}
	return nil, wire.NotFound("data API not found")
}

func (e *Emulator) getDataAPI(c *call, served *dataAPI) (reply, error) {
	answer := map[string]any{"url": e.dataAPIURL(c, served), "status": "active"}
	if e.plays(doubts.DataAPISettings, "all") {
		answer["settings"], answer["available_schemas"] = served.settings(), []string{"public"}
	} else {
		answer["settings"], answer["available_schemas"] = nil, nil
	}
	return ok(answer)
}

func (a *dataAPI) settings() map[string]any {
	all := maps.Clone(dataAPIDefaults)
	maps.Copy(all, a.Settings)
	return all
}

// createDataAPI creates roles for tokens, as for a JWKS URL: work of the branch's computes of which no answer tells.
func (e *Emulator) createDataAPI(c *call, body struct {
	dataAPIAuth

	Settings wire.Shaped[dataAPISettings] `json:"settings"`
}) (reply, error) {
	b := c.branch
	d, err := e.databaseOfPath(c)
	switch {
	case err != nil:
		return reply{}, err
	case b.DataAPIs[d.ID] != nil:
		return reply{}, wire.Conflict("data API already exists")
	case body.Provider == "external" && body.JWKSURL == "":
		return reply{}, wire.BadRequest("jwks_url is required for an external auth provider")
	}
	if body.Provider == "external" {
		err = e.checkKeys(body.JWKSURL)
	}
	if err := cmp.Or(err, e.isFree(c)); err != nil {
		return reply{}, err
	}
	operations := e.applyConfig(c)
	if !body.SkipAuthSchema {
		e.addJWKSRoles(b, c.now)
	}
	e.configures(c, operations, postgres.Change{})
	served := &dataAPI{Host: c.project.computeHost(b), Database: d.Name, Settings: body.Settings, Auth: body.dataAPIAuth}
	setIn(&b.DataAPIs, d.ID, served)
	return created(map[string]any{"url": e.dataAPIURL(c, served)})
}

// of is one that is alike, at a host of the branch's own.
func (a *dataAPI) of(b *branch) *dataAPI {
	copied := *a
	copied.Host, copied.Settings = b.ID, maps.Clone(a.Settings)
	return &copied
}

func (e *Emulator) dataAPIURL(c *call, served *dataAPI) string {
	return e.serviceURL(c, served.Host, "apirest") + "/" + served.Database + "/rest/v1"
}

// updateDataAPI replaces settings as a whole, and refreshes the schema's cache in any case.
func (e *Emulator) updateDataAPI(_ *call, served *dataAPI, body struct {
	Settings wire.Shaped[dataAPISettings] `json:"settings"`
}) (reply, error) {
	if body.Settings != nil {
		served.Settings = body.Settings
	}
	served.Refreshes++
	return created(map[string]any{})
}

// deleteDataAPI answers DELETE .../data-api/{database_name}. What it made in the database stays.
func (e *Emulator) deleteDataAPI(c *call, _ *dataAPI) (reply, error) {
	delete(c.branch.DataAPIs, c.branch.database(c.PathValue("database_name")).ID)
	return ok(map[string]any{})
}

var shownDataAPIs = shown{
	list: "data_apis", heading: "Data API",
	ofBranch: func(b *branch) []object {
		return objectsOf(b.Databases, func(d *database) object {
			served := b.DataAPIs[d.ID]
			if served == nil {
				return nil
			}
			return object{"database_name": d.Name, "auth": served.Auth, "settings": served.settings(),
				"refreshes": served.Refreshes}
		})
	},
	items: func(_ *project, b *branch, _ time.Time) (found []page.Item) {
		for _, d := range b.Databases {
			if b.DataAPIs[d.ID] != nil {
				found = append(found, page.Item{Name: "of " + d.Name})
			}
		}
		return found
	},
}
