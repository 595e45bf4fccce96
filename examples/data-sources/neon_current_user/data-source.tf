terraform {
  required_providers {
    neon = {
      source  = "seed-a7382548/neon"
      version = "~> 0.1"
    }
  }
}

data "neon_current_user" "me" {}

output "my_email" {
  value = data.neon_current_user.me.email
}
