package walks_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider"
)

// namedOtherwise are secret attributes that Neon's API calls otherwise, by the name that it has there.
var namedOtherwise = map[string]string{
	"email_provider_password": "password", "uri_pooled": "uri",
}

// maskedElsewhere are secret attributes that no field of their own holds in JSON, with what keeps them out of logs.
var maskedElsewhere = map[string]string{
	"environment": "the body of a deployment isn't JSON, and is never logged",
	"id":          "the id of a claimable database is masked in all that its API says, by its shape",
}

// secretsOf adds the names of the attributes that are secret, also those within others.
func secretsOf(attributes []*tfprotov6.SchemaAttribute, within string, found map[string]string) {
	for _, attribute := range attributes {
		if attribute.Sensitive || attribute.WriteOnly {
			found[strings.TrimSuffix(attribute.Name, "_wo")] = within + "." + attribute.Name
		}
		if attribute.NestedType != nil {
			secretsOf(attribute.NestedType.Attributes, within+"."+attribute.Name, found)
		}
	}
}

// Whatever a schema calls secret is in the client's list of secret fields, by which logs and reports mask it.
func TestSecrets_fieldsOfAllAttributes(t *testing.T) {
	t.Parallel()
	server := provider.NewServer("test").New()
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	secretsOf(schemas.Provider.Block.Attributes, "provider", found)
	for name, each := range configurables(t, server) {
		secretsOf(each.schema.Block.Attributes, name, found)
	}
	if len(found) < 8 {
		t.Errorf("only these are secret: %v", slices.Sorted(maps.Keys(found)))
	}
	for name, at := range found {
		field := name
		if other, is := namedOtherwise[name]; is {
			field = other
		}
		if maskedElsewhere[name] == "" && !client.IsSecretField(field) {
			t.Errorf("%s is secret, and %q isn't in secretFields of internal/client/log.go", at, field)
		}
	}
}
