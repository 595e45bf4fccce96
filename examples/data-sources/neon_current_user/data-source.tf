data "neon_current_user" "me" {}

output "my_email" {
  value = data.neon_current_user.me.email
}
