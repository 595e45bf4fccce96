terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "project_id" {
  type = string
}

data "neon_advisor_issues" "serious" {
  project_id   = var.project_id
  category     = "SECURITY"
  min_severity = "ERROR"
}

output "gaps" {
  value = data.neon_advisor_issues.serious.issues[*].detail
}

# Each plan and apply warns while there are any.
check "security" {
  assert {
    condition     = length(data.neon_advisor_issues.serious.issues) == 0
    error_message = "Neon's advisors find gaps: ${join("; ", data.neon_advisor_issues.serious.issues[*].detail)}"
  }
}
