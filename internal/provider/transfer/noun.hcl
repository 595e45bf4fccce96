# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Projects"

page "neon_project_transfer_request" {
  key = "Needs a personal API key or one of the organization. A personal one must be that of an administrator of the project."
}
page "neon_create_project_transfer_request" {
  key = "Needs a personal API key or one of the organization. A personal one must be that of an administrator of the project."
}
page "neon_accept_project_transfer" {
  key = "Needs a personal API key or one of the organization. It is that of the organization that accepts, or of a member of it."
}
