package kit

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ProjectText describes project_id, wherever there is one.
const ProjectText = "Id of the project."

// ImmutableString is a text of a resource that is required and never changes.
func ImmutableString(text string, validators ...validator.String) schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: text + " Changing it replaces the resource.", Required: true, Validators: validators,
		PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}

// StayingString returns a text attribute that is null in a new object unless it is configured, and that keeps its value
// when it is left out later, as after an import.
func StayingString(text string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: text + " Removing it leaves it as it is.", Optional: true, Computed: true,
		Validators: validators, PlanModifiers: []planmodifier.String{stays{}},
	}
}

// OptionalImmutableString is a StayingString that never changes.
func OptionalImmutableString(text string, validators ...validator.String) schema.Attribute {
	attribute := StayingString(text+" Changing it replaces the resource.", validators...)
	attribute.PlanModifiers = []planmodifier.String{fixed{}, stringplanmodifier.RequiresReplaceIfConfigured()}
	return attribute
}

// ReplacesKnown replaces the resource if the configured value differs from the state's. If the state has none, as after
// an import, the configured value is recorded.
func ReplacesKnown() planmodifier.String {
	return stringplanmodifier.RequiresReplaceIf(func(
		_ context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse,
	) {
		resp.RequiresReplace = !req.ConfigValue.IsNull() && !req.StateValue.IsNull()
	}, "", "")
}

// stays plans what isn't configured as the state has it.
type stays struct{ Unsaid }

func (stays) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if req.ConfigValue.IsNull() {
		resp.PlanValue = req.StateValue
	}
}

// PlanModifyBool has a boolean off where the state doesn't say what it is.
func (stays) PlanModifyBool(_ context.Context, req planmodifier.BoolRequest, resp *planmodifier.BoolResponse) {
	if req.ConfigValue.IsNull() {
		resp.PlanValue = types.BoolValue(req.StateValue.ValueBool())
	}
}

// fixed is stays for what an object has for good: where an answer lacks it, that is a gap (see [keepsUnanswered]).
type fixed struct{ stays }

// ComputedBool is a boolean of a resource that Neon sets once.
func ComputedBool(text string) schema.Attribute {
	return schema.BoolAttribute{
		MarkdownDescription: text, Computed: true, PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
	}
}

var keepsState = []planmodifier.String{stringplanmodifier.UseStateForUnknown()}

// ComputedString is a text of a resource that Neon sets once.
func ComputedString(text string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: text, Computed: true, PlanModifiers: keepsState}
}

// ComputedSecret is a ComputedString that Terraform doesn't show.
func ComputedSecret(text string) schema.Attribute {
	return schema.StringAttribute{MarkdownDescription: text, Computed: true, Sensitive: true, PlanModifiers: keepsState}
}

// SecretVersion is the text beside a write-only attribute of a resource, whose change sends that again. What names what
// that holds.
func SecretVersion(secret, what string) schema.Attribute {
	return schema.StringAttribute{
		MarkdownDescription: "Any text, needed beside `" + secret + "`. It only affects this resource: a change sends " +
			what + " again.",
		Optional: true, Validators: []validator.String{stringvalidator.AlsoRequires(path.MatchRoot(secret))},
	}
}

// ComputedTime is a time of a resource that Neon sets once, in RFC 3339.
func ComputedTime(text string) schema.Attribute {
	return schema.StringAttribute{
		CustomType: timetypes.RFC3339Type{}, MarkdownDescription: text, Computed: true, PlanModifiers: keepsState,
	}
}

// KeptString returns a text attribute that Neon chooses if it isn't configured, and that keeps its value when it is
// removed.
func KeptString(text string, validators ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		MarkdownDescription: text, Optional: true, Computed: true, Validators: validators, PlanModifiers: keepsState,
	}
}

// KeptInt64 is KeptString for a whole number.
func KeptInt64(text string, validators ...validator.Int64) schema.Int64Attribute {
	return schema.Int64Attribute{
		MarkdownDescription: text, Optional: true, Computed: true, Validators: validators,
		PlanModifiers: []planmodifier.Int64{int64planmodifier.UseStateForUnknown()},
	}
}

// KeptBool is KeptString for a boolean.
func KeptBool(text string) schema.BoolAttribute {
	return schema.BoolAttribute{
		MarkdownDescription: text, Optional: true, Computed: true,
		PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
	}
}

// KeptObject is KeptString for an object.
func KeptObject(text string, members map[string]schema.Attribute) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{
		MarkdownDescription: text, Optional: true, Computed: true, Attributes: members,
		PlanModifiers: []planmodifier.Object{objectplanmodifier.UseStateForUnknown()},
	}
}

// Flag is a boolean of a resource that has a default of our own.
func Flag(text string, standard bool) schema.BoolAttribute {
	return schema.BoolAttribute{
		MarkdownDescription: text, Optional: true, Computed: true, Default: booldefault.StaticBool(standard),
	}
}

// ImmutableFlag returns a boolean attribute that defaults to false in a new object and keeps its value when it is left
// out later. A change replaces the resource, unless Neon hasn't returned the value.
func ImmutableFlag(text string) schema.BoolAttribute {
	return schema.BoolAttribute{
		MarkdownDescription: text + " Removing it leaves it as it is.", Optional: true, Computed: true,
		PlanModifiers: []planmodifier.Bool{stays{}, boolplanmodifier.RequiresReplaceIf(
			func(_ context.Context, req planmodifier.BoolRequest, resp *boolplanmodifier.RequiresReplaceIfFuncResponse) {
				resp.RequiresReplace = !req.StateValue.IsNull()
			}, "", "")},
	}
}

// ReturnedString is a text that a data source returns.
func ReturnedString(text string) datasource.Attribute {
	return datasource.StringAttribute{MarkdownDescription: text, Computed: true}
}

// ReturnedSecret is a ReturnedString that Terraform doesn't show.
func ReturnedSecret(text string) datasource.Attribute {
	return datasource.StringAttribute{MarkdownDescription: text, Computed: true, Sensitive: true}
}

// ReturnedTime is a time that a data source returns, in RFC 3339.
func ReturnedTime(text string) datasource.Attribute {
	return datasource.StringAttribute{CustomType: timetypes.RFC3339Type{}, MarkdownDescription: text, Computed: true}
}

// ReturnedInt is a whole number that a data source returns.
func ReturnedInt(text string) datasource.Attribute {
	return datasource.Int64Attribute{MarkdownDescription: text, Computed: true}
}

// ReturnedBool is a boolean that a data source returns.
func ReturnedBool(text string) datasource.Attribute {
	return datasource.BoolAttribute{MarkdownDescription: text, Computed: true}
}

// ReturnedObjects are the objects that a data source returns.
func ReturnedObjects(text string, attributes map[string]datasource.Attribute) datasource.Attribute {
	return datasource.ListNestedAttribute{
		MarkdownDescription: text, Computed: true, NestedObject: datasource.NestedAttributeObject{Attributes: attributes},
	}
}

// RequiredID is an id that something other than a resource needs, such as a data source or an action.
func RequiredID(text string) datasource.Attribute { return RequiredText(text, IDValidators()...) }

// OptionalID is an id that it may be given.
func OptionalID(text string) datasource.Attribute { return OptionalText(text, IDValidators()...) }

// RequiredText is a text that it needs, which must not be empty; rules say what else it must be.
func RequiredText(text string, rules ...validator.String) datasource.Attribute {
	return datasource.StringAttribute{MarkdownDescription: text, Required: true, Validators: orNotEmpty(rules)}
}

// OptionalText is a text that it may be given, as RequiredText otherwise.
func OptionalText(text string, rules ...validator.String) datasource.Attribute {
	return datasource.StringAttribute{MarkdownDescription: text, Optional: true, Validators: orNotEmpty(rules)}
}

func orNotEmpty(rules []validator.String) []validator.String {
	if len(rules) == 0 {
		return NotEmpty()
	}
	return rules
}

// OptionalBool is a boolean that it may be given.
func OptionalBool(text string) datasource.Attribute {
	return datasource.BoolAttribute{MarkdownDescription: text, Optional: true}
}

// IDOrName adds the attributes id and name, one of which finds an object of the noun. Unique describes whether names
// are unique.
func IDOrName(noun, unique string, others map[string]datasource.Attribute) map[string]datasource.Attribute {
	others["id"] = datasource.StringAttribute{
		MarkdownDescription: "Id of the " + noun + ". Set either this or `name`.", Optional: true, Computed: true,
		Validators: append(IDValidators(), stringvalidator.ExactlyOneOf(path.MatchRoot("id"), path.MatchRoot("name"))),
	}
	others["name"] = datasource.StringAttribute{
		MarkdownDescription: "Exact name of the " + noun + "." + unique + " Set either this or `id`.", Optional: true,
		Computed: true, Validators: NotEmpty(),
	}
	return others
}

// OrganizationID is the organization that a data source works in.
func OrganizationID(text string) datasource.Attribute {
	return datasource.StringAttribute{MarkdownDescription: text, Optional: true, Computed: true,
		Validators: IDValidators()}
}

// PostgresName refuses what no database and no role is called.
func PostgresName() []validator.String {
	return []validator.String{stringvalidator.LengthBetween(1, LongestName)}
}

// NotEmpty refuses the empty text.
func NotEmpty() []validator.String { return []validator.String{stringvalidator.LengthAtLeast(1)} }
