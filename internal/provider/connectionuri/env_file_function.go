package connectionuri

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

var _ function.Function = (*envFileFunction)(nil)

// envFileFunction is env_file: a claimable database as the text of an env file.
type envFileFunction struct{}

// NewEnvFileFunction returns env_file.
func NewEnvFileFunction() function.Function { return &envFileFunction{} }

// Positions of the function's arguments.
const (
	databaseArgument = 0
	optionsArgument  = 1
)

func (f *envFileFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "env_file"
}

// Definition describes the function. Terraform removes other attributes of the object, so a whole resource can be
// passed.
func (f *envFileFunction) Definition(
	_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Summary: "Text of an env file with a claimable database",
		MarkdownDescription: "Writes a claimable database as Neon's own command-line tool does, to the letter: the pooled " +
			"connection string, the direct one, when the database expires, and the URL to claim it with. A value that an " +
			"env file can't hold without quotes is an error.",
		Parameters: []function.Parameter{function.ObjectParameter{
			Name: "database",
			MarkdownDescription: "A `neon_claimable_database`, or another object with its attributes `connection_string` " +
				"(pooled or direct), `claim_url` and `expires_at`. One that was claimed is an error, since its connection string " +
				"is null.",
			AttributeTypes: map[string]attr.Type{
				"connection_string": types.StringType, "claim_url": types.StringType, "expires_at": types.StringType,
			},
			// The options can be checked before there is a database.
			AllowUnknownValues: true,
		}},
		VariadicParameter: function.MapParameter{
			Name: "options",
			MarkdownDescription: "Optional, at most one object with `key`, the variable of the pooled connection string " +
				"(default `" +
				defaultEnvKey + "`; the one of the direct connection string has `" + directEnvSuffix +
				"` after it), and `prefix`, which begins the variable of the claim URL (default `" + defaultEnvPrefix + "`, for `" +
				defaultEnvPrefix +
				claimEnvName + "`). Null means the default. Names have letters, digits and underscores.",
			ElementType:    types.StringType,
			AllowNullValue: true,
		},
		Return: function.StringReturn{},
	}
}

type envFileDatabaseModel struct {
	ConnectionString types.String `tfsdk:"connection_string"`
	ClaimURL         types.String `tfsdk:"claim_url"`
	ExpiresAt        types.String `tfsdk:"expires_at"`
}

// Run returns the text; unknown while the database is unknown.
func (f *envFileFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var database types.Object
	var options []map[string]*string
	if resp.Error = req.Arguments.Get(ctx, &database, &options); resp.Error != nil {
		return
	}
	if len(options) > 1 {
		resp.Error = function.NewArgumentFuncError(optionsArgument+1, "options can be given once: put key and prefix into "+
			"one object")
		return
	}
	options = append(options, nil)
	var file envFile
	if err := file.setOptions(options[0]); err != nil {
		resp.Error = function.NewArgumentFuncError(optionsArgument, err.Error())
		return
	}
	if database.IsUnknown() {
		resp.Error = resp.Result.Set(ctx, types.StringUnknown())
		return
	}
	var model envFileDatabaseModel
	resp.Error = function.FuncErrorFromDiags(ctx, database.As(ctx, &model, basetypes.ObjectAsOptions{}))
	if resp.Error != nil {
		return
	}
	whole, err := model.fill(&file)
	switch {
	case err != nil:
		resp.Error = function.NewArgumentFuncError(databaseArgument, err.Error())
	case whole:
		resp.Error = resp.Result.Set(ctx, file.text())
	default:
		resp.Error = resp.Result.Set(ctx, types.StringUnknown())
	}
}

// fill sets the known attributes of the database, and reports whether all are known.
func (m *envFileDatabaseModel) fill(file *envFile) (bool, error) {
	if m.ConnectionString.IsNull() {
		return false, errors.New("database.connection_string is null, since the database was claimed: take it from the " +
			"console of the account that the database belongs to now")
	}
	whole := true
	for _, attribute := range []struct {
		value types.String
		set   func(string) error
	}{
		{m.ConnectionString, file.setConnectionString}, {m.ClaimURL, file.setClaimURL}, {m.ExpiresAt, file.setExpiresAt},
	} {
		if attribute.value.IsUnknown() {
			whole = false
		} else if err := attribute.set(attribute.value.ValueString()); err != nil {
			return false, err
		}
	}
	return whole, nil
}
