variable "rotation_days" {
  description = "How old a key may become. It is replaced by the first apply after that."
  type        = number
  default     = 30
}

variable "rotate_from" {
  description = "Moment that the days are counted from, in RFC 3339; null for the first apply."
  type        = string
  default     = null
}
