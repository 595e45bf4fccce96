package stories_test

// mistakenPlans are what the free plan doesn't have.
func mistakenPlans(w mistakeWorld) map[string]mistake {
	const plan = "each plan has is on https://neon.com/pricing"
	return map[string]mistake{
		"a history too long for it": {
			config: w.inOrg("neon_project", "history_retention_seconds = 604800"), at: "history_retention_seconds = 604800",
			value:  `"604800"`,
			remedy: `max:"21600"`, applying: true,
		},
		"a window of maintenance": {
			config: w.inOrg("neon_project", `maintenance_window = { weekdays = [1], start_time = "01:00", end_time = "02:00" }`),
			at:     "maintenance_window", value: "maintenance window is not allowed for your account", remedy: plan,
			applying: true,
		},
		"health data": {config: w.inOrg("neon_project", "hipaa = true"), at: "hipaa", value: "hipaa = true", remedy: plan, applying: true},
		"a large compute": {
			config: w.branch(endpoints("autoscaling_limit_min_cu = 1, autoscaling_limit_max_cu = 8")),
			at:     "autoscaling_limit_max_cu",
			value:  "autoscaling_limit_max_cu = 8", remedy: "max: 2", applying: true,
		},
		"a time of suspension": {
			config: w.branch(endpoints("suspend_timeout_seconds = 600")), at: "suspend_timeout_seconds",
			value:  "suspend_timeout_seconds = 600",
			remedy: plan, applying: true,
		},
		"a protected branch": {
			config: w.branch("protected = true"), at: "protected", value: "exists and is kept in the state",
			remedy: "allows no more protected branches", applying: true,
		},
		"backups": {
			config: w.inBranch("neon_branch_backup_schedule", w.main, `schedule = [{ frequency = "daily", hour = 3 }]`),
			at:     "neon_branch_backup_schedule",
			value:  "backup-schedule creation is not enabled for this project", remedy: "Schedules need a paid plan",
			applying: true,
		},
		"a limit of spending": {
			config: w.inOrg("neon_org_spending_limit", "spending_limit_cents = 100"), at: "neon_org_spending_limit",
			value: "spending limits are not available on your plan", remedy: plan, applying: true,
		},
		"a private network": {
			config: w.inOrg("neon_vpc_endpoint_assignment",
				"region_id = \"aws-us-east-2\"\nvpc_endpoint_id = \"vpce-0123456789abcdef0\""),
			at: "neon_vpc_endpoint_assignment", value: "private networking is not allowed for your account", remedy: plan,
			applying: true,
		},
	}
}
