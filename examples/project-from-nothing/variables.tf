variable "members" {
  description = "E-mail addresses of the people whom the project is shared with."
  type        = set(string)
  default     = []
}

variable "deployment" {
  description = "Change it to write the connection strings again."
  type        = string
  default     = "1"
}

variable "deploy_command" {
  description = "Shell command that gives the application its connection string: DATABASE_URL, in the environment ENVIRONMENT."
  type        = string
  default     = <<-EOT
    kubectl --namespace "$ENVIRONMENT" create secret generic shop-database \
      --from-literal=DATABASE_URL="$DATABASE_URL" --dry-run=client --output=yaml |
      kubectl --namespace "$ENVIRONMENT" apply --filename=-
  EOT
}

variable "deletion_protection" {
  description = "Whether Terraform refuses to destroy the project and its databases."
  type        = bool
  default     = true
}
