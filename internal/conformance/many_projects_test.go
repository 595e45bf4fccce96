package conformance

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator"
)

// Many projects with a branch each take few polls: one project finds out how long its operations take, and the others
// learn from it.
func TestManyProjectsTakeFewRequests(t *testing.T) {
	t.Parallel()
	for projects, most := range map[int]int{20: 160, 60: 340} {
		t.Run(fmt.Sprint(projects), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := bubbleOf(t, 1, emulator.Config{OperationDuration: 2 * time.Second})
				api, turns := b.client(), make(chan struct{}, 10)
				began := time.Now()
				// do does what Terraform would do at its turn.
				do := func(work func() error) {
					turns <- struct{}{}
					if err := work(); err != nil {
						t.Error(err)
					}
					<-turns
				}
				var all sync.WaitGroup
				for i := range projects {
					all.Go(func() {
						var projectID string
						name := fmt.Sprint("project-", i)
						do(func() error {
							created, err := api.CreateProject(t.Context(), client.ProjectCreate{
								OrgID: b.world.OrgID, ProjectUpdate: client.ProjectUpdate{Name: &name},
							})
							if err != nil {
								return err
							}
							projectID = created.Object.ID
							return api.WaitForOperations(t.Context(), projectID, created.Operations)
						})
						do(func() error {
							created, err := api.CreateBranch(t.Context(), projectID, client.BranchCreate{Name: "branch"})
							if err != nil {
								return err
							}
							return api.WaitForOperations(t.Context(), projectID, created.Operations)
						})
					})
				}
				all.Wait()
				seen := b.requests()
				t.Logf("%s, %d requests: %v", time.Since(began), seen.Total, seen.ByRoute)
				if seen.Total > most {
					t.Errorf("want at most %d", most)
				}
				if err := b.emulate.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
