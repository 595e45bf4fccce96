package branch

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/seed-a7382548/terraform-provider-neon/internal/client"
	"github.com/seed-a7382548/terraform-provider-neon/internal/provider/kit"
)

var (
	functionCall = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*\.[A-Za-z_][A-Za-z0-9_]*\s*\((?s:.*)\)$`)
	bareWord     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL_][\pL\pN_ .@-]*$`) })

	ruleType = maskingRulesAttribute().NestedObject.Type().(types.ObjectType) //nolint:forcetypeassert // It has no type of its own.
	// ruleNames are the attributes of a rule that say which column it is for.
	ruleNames = []string{"database_name", "schema_name", "table_name", "column_name"}
)

// maskingRules are those of a plan or a state.
func maskingRules(set types.Set) []client.MaskingRule {
	rules := []client.MaskingRule{}
	for _, element := range set.Elements() {
		rule, _ := element.(types.Object)
		text := func(name string) string { return kit.Text(rule.Attributes()[name]) }
		rules = append(rules, client.MaskingRule{
			DatabaseName: text("database_name"), SchemaName: text("schema_name"), TableName: text("table_name"),
			ColumnName: text("column_name"),
			Function:   text("masking_function"), Value: text("masking_value"),
		})
	}
	return rules
}

// rulesValue is the opposite of maskingRules.
func rulesValue(rules []client.MaskingRule) types.Set {
	elements := make([]attr.Value, len(rules))
	for i, rule := range rules {
		elements[i] = types.ObjectValueMust(ruleType.AttributeTypes(), map[string]attr.Value{
			"database_name": types.StringValue(rule.DatabaseName), "schema_name": types.StringValue(rule.SchemaName),
			"table_name": types.StringValue(rule.TableName), "column_name": types.StringValue(rule.ColumnName),
			"masking_function": kit.OptionalString(rule.Function), "masking_value": kit.OptionalString(rule.Value),
		})
	}
	return types.SetValueMust(ruleType, elements)
}

// oneRuleEach refuses a second rule for a column.
type oneRuleEach struct{ kit.Unsaid }

// ValidateSet looks at the rules whose columns are known.
func (oneRuleEach) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	seen := map[string]bool{}
	for _, element := range req.ConfigValue.Elements() {
		rule, _ := element.(types.Object)
		var names []string
		for _, name := range ruleNames {
			if value, is := rule.Attributes()[name]; is && kit.IsSet(value) {
				names = append(names, kit.Text(value))
			}
		}
		column := strings.Join(names, ".")
		if len(names) == len(ruleNames) && seen[column] {
			resp.Diagnostics.AddAttributeError(req.Path, "Two masking rules for a column", "There are two masking rules for "+
				column+": remove one of them.")
		}
		seen[column] = true
	}
}

// checkLiteral refuses a text without the quotes of SQL, which fails only when data is masked.
func checkLiteral(at path.Path, literal string, diags *diag.Diagnostics) {
	text := strings.TrimSpace(literal)
	switch {
	case strings.HasPrefix(strings.ToLower(text), "current_"):
	case strings.EqualFold(text, "null"), strings.EqualFold(text, "true"), strings.EqualFold(text, "false"):
	case text == "" || bareWord().MatchString(text):
		diags.AddAttributeError(at, "Not a literal of SQL", "masking_value must be a literal of SQL, in which a text has "+
			"quotes of its own: write \"'"+text+"'\" instead of "+kit.Quoted(literal)+".")
	}
}
