package kit

import (
	"strconv"
	"strings"
	"time"
)

// ParseDuration reads a duration as Go writes it, such as 90m or 1h30m, or whole days, such as 30d.
func ParseDuration(text string) (time.Duration, error) {
	days, inDays := strings.CutSuffix(text, "d")
	if !inDays {
		return time.ParseDuration(text)
	}
	count, err := strconv.ParseUint(days, 10, 16)
	return time.Duration(count) * 24 * time.Hour, err
}
