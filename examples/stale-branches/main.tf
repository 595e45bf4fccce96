# Names the previews that nobody needs any more, and deletes them once it is told to. It has no resources, and needs no state.
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
  description = "Id of the project at Neon."
  type        = string
}

variable "keep" {
  description = "Names of branches that stay, such as those of open pull requests."
  type        = set(string)
  default     = []
}

variable "delete" {
  description = "What is named is deleted if this is yes."
  type        = string
  default     = ""
}

action "neon_delete_stale_branches" "previews" {
  config {
    project_id  = var.project_id
    name_prefix = "preview/"
    older_than  = "7d"
    keep        = var.keep
    dry_run     = var.delete != "yes"
  }
}
