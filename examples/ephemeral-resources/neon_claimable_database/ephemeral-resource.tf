terraform {
  required_version = ">= 1.10"

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

variable "check_command" {
  type        = string
  description = "Shell command that tries the schema on the empty database in DATABASE_URL."
  default     = "psql \"$DATABASE_URL\" --file=schema.sql"
}

# A new, empty database for each plan and apply.
ephemeral "neon_claimable_database" "scratch" {
  ref = "my-project"
}

# The schema is tried on a database that nobody needs, before it goes anywhere else.
resource "terraform_data" "schema_check" {
  triggers_replace = ["1"] # change it to check again

  provisioner "local-exec" {
    command     = var.check_command
    environment = { DATABASE_URL = ephemeral.neon_claimable_database.scratch.direct_connection_string }
  }
}
