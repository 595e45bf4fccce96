# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Organizations"

page "neon_organization" {
  key = "Needs a personal API key or one of the organization."
}
page "neon_organizations" {
  key = "Works with any API key."
}
page "neon_org_members" {
  key = "Needs a personal API key or one of the organization."
}
