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

resource "neon_anonymized_branch" "preview" {
  project_id = var.project_id
  name       = "preview"

  masking_rules = [{
    database_name    = "neondb"
    schema_name      = "public"
    table_name       = "users"
    column_name      = "email"
    masking_function = "anon.fake_email()"
  }]
}

# Masks what was added since: terraform apply -invoke=action.neon_anonymize_branch.preview
action "neon_anonymize_branch" "preview" {
  config {
    project_id = var.project_id
    branch_id  = neon_anonymized_branch.preview.id
  }
}
