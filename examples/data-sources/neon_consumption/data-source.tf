terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "org_id" {
  type = string
}

# The last whole days, of all projects.
data "neon_consumption" "week" {
  org_id      = var.org_id
  granularity = "daily"
  from        = timeadd(plantimestamp(), "-168h")
  to          = plantimestamp()
  metrics     = ["compute_unit_seconds"]
}

output "compute_unit_hours_by_project" {
  value = {
    for project_id in distinct(data.neon_consumption.week.consumption[*].project_id) : project_id => sum([
      for day in data.neon_consumption.week.consumption : day.metrics["compute_unit_seconds"] / 3600 if day.project_id == project_id
    ])
  }
}
