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

# The hosts of a branch that something else has created.
data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

output "main_hosts" {
  value = {
    direct = data.neon_branch.main.host
    pooled = data.neon_branch.main.pooler_host
  }
}
