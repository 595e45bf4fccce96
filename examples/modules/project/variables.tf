variable "name" {
  description = "Name of the project."
  type        = string
}

variable "region_id" {
  description = "The region, such as aws-us-east-2. Changing it replaces the project with all its data."
  type        = string
  default     = null
}

variable "pg_version" {
  description = "Major version of PostgreSQL. Changing it replaces the project with all its data."
  type        = number
  default     = 17
}

variable "production" {
  description = "The default branch. A protected one needs a paid plan."
  type = object({
    name      = optional(string, "production")
    protected = optional(bool, false)
    min_cu    = optional(number, 0.25)
    max_cu    = optional(number, 0.25)
  })
  default = {}
}

variable "environments" {
  description = "The other environments, by name: branches that begin as copies of production."
  type = map(object({
    protected = optional(bool, false)
    min_cu    = optional(number, 0.25)
    max_cu    = optional(number, 0.25)
  }))
  default = {}
}

variable "role_name" {
  description = "The role that the application connects as, and that owns the databases."
  type        = string
  default     = "app"
}

variable "password_rotation_triggers" {
  description = "A change makes Neon choose a new password for the role on the default branch."
  type        = map(string)
  default     = {}
}

variable "databases" {
  description = "Names of the databases."
  type        = set(string)
  default     = ["app"]
}

variable "members" {
  description = "E-mail addresses of the people whom the project is shared with."
  type        = set(string)
  default     = []
}

variable "deletion_protection" {
  description = "Whether Terraform refuses to destroy or replace the project and its databases."
  type        = bool
  default     = true
}
