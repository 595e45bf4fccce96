# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Projects"

page "neon_project_transfer_request" {
  key = "Needs a personal API key of an administrator of the project, or an organization's."
}
page "neon_create_project_transfer_request" {
  key = "Needs a personal API key of an administrator of the project, or an organization's."
}
page "neon_accept_project_transfer" {
  key = "Needs a personal API key of a member of the organization that accepts, or that organization's."
}
