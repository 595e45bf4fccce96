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

# A copy of production whose people nobody can recognize.
resource "neon_anonymized_branch" "preview" {
  project_id = var.project_id
  name       = "preview"

  masking_rules = [
    {
      database_name    = "neondb"
      schema_name      = "public"
      table_name       = "users"
      column_name      = "email"
      masking_function = "anon.fake_email()"
    },
    {
      database_name = "neondb"
      schema_name   = "public"
      table_name    = "users"
      column_name   = "note"
      masking_value = "'CONFIDENTIAL'" # A literal of SQL, with quotes of its own.
    },
  ]
}

output "host" {
  value = neon_anonymized_branch.preview.endpoint.pooler_host
}
