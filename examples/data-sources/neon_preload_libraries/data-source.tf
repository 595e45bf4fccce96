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

data "neon_preload_libraries" "all" {
  project_id = var.project_id
}

output "libraries" {
  value = { for library in data.neon_preload_libraries.all.libraries : library.name => library.version }
}
