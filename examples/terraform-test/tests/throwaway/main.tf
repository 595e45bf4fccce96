# The module with a database of its own, which expires by itself.

terraform {
  required_version = ">= 1.10"

  required_providers {
    neon = { source = "seed-a7382548/neon", version = "~> 0.1" }
  }
}

variable "migrate_command" {
  type    = string
  default = null
}

ephemeral "neon_claimable_database" "scratch" {
  ref = "terraform-test"
}

module "schema" {
  source          = "../.."
  database_url    = ephemeral.neon_claimable_database.scratch.direct_connection_string
  migrate_command = var.migrate_command
}

output "schema_version" {
  value = module.schema.schema_version
}
