# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Projects"

page "neon_regions" {
  key = "Needs a personal API key where Neon refuses an organization's, as it was once seen to do."
}
