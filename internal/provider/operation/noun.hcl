# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Operations and Usage"

page "neon_operation" {}
page "neon_operations" {}
