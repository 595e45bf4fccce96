variable "project_id" {
  description = "Id of the project."
  type        = string
}

variable "preview" {
  description = "Name of a preview, such as pr-17. Without it, this is production."
  type        = string
  default     = null
}

variable "database_name" {
  description = "Name of the database."
  type        = string
  default     = "neondb"
}

variable "address" {
  description = "Where the application is, and people are sent back to after they have signed in."
  type        = string
  default     = "https://shop.example.com"
}

variable "oauth_client_ids" {
  description = "Client id at each provider by which people can sign in. An empty map leaves them the password alone."
  type        = map(string)
}

variable "oauth_client_secrets" {
  description = "Client secret at each of these providers."
  type        = map(string)
  sensitive   = true
  ephemeral   = true
}

variable "smtp_password" {
  description = "Password at the mail server."
  type        = string
  sensitive   = true
  ephemeral   = true
}

variable "secrets_version" {
  description = "Neither the state nor a plan has the secrets: change this number where one of them has changed."
  type        = number
  default     = 1
}

variable "masked_columns" {
  description = "Columns that a preview has masked, and how. Neon Auth makes the table of these; add those of tables that exist."
  type = set(object({
    schema_name      = string
    table_name       = string
    column_name      = string
    masking_function = string
  }))
  default = [
    { schema_name = "neon_auth", table_name = "user", column_name = "email", masking_function = "anon.hash(email)" },
    { schema_name = "neon_auth", table_name = "user", column_name = "name", masking_function = "anon.dummy_name()" },
  ]
}
