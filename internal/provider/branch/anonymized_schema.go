package branch

import (
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/compute"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

const (
	// maskingPatience is how long masking may take, which is all of a branch's data.
	maskingPatience = 30 * time.Minute
	atCreationText  = " Null unless it is configured. Changing a configured value replaces the branch; one that is " +
		"added later is only recorded, and the plan warns."
)

func anonymizedAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{
		"project_id": kit.ImmutableString("Id of the project that the branch belongs to.", kit.IDValidators()...),
		"name":       nameAttribute(),
		"parent_id": kit.KeptString("Id of the branch whose data is masked. Defaults to the project's default branch. It "+
			"stays what it was at creation. Changing a configured value replaces the branch, [except after a "+
			"restore](../guides/restore-points.md#what-to-know).", kit.IDValidators()...),
		"parent_lsn": schema.StringAttribute{
			MarkdownDescription: "Position in the parent's write-ahead log (LSN) to start from, such as `0/1E88480`. " +
				"Conflicts with `parent_timestamp`." + atCreationText,
			Optional: true, Validators: append(kit.LSNValidators(),
				stringvalidator.ConflictsWith(path.MatchRoot("parent_timestamp"))),
			PlanModifiers: kit.SamePosition(),
		},
		"parent_timestamp": schema.StringAttribute{
			CustomType: timetypes.RFC3339Type{}, Optional: true,
			PlanModifiers: []planmodifier.String{kit.SameInstant()},
			MarkdownDescription: "Time in the parent's history to start from, in RFC 3339, to the second. Conflicts with " +
				"`parent_lsn`." + atCreationText,
		},
		"masking_rules": maskingRulesAttribute(),
		"anonymize": kit.Flag("Whether the data is masked, at the creation and after each change of the rules. With "+
			"`false`, the branch has its parent's real data. Defaults to `true`. This only affects this resource: masked "+
			"data stays masked. An import has `false` where the data was never masked.", true),
		"protected":  protectedAttribute("the branch", ""),
		"endpoint":   maskedEndpointAttribute(),
		"timeouts":   kit.PatientTimeouts(maskingPatience, timeouts.Opts{Create: true, Update: true, Delete: true}),
		"id":         kit.ComputedString("Id of the branch."),
		"created_at": kit.ComputedTime("When the branch was created."),
		"state": schema.StringAttribute{
			MarkdownDescription: "State of the anonymization when it was last read: `initialized`, `anonymized` or, after a " +
				"change of the rules, `outdated`. If it isn't `anonymized` though `anonymize` is `true`, the next apply masks " +
				"the data again.",
			Computed: true,
		},
	}
	maps.Copy(attributes, expiryAttributes())
	return attributes
}

func maskingRulesAttribute() schema.SetNestedAttribute {
	text := func(text string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: text, Required: true,
			Validators: kit.PostgresName()}
	}
	return schema.SetNestedAttribute{
		MarkdownDescription: "Columns whose values are replaced, at least one, each with either `masking_function` or " +
			"`masking_value`. " +
			"Columns of foreign keys can't be masked. This manages all rules, also those that somebody else has set. A change " +
			"masks the branch's present data again; data that a removed rule has masked stays masked.",
		Required: true, Validators: []validator.Set{kit.NoNulls{}, setvalidator.SizeAtLeast(1), oneRuleEach{}},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"database_name": text("Name of the database."),
			"schema_name":   text("Name of the schema, such as `public`."),
			"table_name":    text("Name of the table."),
			"column_name":   text("Name of the column."),
			"masking_function": schema.StringAttribute{
				MarkdownDescription: "Call of a " +
					"[function](https://postgresql-anonymizer.readthedocs.io/en/stable/masking_functions/) of PostgreSQL " +
					"Anonymizer with its schema, such as `anon.fake_email()` or `anon.partial(phone, 2, '***', 2)`.",
				Optional: true, Validators: []validator.String{
					stringvalidator.RegexMatches(functionCall, "must be a call of a function with its schema, such as "+
						"anon.fake_email() or pg_catalog.md5(email)"),
					stringvalidator.ExactlyOneOf(path.MatchRelative().AtParent().AtName("masking_value")),
				},
			},
			"masking_value": schema.StringAttribute{
				MarkdownDescription: "New value as a literal of SQL: `\"'CONFIDENTIAL'\"`, `\"0\"`, `\"NULL\"`.",
				Optional:            true, Validators: []validator.String{kit.TextRule(checkLiteral)},
			},
		}},
	}
}

func maskedEndpointAttribute() schema.SingleNestedAttribute {
	const kept = " Defaults to the project's setting. Keeps its value when removed."
	returned := func(text string) schema.Attribute {
		return schema.StringAttribute{MarkdownDescription: text, Computed: true,
			PlanModifiers: []planmodifier.String{stringplanmodifier.UseNonNullStateForUnknown()}}
	}
	return kit.KeptObject("The branch's `read_write` compute endpoint, which Neon creates and deletes with the branch.",
		map[string]schema.Attribute{
			"autoscaling_limit_min_cu": compute.KeptUnits("Minimum size, in" + compute.LimitText + kept),
			"autoscaling_limit_max_cu": compute.KeptUnits("Maximum size, in" + compute.LimitText + kept),
			"suspend_timeout_seconds":  compute.KeptSuspendTimeout(compute.SuspendText + kept),
			"id":                       returned("Id of the endpoint."), "host": returned("Host name for direct connections."),
			"pooler_host": returned("Host name for pooled connections."),
		})
}
