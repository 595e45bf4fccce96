# What tests and pages need to know of this noun: internal/nouns reads it.
group = "API Keys"

page "neon_current_user" {
  key = "Needs a personal API key."
}
