# Production, staging and development, a role and a database, and a connection string for the
# application in each environment. It passes from Neon to the application: neither the state nor a
# plan file ever holds it.
terraform {
  required_version = ">= 1.10" # ephemeral resources

  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# NEON_API_KEY, and NEON_ORG_ID for the organization that the project belongs to.
provider "neon" {}

module "shop" {
  source = "../modules/project"

  name                = "shop"
  production          = { max_cu = 1 }
  environments        = { staging = {}, development = {} }
  members             = var.members
  deletion_protection = var.deletion_protection

  password_rotation_triggers = { version = var.password_version }
}

ephemeral "neon_connection_uri" "app" {
  for_each = module.shop.branch_ids

  project_id    = module.shop.project_id
  branch_id     = each.value
  database_name = "app"
  role_name     = module.shop.role_name
  after         = values(module.shop.database_ids) # unknown until the databases are there
}

# Gives the application its connection string in each environment, and again after a change of the
# password.
resource "terraform_data" "deployment" {
  for_each = module.shop.branch_ids

  triggers_replace = [each.value, var.password_version]

  provisioner "local-exec" {
    command = var.deploy_command
    environment = {
      ENVIRONMENT  = each.key
      DATABASE_URL = ephemeral.neon_connection_uri.app[each.key].uri_pooled
    }
  }
}
