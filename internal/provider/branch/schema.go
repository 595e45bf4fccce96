package branch

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/float64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// lsnPattern is how PostgreSQL writes a position in its log.
var lsnPattern = regexp.MustCompile(`^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$`)

// originAttributes are the attributes that say what the branch begins as. They are
// fixed at creation.
func originAttributes() map[string]schema.Attribute {
	kept := []planmodifier.String{sameInstant{}, stringplanmodifier.UseStateForUnknown()}
	return map[string]schema.Attribute{
		"parent_id": schema.StringAttribute{
			MarkdownDescription: "Id of the branch to begin from. Defaults to the project's default branch. It stays what it was " +
				"at creation when Neon moves the branch to another parent, as it does when the parent is restored; the data source " +
				"`neon_branch` has the present parent. Null for a root branch, and for a `schema-only` branch, of which Neon doesn't " +
				"say where it came from, unless it is configured. Changing a configured value replaces the branch.",
			Optional:      true,
			Computed:      true,
			Validators:    kit.IDValidators(),
			PlanModifiers: kept[1:],
		},
		"parent_lsn": schema.StringAttribute{
			MarkdownDescription: "Position in the parent's log to begin from, such as `0/1E88480`. Conflicts with " +
				"`parent_timestamp`; without either the branch begins from the parent's present, and Neon may fill this in. " +
				"Changing a configured value replaces the branch.",
			Optional: true,
			Computed: true,
			Validators: []validator.String{
				stringvalidator.RegexMatches(lsnPattern, "must be a log position such as 0/1E88480"),
				stringvalidator.ConflictsWith(path.MatchRoot("parent_timestamp")),
			},
			PlanModifiers: kept[1:],
		},
		"parent_timestamp": schema.StringAttribute{
			CustomType: timetypes.RFC3339Type{},
			MarkdownDescription: "Moment of the parent to begin from, in RFC 3339, to the second. Conflicts with `parent_lsn`; " +
				"without either the branch begins from the parent's present, and Neon may fill this in. " +
				"Changing a configured value replaces the branch.",
			Optional:      true,
			Computed:      true,
			Validators:    []validator.String{stringvalidator.ConflictsWith(path.MatchRoot("parent_lsn"))},
			PlanModifiers: kept,
		},
		"init_source": schema.StringAttribute{
			MarkdownDescription: "What to take from the parent: `parent-data` (schema and data, Neon's default), `schema-only`, " +
				"`parent-schema` or `import`. Changing a configured value replaces the branch.",
			Optional:      true,
			Computed:      true,
			Validators:    []validator.String{stringvalidator.OneOf("parent-data", initSchemaOnly, "parent-schema", "import")},
			PlanModifiers: kept[1:],
		},
	}
}

func endpointsAttribute() schema.MapNestedAttribute {
	return schema.MapNestedAttribute{
		MarkdownDescription: "Compute endpoints of the branch, by a label of your choice. An endpoint that is added, changed or " +
			"removed touches no other. A new label for the `read_write` endpoint keeps it; one for a `read_only` endpoint creates another " +
			"and deletes that one. Without this attribute the branch's endpoints are not managed. Removing it, or a label, deletes the endpoints. Endpoints that others created " +
			"are left alone, but for a `read_write` one that takes the place of one that is configured: it is taken in, with a warning.",
		Optional:     true,
		Validators:   []validator.Map{mapvalidator.NoNullValues(), mapvalidator.KeysAre(stringvalidator.LengthBetween(1, 64))},
		NestedObject: schema.NestedAttributeObject{Attributes: endpointAttributes()},
	}
}

func endpointAttributes() map[string]schema.Attribute {
	cu := func(text string) schema.Attribute {
		return schema.Float64Attribute{
			MarkdownDescription: text + " compute units that the endpoint scales to, 0.25 or more. Defaults to the project's " +
				"setting. The minimum can't be above the maximum. Changes in place.",
			Optional: true, Computed: true, Validators: []validator.Float64{float64validator.AtLeast(0.25)},
		}
	}
	return map[string]schema.Attribute{
		"type": schema.StringAttribute{
			MarkdownDescription: "`read_write` (at most one on a branch) or `read_only`. Changing it deletes the endpoint and " +
				"creates another.",
			Required:   true,
			Validators: []validator.String{stringvalidator.OneOf(client.EndpointReadWrite, client.EndpointReadOnly)},
		},
		"autoscaling_limit_min_cu": cu("The fewest"),
		"autoscaling_limit_max_cu": cu("The most"),
		"suspend_timeout_seconds": schema.Int64Attribute{
			MarkdownDescription: "Seconds without activity after which the endpoint is suspended: 60 to 604800, `0` for " +
				"Neon's default, `-1` for never. Defaults to the project's setting. Changes in place.",
			Optional: true,
			Computed: true,
			Validators: []validator.Int64{
				int64validator.Any(int64validator.OneOf(-1, 0), int64validator.Between(60, 604800)),
			},
		},
		"disabled": schema.BoolAttribute{
			MarkdownDescription: "Whether the endpoint refuses connections. Neon's default is `false`. Changes in place.",
			Optional:            true,
			Computed:            true,
		},
		"name": schema.StringAttribute{
			MarkdownDescription: "Name of the endpoint, 1 to 64 characters. Changes in place; without it the endpoint keeps the " +
				"name that it has.",
			Optional:   true,
			Computed:   true,
			Validators: []validator.String{stringvalidator.UTF8LengthBetween(1, 64)},
		},
		"id":          schema.StringAttribute{MarkdownDescription: "Id of the endpoint.", Computed: true},
		"host":        schema.StringAttribute{MarkdownDescription: "Host name for direct connections.", Computed: true},
		"pooler_host": schema.StringAttribute{MarkdownDescription: "Host name for pooled connections.", Computed: true},
	}
}
