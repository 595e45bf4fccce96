// Emptyprovider is the least that a provider can be: one resource with one
// attribute, and nothing behind it. What Terraform needs for it, it needs for
// every provider, so the benchmarks take it as a bound.
package main

import (
	"context"
	"log"
	"os"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

func main() {
	err := providerserver.Serve(context.Background(), func() provider.Provider { return emptyProvider{} },
		providerserver.ServeOpts{Address: "registry.terraform.io/seed-a7382548/empty",
			Debug: slices.Contains(os.Args, "-debug")})
	if err != nil {
		log.Fatal(err)
	}
}

type emptyProvider struct{}

func (emptyProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "empty"
}

func (emptyProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}
func (emptyProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}
func (emptyProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (emptyProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return thing{} }}
}

// thing exists in the state alone. The benchmarks change and delete none, so that the methods for that are
// missing.
type thing struct{ resource.Resource }

func (thing) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "empty_thing"
}

func (thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Required: true}}}
}

func (thing) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
}

func (thing) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}
