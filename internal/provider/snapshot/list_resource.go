package snapshot

import (
	framework "github.com/hashicorp/terraform-plugin-framework/list"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// NewListResource returns the list resource neon_snapshot: the snapshots of a project.
func NewListResource() framework.ListResource {
	return kit.NewListInProject("snapshot", key, "Lists the snapshots of a project, also those that a backup schedule "+
		"took, in Neon's order.", (*client.Client).ListSnapshots,
		func(projectID string, snapshot client.Snapshot) kit.Listed[model] {
			return kit.Listed[model]{
				Key: []string{projectID, snapshot.ID}, DisplayName: snapshot.Name,
				Read: func(imported model) (model, error) { return imported.refreshed(&snapshot), nil },
			}
		})
}
