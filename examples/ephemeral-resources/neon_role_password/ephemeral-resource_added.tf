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

data "neon_branch" "main" {
  project_id = var.project_id
  name       = "main"
}

### Of a role that the same run creates
resource "neon_role" "app" {
  project_id = var.project_id
  branch_id  = data.neon_branch.main.id
  name       = "app"
}

ephemeral "neon_role_password" "app" {
  project_id = var.project_id
  role_name  = neon_role.app.name
  after      = [neon_role.app.id] # unknown until the role is there
}

resource "terraform_data" "stored" {
  provisioner "local-exec" {
    command     = "test -n \"$PGPASSWORD\""
    environment = { PGPASSWORD = ephemeral.neon_role_password.app.password }
  }
}
