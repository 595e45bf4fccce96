# What tests and pages need to know of this noun: internal/nouns reads it.
group    = "API Keys"
leads_to = ["apikey", "organization"]

page "neon_current_user" {
  key = "Needs a personal API key."
}
