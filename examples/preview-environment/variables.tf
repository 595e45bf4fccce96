variable "project_id" {
  description = "Id of the project."
  type        = string
}

variable "pull_request" {
  description = "Number of the pull request."
  type        = number
}

variable "parent_branch" {
  description = "Name of the branch whose data the preview begins with."
  type        = string
  default     = "main"
}

variable "database_name" {
  description = "The database that the application uses."
  type        = string
  default     = "neondb"
}

variable "role_name" {
  description = "The role that the application connects as."
  type        = string
  default     = "neondb_owner"
}
