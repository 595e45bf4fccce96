terraform {
  required_version = ">= 1.14"

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

variable "delete" {
  type    = bool
  default = false
}

# Names them: terraform apply -invoke=action.neon_delete_stale_branches.previews
# Deletes them: the same with -var=delete=true
action "neon_delete_stale_branches" "previews" {
  config {
    project_id  = var.project_id
    name_prefix = "preview/"
    idle_for    = "14d"
    keep        = ["preview/demo", "preview/release-*"]
    at_most     = 50
    dry_run     = !var.delete
  }
}
