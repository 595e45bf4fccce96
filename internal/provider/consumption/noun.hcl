# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Operations and Usage"

page "neon_consumption" {
  key = "Needs a personal API key. Neon doesn't say whether an organization's key is enough."
}
