package provider

import (
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// warnOfSurplus names what a creation whose answer was lost has created a second time.
// Kept is what is managed, and describe says of each of the others how it is deleted.
func warnOfSurplus[T any](diags *diag.Diagnostics, kept string, surplus client.Surplus[T], describe func(T) string) {
	if len(surplus.Objects) == 0 && surplus.Err == nil {
		return
	}
	var text strings.Builder
	text.WriteString("An answer was lost on the way, nothing was found that it could have been about, and so the creation was sent again. ")
	if surplus.Err != nil {
		fmt.Fprintf(&text, "Whether the first one took effect too could not be found out: %s %s is managed here; look for another that is like it.",
			sentence(surplus.Err.Error()), kept)
	} else {
		fmt.Fprintf(&text, "Then the first one took effect too. %s is managed here, and this is left over; delete it:\n", kept)
	}
	for _, object := range surplus.Objects {
		text.WriteString(describe(object))
	}
	diags.AddWarning("Created twice", text.String())
}

func describeEndpoint(api *client.Client, projectID string, endpoint client.Endpoint) string {
	return fmt.Sprintf("\n  %s endpoint %s, made at %s:\n  %s\n", endpoint.Type, endpoint.ID,
		endpoint.CreatedAt.UTC().Format(time.RFC3339), api.EndpointDeletionCommand(projectID, endpoint.ID))
}

func describeBranch(api *client.Client, projectID string, branch client.Branch) string {
	return fmt.Sprintf("\n  branch %s, named %q, made at %s:\n  %s\n", branch.ID, branch.Name,
		branch.CreatedAt.UTC().Format(time.RFC3339), api.BranchDeletionCommand(projectID, branch.ID))
}
