package stories_test

import (
	"fmt"
	"strings"
)

func endpoints(settings string) string {
	return "endpoints = { a = { type = \"read_write\", " + settings + " } }"
}

// mistakenValues are values that nothing accepts.
func mistakenValues(w mistakeWorld) map[string]mistake {
	return map[string]mistake{
		"a suspension too short": {
			config: w.branch(endpoints("suspend_timeout_seconds = 5")), at: "suspend_timeout_seconds", value: "got: 5",
			remedy: "must be 60 to 604800",
		},
		"a fraction of a version": {
			config: w.inOrg("neon_project", "pg_version = 17.5"), at: "pg_version", value: "got: 17.5",
			remedy: "must be a whole number",
		},
		"a fraction of a quota": {
			config: w.inOrg("neon_project", "quota = { active_time_seconds = 0.5 }"), at: "quota.active_time_seconds",
			value:  "got: 0.5",
			remedy: "must be a whole number",
		},
		"a fraction of a suspension": {
			config: w.branch(endpoints("suspend_timeout_seconds = 90.5")), at: `endpoints["a"].suspend_timeout_seconds`,
			value:  "got: 90.5",
			remedy: "must be a whole number",
		},
		"a fraction of an hour": {
			config: w.inBranch("neon_branch_backup_schedule", w.main, `schedule = [{ frequency = "daily", hour = 3.5 }]`),
			at:     "schedule.hour",
			value:  "got: 3.5", remedy: "must be a whole number",
		},
		"a fraction of a weekday": {
			config: w.inOrg("neon_project",
				`maintenance_window = { weekdays = [1.5], start_time = "01:00", end_time = "02:00" }`),
			at: "maintenance_window.weekdays", value: "got: 1.5", remedy: "must be a whole number",
		},
		"a fraction of a cent": {
			config: w.inOrg("neon_org_spending_limit", "spending_limit_cents = 10.5"), at: "spending_limit_cents",
			value:  "got: 10.5",
			remedy: "must be a whole number",
		},
		"a fraction of results": {
			config: w.read("neon_operations", "max_results = 1.5"), at: "max_results", value: "got: 1.5",
			remedy: "must be a whole number",
		},
		"a fraction of a retry": {
			config: "provider \"neon\" {\n max_retries = 1.5\n}\ndata \"neon_regions\" \"r\" {}\n", at: "max_retries",
			value:  "got: 1.5",
			remedy: "must be a whole number",
		},
		"a number of more than 64 bits": {
			config: w.read("neon_operations", "max_results = 9223372036854775808"), at: "max_results",
			value: "got: 9223372036854775808", remedy: "must be a number of 64 bits",
		},
		"an enormous number": {
			config: w.branch(endpoints("autoscaling_limit_max_cu = 1e400")), at: "autoscaling_limit_max_cu", value: "got: 1e+400",
			remedy: "must be a number of 64 bits",
		},
		"a character that nobody sees": {
			config: w.read("neon_branch_schema", fmt.Sprintf("branch_id = %q\n database_name = \"neondb\"\n lsn = \"0/1E\\u200b\"",
				w.main)),
			at: "lsn", value: `got: 0/1E\u200b`, remedy: "such as 0/1E88480",
		},
		"an endpoint's type": {
			config: w.branch(`endpoints = { a = { type = "readwrite" } }`), at: "type", value: `"readwrite"`,
			remedy: `"read_write"`,
		},
		"two endpoints that write": {
			config: w.branch(`endpoints = { a = { type = "read_write" }, b = { type = "read_write" } }`), at: "endpoints",
			value:  `"a" is one already`,
			remedy: "any number can be read_only",
		},
		"another endpoint that writes": {
			config: w.inBranch("neon_endpoint", w.main, `type = "read_write"`), at: "neon_endpoint",
			value:  "Branch " + w.main + " has the read_write endpoint ep-",
			remedy: "or let this one be read_only", applying: true,
		},
		"sizes upside down": {
			config: w.branch(endpoints("autoscaling_limit_min_cu = 4, autoscaling_limit_max_cu = 2")),
			at:     "autoscaling_limit_min_cu (4)",
			value:  "autoscaling_limit_max_cu (2)", remedy: "can't be above",
		},
		"sizes of a project upside down": {
			config: w.inOrg("neon_project",
				"default_endpoint_settings = { autoscaling_limit_min_cu = 4, autoscaling_limit_max_cu = 2 }"),
			at: "autoscaling_limit_min_cu (4)", value: "autoscaling_limit_max_cu (2)", remedy: "can't be above",
		},
		"a size that doesn't exist": {
			config: w.branch(endpoints("autoscaling_limit_min_cu = 0.1")), at: "autoscaling_limit_min_cu", value: "got: 0.1",
			remedy: "at least 0.25",
		},
		"a size between two": {
			config: w.branch(endpoints("autoscaling_limit_min_cu = 1.5, autoscaling_limit_max_cu = 2")),
			at:     "autoscaling_limit_min_cu", value: "= 1.5",
			remedy: "0.25, 0.5, or 1 to 16", applying: true,
		},
		"one size above the other's default": {
			config: w.branch(endpoints("autoscaling_limit_min_cu = 4")), at: "autoscaling_limit_min_cu", value: "= 4",
			remedy: "both limits where one is left out", applying: true,
		},
		"sizes too far apart": {
			config: w.branch(endpoints("autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 10")),
			at:     "autoscaling_limit_max_cu", value: "= 10",
			remedy: "any that is more than 8 above it", applying: true,
		},
		"what to take from the parent": {
			config: w.branch(`init_source = "schema"`), at: "init_source", value: `"schema"`, remedy: `"schema-only"`,
		},
		"a place for an address": {
			config: w.inOrg("neon_project", `allowed_ips = ["office"]`), at: "allowed_ips", value: `"office"`,
			remedy: "such as 203.0.113.0/24",
		},
		"a block that is too narrow": {
			config: w.inOrg("neon_project", `allowed_ips = ["203.0.113.0/33"]`), at: "allowed_ips", value: `"203.0.113.0/33"`,
			remedy: "a CIDR block such as",
		},
		"a range that runs backwards": {
			config: w.inOrg("neon_project", `allowed_ips = ["203.0.113.9-203.0.113.1"]`), at: "allowed_ips",
			value: `"203.0.113.9-203.0.113.1"`, remedy: "a range such as",
		},
		"a negative quota": {
			config: w.inOrg("neon_project", "quota = { active_time_seconds = -5 }"), at: "quota.active_time_seconds",
			value: "got: -5", remedy: "at least 0",
		},
		"a spending limit of nothing": {
			config: w.inOrg("neon_org_spending_limit", "spending_limit_cents = 0"), at: "spending_limit_cents", value: "got: 0",
			remedy: "at least 1",
		},
		"an hour that no day has": {
			config: w.inBranch("neon_branch_backup_schedule", w.main, `schedule = [{ frequency = "daily", hour = 24 }]`),
			at:     "schedule.hour",
			value:  "got: 24", remedy: "between 0 and 23",
		},
		"a frequency that isn't one": {
			config: w.inBranch("neon_branch_backup_schedule", w.main, `schedule = [{ frequency = "hourly" }]`), at: "schedule",
			value: `frequency = "hourly"`, remedy: "must be one of daily, weekly, monthly", applying: true,
		},
		"a weekday that no week has": {
			config: w.inOrg("neon_project", `maintenance_window = { weekdays = [8], start_time = "01:00", end_time = "02:00" }`),
			at:     "maintenance_window.weekdays", value: "got: 8", remedy: "between 1 and 7",
		},
		"a time that no clock shows": {
			config: w.inOrg("neon_project", `maintenance_window = { weekdays = [1], start_time = "1am", end_time = "02:00" }`),
			at:     "maintenance_window.start_time", value: "got: 1am", remedy: "such as 07:00",
		},
		"a region that isn't there": {
			config: w.inOrg("neon_project", `region_id = "us-east-1"`), at: "region_id", value: `"us-east-1"`,
			remedy: `Neon calls that region "aws-us-east-1". These are there: aws-`, applying: true,
		},
		"a region that is mistyped": {
			config: w.inOrg("neon_project", `region_id = "aws-us-est-1"`), at: "region_id", value: `"aws-us-est-1"`,
			remedy: `These are there: aws-`, applying: true,
		},
		"a day that no week has": {
			config: w.inBranch("neon_branch_backup_schedule", w.main, `schedule = [{ frequency = "weekly", day = 31 }]`),
			at:     "schedule.day",
			value:  "is 31", remedy: "a week has the days 1 to 7",
		},
		"a version that isn't there": {
			config: w.inOrg("neon_project", "pg_version = 99"), at: "pg_version", value: "pg_version = 99",
			remedy: "from 14 to 18", applying: true,
		},
		"a version too old": {
			config: w.inOrg("neon_project", "pg_version = 12"), at: "pg_version", value: "got: 12",
			remedy: "at least 14",
		},
		"a history too long": {
			config: w.inOrg("neon_project", "history_retention_seconds = 9999999"), at: "history_retention_seconds",
			value:  "= 9999999",
			remedy: "from 0 to 2592000", applying: true,
		},
		"a log level": {
			config: w.inOrg("neon_project", `audit_log_level = "loud"`), at: "audit_log_level", value: `"loud"`,
			remedy: `"extended"`,
		},
		"a page in place of a level": {
			config: w.inOrg("neon_project", fmt.Sprintf("audit_log_level = %q", strings.Repeat("many words ", 6000))),
			at:     "audit_log_level", value: "… (66000 characters)", remedy: `"extended"`,
		},
		"a timeout in words": {
			config: w.branch(`timeouts = { create = "10 minutes" }`), at: "timeouts.create", value: `"10 minutes"`,
			remedy: "such as 30s, 10m",
		},
		"a key set without https": {
			config: w.inProject("neon_jwks_url", "jwks_url = \"http://issuer.example/keys\"\nprovider_name = \"p\""),
			at:     "jwks_url",
			value:  "http://issuer.example/keys", remedy: "must be an address that begins with https://",
		},
	}
}

// mistakenMoments are moments that can't be read, or that can't be meant.
func mistakenMoments(w mistakeWorld) map[string]mistake {
	const rfc3339 = "must be a moment in RFC 3339, such as 2030-01-31T12:00:00Z"
	consumption := func(from, to, granularity string) string {
		return fmt.Sprintf("data \"neon_consumption\" \"c\" {\n org_id = %q\n from = %q\n to = %q\n granularity = %q\n metrics = [\"compute_unit_seconds\"]\n}\n",
			w.OrgID, from, to, granularity)
	}
	return map[string]mistake{
		"a moment in words":      {config: w.branch(`expires_at = "tomorrow"`), at: "expires_at", value: `"tomorrow"`, remedy: rfc3339},
		"a lifetime as a moment": {config: w.branch(`expires_at = "168h"`), at: "expires_at", value: `"168h"`, remedy: `write expires_in = "168h" instead`},
		"a beginning before there is history": {
			config: w.branch(`parent_timestamp = "2020-01-31T12:00:00Z"`), at: "parent_timestamp", value: "2020-01-31T12:00:00Z",
			remedy: "there is history since about", applying: true,
		},
		"a moment without a zone":  {config: w.branch(`expires_at = "2030-01-31T12:00:00"`), at: "expires_at", value: `"2030-01-31T12:00:00"`, remedy: rfc3339},
		"a moment that has passed": {config: w.branch(`expires_at = "2020-01-31T12:00:00Z"`), at: "expires_at", value: "2020-01-31T12:00:00Z", remedy: "must be in the future", applying: true},
		"an expiry too far ahead":  {config: w.branch(`expires_at = "2099-01-31T12:00:00Z"`), at: "expires_at", value: "2099-01-31T12:00:00Z", remedy: "at most 30 days ahead"},
		"a beginning in the future": {
			config: w.branch(`parent_timestamp = "2099-01-31T12:00:00Z"`), at: "parent_timestamp", value: "2099-01-31T12:00:00Z",
			remedy: "must be in the past",
		},
		"a snapshot of the future": {
			config: w.inBranch("neon_snapshot", w.main, `timestamp = "2099-01-31T12:00:00Z"`), at: "timestamp",
			value:  "2099-01-31T12:00:00Z",
			remedy: "must be in the past",
		},
		"a position in words": {config: w.branch(`parent_lsn = "latest"`), at: "parent_lsn", value: "latest", remedy: "must be a log position such as 0/1E88480"},
		"two beginnings": {
			config: w.branch("parent_lsn = \"0/1\"\nparent_timestamp = \"2025-01-31T12:00:00Z\""), at: "parent_lsn",
			value:  `"parent_timestamp"`,
			remedy: "cannot be specified when",
		},
		"an expiry of what is protected": {
			config: w.branch("protected = true\nexpires_at = \"2030-01-31T12:00:00Z\""), at: "expires_at",
			value:  "protected branch can't expire",
			remedy: "remove expires_at, or set protected to false",
		},
		"consumption too long ago": {
			config: consumption("2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z", "hourly"), at: "from",
			value:  "2025-01-01T00:00:00Z",
			remedy: "Choose a later from, or another granularity",
		},
		"consumption that ends before it begins": {
			config: consumption("2025-02-01T00:00:00Z", "2025-01-01T00:00:00Z", "monthly"), at: "to",
			value: "2025-01-01T00:00:00Z", remedy: "isn't after from",
		},
		"consumption by the week": {
			config: consumption("2025-01-01T00:00:00Z", "2025-02-01T00:00:00Z", "weekly"), at: "granularity", value: `"weekly"`,
			remedy: `"monthly"`,
		},
	}
}
