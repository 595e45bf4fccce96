package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// discreetServer is the framework's, but that no diagnostic repeats an input that may be
// a secret. The framework's own validators and types repeat what they refuse.
type discreetServer struct {
	frameworkServer
}

// schemaOf picks the schema that an input is of.
type schemaOf func(*tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema

// hide takes the inputs that may be secrets out of the diagnostics.
func (s *discreetServer) hide(
	ctx context.Context, diags []*tfprotov6.Diagnostic, input *tfprotov6.DynamicValue, schema schemaOf,
) {
	if len(diags) == 0 || input == nil {
		return
	}
	schemas, err := s.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil || schema(schemas) == nil {
		return
	}
	value, err := input.Unmarshal(schema(schemas).ValueType())
	if err != nil {
		return
	}
	hideInputs(diags, secretInputs(value, schema(schemas)))
}

func hideInputs(diags []*tfprotov6.Diagnostic, secrets []string) {
	for _, problem := range diags {
		problem.Summary = kit.WithoutSecrets(problem.Summary, secrets)
		problem.Detail = kit.WithoutSecrets(problem.Detail, secrets)
	}
}

// secretInputs are the texts in a value that look like secrets, or that the schema says
// are some.
func secretInputs(value tftypes.Value, schema *tfprotov6.Schema) []string {
	sensitive := map[tftypes.AttributeName]bool{}
	for _, attribute := range schema.Block.Attributes {
		sensitive[tftypes.AttributeName(attribute.Name)] = attribute.Sensitive
	}
	var secrets []string
	_ = tftypes.Walk(value, func(at *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		var text string
		if !value.Type().Is(tftypes.String) || !value.IsKnown() {
			return true, nil
		}
		first, ok := at.Steps()[0].(tftypes.AttributeName)
		if err := value.As(&text); err == nil && text != "" && (kit.MayBeSecret(text) || ok && sensitive[first]) {
			secrets = append(secrets, text)
		}
		return true, nil
	})
	return secrets
}

func providerSchema(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema { return all.Provider }

func resourceSchema(name string) schemaOf {
	return func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema { return all.ResourceSchemas[name] }
}

func dataSourceSchema(name string) schemaOf {
	return func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema { return all.DataSourceSchemas[name] }
}

func ephemeralSchema(name string) schemaOf {
	return func(all *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
		return all.EphemeralResourceSchemas[name]
	}
}

// ValidateProviderConfig hides what the provider block holds.
func (s *discreetServer) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateProviderConfig(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, providerSchema)
	}
	return resp, err
}

// ConfigureProvider hides what the provider block holds.
func (s *discreetServer) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	resp, err := s.frameworkServer.ConfigureProvider(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, providerSchema)
	}
	return resp, err
}

// ValidateResourceConfig hides what the resource is configured with.
func (s *discreetServer) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateResourceConfig(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, resourceSchema(req.TypeName))
	}
	return resp, err
}

// ValidateDataResourceConfig hides what the data source is configured with.
func (s *discreetServer) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateDataResourceConfig(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, dataSourceSchema(req.TypeName))
	}
	return resp, err
}

// ReadDataSource hides what the data source is configured with.
func (s *discreetServer) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := s.frameworkServer.ReadDataSource(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, dataSourceSchema(req.TypeName))
	}
	return resp, err
}

// PlanResourceChange hides what the resource is configured with.
func (s *discreetServer) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := s.frameworkServer.PlanResourceChange(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, resourceSchema(req.TypeName))
	}
	return resp, err
}

// ApplyResourceChange hides what the resource is configured with.
func (s *discreetServer) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := s.frameworkServer.ApplyResourceChange(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, resourceSchema(req.TypeName))
	}
	return resp, err
}

// ValidateEphemeralResourceConfig hides what the ephemeral resource is configured with.
func (s *discreetServer) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	resp, err := s.frameworkServer.ValidateEphemeralResourceConfig(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, ephemeralSchema(req.TypeName))
	}
	return resp, err
}

// OpenEphemeralResource hides what the ephemeral resource is configured with.
func (s *discreetServer) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	resp, err := s.frameworkServer.OpenEphemeralResource(ctx, req)
	if resp != nil {
		s.hide(ctx, resp.Diagnostics, req.Config, ephemeralSchema(req.TypeName))
	}
	return resp, err
}
