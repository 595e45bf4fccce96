variable "ref" {
  description = "Tells Neon who referred you."
  type        = string
  default     = "terraform-example"
}

variable "enable_logical_replication" {
  description = "Whether logical replication is on."
  type        = bool
  default     = false
}

variable "env_file" {
  description = "Path of the env file."
  type        = string
  default     = ".env"
}

variable "key" {
  description = "Variable of the pooled connection string; null for DATABASE_URL."
  type        = string
  default     = null
}

variable "prefix" {
  description = "What the variable of the claim URL begins with; null for PUBLIC_."
  type        = string
  default     = null
}
