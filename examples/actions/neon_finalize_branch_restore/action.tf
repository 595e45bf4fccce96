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

variable "restored_branch_id" {
  type        = string
  description = "Id of the branch that neon_restore_snapshot has restored, as its last message says."
}

# terraform apply -invoke=action.neon_finalize_branch_restore.restored
action "neon_finalize_branch_restore" "restored" {
  config {
    project_id = var.project_id
    branch_id  = var.restored_branch_id
    name       = "main-before-restore"
  }
}
