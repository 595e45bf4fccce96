variable "database_url" {
  type        = string
  description = "URL of the database, for a direct connection."
  ephemeral   = true
}

variable "migrate_command" {
  type        = string
  description = "Shell command that brings schema.sql into the database in DATABASE_URL."
  nullable    = false
  default     = "psql \"$DATABASE_URL\" --set=ON_ERROR_STOP=1 --file=schema.sql"
}
