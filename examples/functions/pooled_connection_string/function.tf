terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

# Such as postgresql://app:...@ep-cool-breeze-a1b2c3d4.us-east-2.aws.neon.tech/app?sslmode=require
variable "database_url" {
  type      = string
  sensitive = true
}

# For the application: the same database, through the pooler.
output "application_url" {
  value     = provider::neon::pooled_connection_string(var.database_url)
  sensitive = true
}
