# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Connections"

page "neon_connection_uri" {}
page "direct_connection_string" {}
page "pooled_connection_string" {}
page "env_file" {
  group = "Claimable Databases"
}
