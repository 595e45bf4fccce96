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

resource "neon_branch" "preview" {
  project_id = var.project_id
  name       = "preview"
}

data "neon_triggers" "all" {
  project_id = var.project_id
  branch_id  = neon_branch.preview.id
}

output "running" {
  value = [for trigger in data.neon_triggers.all.triggers : trigger.name if trigger.enabled]
}
