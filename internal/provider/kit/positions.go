package kit

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// lsnPattern is how PostgreSQL writes a position in its log.
var lsnPattern = regexp.MustCompile(`^[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}$`)

// LSNValidators refuses what isn't a position in PostgreSQL's log.
func LSNValidators() []validator.String {
	return []validator.String{stringvalidator.RegexMatches(lsnPattern, "must be a log position such as 0/1E88480")}
}

// Position is a position in PostgreSQL's log (an LSN) as a number: its two halves are hexadecimal.
func Position(lsn string) (uint64, bool) {
	high, low, _ := strings.Cut(lsn, "/")
	first, err := strconv.ParseUint(high, 16, 32)
	second, secondErr := strconv.ParseUint(low, 16, 32)
	return first<<32 | second, err == nil && secondErr == nil
}

// AtSamePosition reports whether two positions are the same, however they are written.
func AtSamePosition(a, b string) bool {
	first, isFirst := Position(a)
	second, isSecond := Position(b)
	return isFirst && isSecond && first == second
}

// SamePosition plans no change if only the spelling of a position differs.
func SamePosition() []planmodifier.String {
	return []planmodifier.String{KeepsSpelling(AtSamePosition)}
}
