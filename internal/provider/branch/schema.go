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
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

// originAttributes are the attributes that say what the branch begins as. They are
// fixed at creation.
func originAttributes() map[string]schema.Attribute {
	kept := []planmodifier.String{kit.SameInstant(), stringplanmodifier.UseStateForUnknown()}
	return map[string]schema.Attribute{
		"parent_id": schema.StringAttribute{
			MarkdownDescription: "Id of the parent branch. Defaults to the project's default branch. It stays what it was at " +
				"creation; the data source `neon_branch` has the current one. Null for a root branch, unless it is `schema-only` " +
				"and this is configured. Changing a configured value replaces the branch, [except after a " +
				"restore](../guides/restore-points.md#what-to-know).",
			Optional:      true,
			Computed:      true,
			Validators:    kit.IDValidators(),
			PlanModifiers: kept[1:],
		},
		"parent_lsn": schema.StringAttribute{
			MarkdownDescription: "Position in the parent's write-ahead log (LSN) to start from, such as `0/1E88480`. " +
				"Conflicts with `parent_timestamp`. Defaults to the parent's current data. It stays what it was at creation; " +
				"null after an import. Changing a configured value replaces the branch.",
			Optional:      true,
			Computed:      true,
			Validators:    append(kit.LSNValidators(), stringvalidator.ConflictsWith(path.MatchRoot("parent_timestamp"))),
			PlanModifiers: append(kit.SamePosition(), kept[1:]...),
		},
		"parent_timestamp": schema.StringAttribute{
			CustomType: timetypes.RFC3339Type{},
			MarkdownDescription: "Time in the parent's history to start from, in RFC 3339, to the second. Conflicts with " +
				"`parent_lsn`. Null unless it is configured. Changing a configured value replaces the branch.",
			Optional:      true,
			Computed:      true,
			PlanModifiers: kept,
		},
		"archived": schema.BoolAttribute{
			MarkdownDescription: "Whether the branch is created as archived, in cheaper storage, until its first " +
				"compute starts. Neon's default is `false`. Used at the creation only: a later change has no effect.",
			Optional: true,
		},
		"init_source": schema.StringAttribute{
			MarkdownDescription: "What to copy from the parent: `parent-data` (schema and data, Neon's default), " +
				"`schema-only`, `parent-schema` or `import`. A `schema-only` branch is a root branch, of which a project may " +
				"have 3 on Free, 5 on Launch, 25 on Scale. It stays what it was at creation. Changing a configured value " +
				"replaces the branch; for an imported root branch, `schema-only` and `parent-schema` mean the same.",
			Optional:      true,
			Computed:      true,
			Validators:    []validator.String{stringvalidator.OneOf("parent-data", initSchemaOnly, initParentSchema, "import")},
			PlanModifiers: kept[1:],
		},
	}
}

func nameAttribute() schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: "Name of the branch, 1 to 256 characters, unique in its project.",
		Required:            true,
		Validators:          []validator.String{stringvalidator.UTF8LengthBetween(1, 256)},
	}
}

// protectedAttribute is whether Neon refuses to delete something; more goes on about a protection that is removed.
func protectedAttribute(what, more string) schema.Attribute {
	return schema.BoolAttribute{
		MarkdownDescription: "Whether Neon refuses to delete " + what + ", which needs a paid plan. `terraform destroy` " +
			"first removes a protection that Terraform has set" + more + ". Neon's default is `false`. Keeps its value when " +
			"removed. Can't be `true` together with `expires_at` or `expires_in`.",
		Optional:      true,
		Computed:      true,
		Validators:    []validator.Bool{protectedStays{}},
		PlanModifiers: []planmodifier.Bool{kit.KeepsProtection{}},
	}
}

func endpointsAttribute() schema.MapNestedAttribute {
	return schema.MapNestedAttribute{
		MarkdownDescription: "Compute endpoints of the branch, by a label of your choice, 1 to 64 bytes: see " +
			"[Endpoints](#endpoints). If omitted, they are not managed, and stay. " +
			"Removing a label deletes its endpoint, `{}` all that were managed.",
		Optional: true,
		Validators: []validator.Map{
			kit.NoNulls{}, mapvalidator.KeysAre(stringvalidator.LengthBetween(1, 64)), oneReadWrite{},
		},
		CustomType:   types.MapType{ElemType: endpointType},
		NestedObject: schema.NestedAttributeObject{Attributes: endpointAttributes(), CustomType: endpointType},
	}
}

// endpointType is put together once: the framework would do it at each step of each path, in a plan of 1,000 branches.
var endpointType = schema.NestedAttributeObject{Attributes: endpointAttributes()}.Type().(types.ObjectType) //nolint:forcetypeassert // It has no type of its own.

func endpointAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"type":                     compute.EndpointType("Changing it deletes the endpoint and creates another."),
		"autoscaling_limit_min_cu": compute.Units("Minimum size, in"),
		"autoscaling_limit_max_cu": compute.Units("Maximum size, in"),
		"suspend_timeout_seconds":  compute.SuspendTimeout(),
		"disabled":                 compute.EndpointDisabled(),
		"name":                     compute.EndpointName(),
		"id":                       schema.StringAttribute{MarkdownDescription: "Id of the endpoint.", Computed: true},
		"host": schema.StringAttribute{MarkdownDescription: "Host name for direct connections.",
			Computed: true},
		"pooler_host": schema.StringAttribute{MarkdownDescription: "Host name for pooled connections.", Computed: true},
	}
}
