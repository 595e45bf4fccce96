package provider

import (
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// FrameworkServer is the framework's server, for tests that put something around it.
type FrameworkServer = frameworkServer

// NewUnchangedServer returns the server that plans what doesn't change, around what wrap
// makes of the framework's.
func NewUnchangedServer(wrap func(FrameworkServer) FrameworkServer) tfprotov6.ProviderServer {
	neon := &neonProvider{version: "test", opened: &kit.Opened{}}
	framework, _ := providerserver.NewProtocol6(neon)().(frameworkServer)
	return &unchangedServer{frameworkServer: wrap(framework), platform: neon.platform.Load}
}

// UncheckedTypes returns the types of resources that are planned without the framework.
func UncheckedTypes() map[string]schema.Schema {
	schemas := map[string]schema.Schema{}
	for name, kind := range identifiedKinds() {
		if !kind.checked {
			schemas[name] = kind.schema
		}
	}
	return schemas
}
