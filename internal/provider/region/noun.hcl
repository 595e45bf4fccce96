# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Projects"

page "neon_regions" {
  key = "Works with any API key."
}
