package branch

import (
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// originAttributes are the attributes that say what the branch begins as. They are
// fixed at creation.
func originAttributes() map[string]schema.Attribute {
	kept := []planmodifier.String{kit.SameInstant{}, stringplanmodifier.UseStateForUnknown()}
	return map[string]schema.Attribute{
		"parent_id": schema.StringAttribute{
			MarkdownDescription: "Id of the parent branch. Defaults to the project's default branch. It stays what it was " +
				"at creation when Neon moves the branch to another parent, as it does when the parent is restored; the data source " +
				"`neon_branch` has the present parent. Null for a root branch and, unless it is configured, for a `schema-only` branch, whose " +
				"parent Neon doesn't return. Changing a configured value replaces the branch, unless the new parent has replaced the old one in " +
				"a restore of a snapshot: then the branch stays as it is.",
			Optional:      true,
			Computed:      true,
			Validators:    kit.IDValidators(),
			PlanModifiers: kept[1:],
		},
		"parent_lsn": schema.StringAttribute{
			MarkdownDescription: "Position in the parent's write-ahead log (LSN) to start from, such as `0/1E88480`. Conflicts with " +
				"`parent_timestamp`; without either the branch starts from the parent's current data, and this is the position that Neon " +
				"returns at the creation. It stays what it was then. Null after an import, which can't know what was asked for; a configured value " +
				"is taken into the state then, and the data source `neon_branch` has what Neon returns. Changing a configured value replaces the branch.",
			Optional:      true,
			Computed:      true,
			Validators:    append(kit.LSNValidators(), stringvalidator.ConflictsWith(path.MatchRoot("parent_timestamp"))),
			PlanModifiers: kept[1:],
		},
		"parent_timestamp": schema.StringAttribute{
			CustomType: timetypes.RFC3339Type{},
			MarkdownDescription: "Moment of the parent's history to start from, in RFC 3339, to the second. Conflicts with `parent_lsn`; " +
				"without either the branch starts from the parent's current data. Null unless it is configured: what Neon returns, and the data " +
				"source `neon_branch` has, is the parent's last change before that moment. Changing a configured value replaces the branch.",
			Optional:      true,
			Computed:      true,
			PlanModifiers: kept,
		},
		"archived": schema.BoolAttribute{
			MarkdownDescription: "Whether the branch is created as archived: in storage that costs less, from which its first compute brings it back. " +
				"Neon's default is `false`. This counts at the creation only: `current_state` says what the branch is now. Changes in place, which " +
				"changes nothing on Neon.",
			Optional: true,
		},
		"init_source": schema.StringAttribute{
			MarkdownDescription: "What to copy from the parent: `parent-data` (schema and data, Neon's default), `schema-only`, " +
				"`parent-schema` or `import`. It stays what it was at creation. Changing a configured value replaces the branch, except that " +
				"an imported root branch may have either name for a schema without data.",
			Optional:      true,
			Computed:      true,
			Validators:    []validator.String{stringvalidator.OneOf("parent-data", initSchemaOnly, initParentSchema, "import")},
			PlanModifiers: kept[1:],
		},
	}
}

func endpointsAttribute() schema.MapNestedAttribute {
	return schema.MapNestedAttribute{
		MarkdownDescription: "Compute endpoints of the branch, by a label of your choice. Adding, changing or removing an endpoint leaves the " +
			"others alone. A new label for the `read_write` endpoint keeps the endpoint; a new label for a `read_only` endpoint replaces it. " +
			"Without this attribute the branch's endpoints are not managed: removing it leaves them as they are, while removing a label " +
			"deletes its endpoint, and `{}` deletes all that were managed. Use either this or `neon_endpoint` for an endpoint, never both. " +
			"Terraform ignores endpoints that it didn't create, except for an existing `read_write` one when the configuration adds one: it manages that from then on, " +
			"with a warning. Changes in place.",
		Optional:     true,
		Validators:   []validator.Map{kit.NoNulls{}, mapvalidator.KeysAre(stringvalidator.LengthBetween(1, 64))},
		NestedObject: schema.NestedAttributeObject{Attributes: endpointAttributes()},
	}
}

func endpointAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type":                     kit.EndpointType("Changing it deletes the endpoint and creates another."),
		"autoscaling_limit_min_cu": kit.ComputeUnits("The fewest"),
		"autoscaling_limit_max_cu": kit.ComputeUnits("The most"),
		"suspend_timeout_seconds":  kit.SuspendTimeout(),
		"disabled":                 kit.EndpointDisabled(),
		"name":                     kit.EndpointName(),
		"id":                       schema.StringAttribute{MarkdownDescription: "Id of the endpoint.", Computed: true},
		"host":                     schema.StringAttribute{MarkdownDescription: "Host name for direct connections.", Computed: true},
		"pooler_host":              schema.StringAttribute{MarkdownDescription: "Host name for pooled connections.", Computed: true},
	}
}
