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

variable "expires_in" {
  description = "How long after its creation the branch is deleted at the latest; the next push creates it again."
  type        = string
  default     = "168h"
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
