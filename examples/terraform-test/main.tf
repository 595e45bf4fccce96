# A module that brings a schema into a database. `terraform test` tries it on a
# throwaway database: see the folder tests.

terraform {
  required_version = ">= 1.10"
}

resource "terraform_data" "schema" {
  triggers_replace = [filesha256("${path.module}/schema.sql")]

  provisioner "local-exec" {
    command     = var.migrate_command
    working_dir = path.module
    environment = { DATABASE_URL = var.database_url }
  }
}
