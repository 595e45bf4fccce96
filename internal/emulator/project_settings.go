package emulator

import (
	"maps"
	"time"

	"github.com/seed-a7382548/terraform-provider-neon/internal/emulator/wire"
)

func defaultSettings() map[string]any {
	return map[string]any{
		"allowed_ips":                map[string]any{"ips": []string{}, "protected_branches_only": false},
		"enable_logical_replication": false,
		"maintenance_window":         map[string]any{"weekdays": []int{5}, "start_time": "07:00", "end_time": "08:00"},
		"block_public_connections":   false,
		"block_vpc_connections":      false,
		"hipaa":                      false,
	}
}

// checkSettings refuses to take back what is for ever, and addresses that are none.
func checkSettings(settings, change map[string]any) error {
	for name, refusal := range map[string]string{
		"enable_logical_replication": "disabling logical replication is not allowed",
		"hipaa":                      "disabling HIPAA is not allowed",
	} {
		if settings[name] == true && change[name] == false {
			return wire.BadRequest("%s", refusal)
		}
	}
	if before := settings["audit_log_level"]; before != nil && before != "base" && change["audit_log_level"] == "base" {
		return wire.BadRequest("audit log level can't be lowered to base")
	}
	ips, _ := allowedIPs(change)
	return checkAllowed(ips)
}

// changeSettings sets the settings that are given. Of the addresses that are let in,
// those that aren't given are none.
func (p *project) changeSettings(change map[string]any, now time.Time) {
	maps.Copy(p.Settings, change)
	if allowed, given := change["allowed_ips"].(map[string]any); given {
		complete := map[string]any{"ips": []string{}, "protected_branches_only": false}
		maps.Copy(complete, allowed)
		p.Settings["allowed_ips"] = complete
	}
	if p.Settings["hipaa"] == true && p.HIPAAEnabledAt.IsZero() {
		p.HIPAAEnabledAt = now
		if p.Settings["audit_log_level"] == nil {
			p.Settings["audit_log_level"] = "extended"
		}
	}
}
