variable "members" {
  description = "E-mail addresses of the people whom the project is shared with."
  type        = set(string)
  default     = []
}

variable "password_version" {
  description = "A change makes Neon choose a new password on production, and writes the connection strings again."
  type        = string
  default     = "1"
}

variable "deploy_command" {
  description = "Shell command that gives the application its connection string: DATABASE_URL, in the environment ENVIRONMENT."
  type        = string
  default     = <<-EOT
    (umask 077; printf 'DATABASE_URL="%s"\n' "$DATABASE_URL" > "$ENVIRONMENT.env")
  EOT
}

variable "deletion_protection" {
  description = "Whether Terraform refuses to destroy the project and its databases."
  type        = bool
  default     = true
}
