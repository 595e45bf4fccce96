package connectionuri

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
)

var _ function.Function = (*connectionStringFunction)(nil)

// connectionStringFunction is direct_connection_string or
// pooled_connection_string.
type connectionStringFunction struct {
	name, summary, description string

	form func(client.ConnectionString) string
}

const onlyTheHostChanges = " Only the first label of the host name changes: user, password, port, path and " +
	"parameters stay as they are written. A URL that has this form already comes back as it is."

// NewDirectFunction returns direct_connection_string.
func NewDirectFunction() function.Function {
	return &connectionStringFunction{
		name:    "direct_connection_string",
		summary: "Connection URL that bypasses the pooler",
		description: "Takes `-pooler` off the host name of a connection URL, for what needs a connection of its own: " +
			"migrations, `LISTEN`, `pg_dump`, logical replication." + onlyTheHostChanges,
		form: client.ConnectionString.Direct,
	}
}

// NewPooledFunction returns pooled_connection_string.
func NewPooledFunction() function.Function {
	return &connectionStringFunction{
		name:    "pooled_connection_string",
		summary: "Connection URL that goes through the pooler",
		description: "Puts `-pooler` into the host name of a connection URL, for applications that open many connections." +
			onlyTheHostChanges,
		form: client.ConnectionString.Pooled,
	}
}

func (f *connectionStringFunction) Metadata(
	_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse,
) {
	resp.Name = f.name
}

func (f *connectionStringFunction) Definition(
	_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Summary:             f.summary,
		MarkdownDescription: f.description,
		Parameters: []function.Parameter{function.StringParameter{
			Name: "url",
			MarkdownDescription: "Connection URL that begins with `postgresql://` or `postgres://`, with the host name of an " +
				"endpoint. An IP address, a name without a dot such as `localhost`, several hosts and null are errors.",
		}},
		Return: function.StringReturn{},
	}
}

// Run returns the other form of the URL.
func (f *connectionStringFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var url string
	if resp.Error = req.Arguments.Get(ctx, &url); resp.Error != nil {
		return
	}
	parsed, err := client.ParseConnectionString(url)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, "url "+err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, f.form(parsed))
}
