// Package sweep finds what acceptance tests left on Neon, and deletes it.
package sweep

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

// Prefix begins the names of all that acceptance tests create on Neon. What has another name
// isn't theirs.
const Prefix = "tf-acc-neon-"

// leftover is something that a test left.
type leftover struct {
	scope client.APIKeyScope
	key   client.APIKey
}

func (l leftover) String() string {
	whose := "personal API key"
	if l.scope.OrgID != "" {
		whose = "API key of organization " + l.scope.OrgID
	}
	return fmt.Sprintf("%s %d, %s, created at %s", whose, l.key.ID, l.key.Name,
		l.key.CreatedAt.UTC().Format("2006-01-02 15:04"))
}

// Run lists what tests left in the account of the key and in the organization, if one is named. It
// deletes that when the answer to its question is yes.
func Run(ctx context.Context, api *client.Client, orgID string, answer io.Reader, out io.Writer) error {
	found, err := find(ctx, api, orgID)
	if err != nil {
		return err
	}
	if len(found) == 0 {
		_, err := fmt.Fprintf(out, "Nothing is named %s...\n", Prefix)
		return err
	}
	for _, l := range found {
		_, _ = fmt.Fprintln(out, l)
	}
	_, _ = fmt.Fprintf(out, "Revoke these %d for good? Only yes does: ", len(found))
	said, err := bufio.NewReader(answer).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if strings.TrimSpace(said) != "yes" {
		_, err := fmt.Fprintln(out, "Nothing was revoked.")
		return err
	}
	var problems error
	for _, l := range found {
		problems = errors.Join(problems, api.RevokeAPIKey(ctx, l.scope, l.key.ID))
	}
	return problems
}

func find(ctx context.Context, api *client.Client, orgID string) ([]leftover, error) {
	scopes := []client.APIKeyScope{{}}
	if orgID != "" {
		scopes = append(scopes, client.APIKeyScope{OrgID: orgID})
	}
	var found []leftover
	for _, scope := range scopes {
		keys, err := client.All(api.ListAPIKeys(ctx, scope))
		if err != nil {
			return nil, err
		}
		for _, key := range keys {
			if strings.HasPrefix(key.Name, Prefix) {
				found = append(found, leftover{scope, key})
			}
		}
	}
	return found, nil
}
