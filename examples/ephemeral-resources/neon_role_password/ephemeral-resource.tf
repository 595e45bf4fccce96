terraform {
  required_version = ">= 1.10"

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

ephemeral "neon_role_password" "owner" {
  project_id = var.project_id
  role_name  = "neondb_owner"
}

# Provisioners, provider blocks and write-only attributes take ephemeral values.
resource "terraform_data" "stored" {
  provisioner "local-exec" {
    command     = "test -n \"$PGPASSWORD\""
    environment = { PGPASSWORD = ephemeral.neon_role_password.owner.password }
  }
}
