variable "project_id" {
  description = "Id of the project that the branch is made in."
  type        = string
}

variable "suspend_timeout_seconds" {
  description = "Seconds without activity after which the branch's primary endpoint is suspended."
  type        = number
  default     = 300
}
