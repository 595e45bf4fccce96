variable "suspend_timeout_seconds" {
  description = "Seconds without activity after which the branch's primary endpoint is suspended."
  type        = number
  default     = 300
}
