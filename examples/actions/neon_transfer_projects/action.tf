variable "org_id" {
  type = string
}

variable "other_org_id" {
  type = string
}

variable "project_id" {
  type = string
}

# terraform apply -invoke=action.neon_transfer_projects.sold
action "neon_transfer_projects" "sold" {
  config {
    source_org_id      = var.org_id
    destination_org_id = var.other_org_id
    project_ids        = [var.project_id]
  }
}
