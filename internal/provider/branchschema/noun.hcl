# What tests and pages need to know of this noun: internal/nouns reads it.
group = "Schemas"

page "neon_branch_schema" {}
page "neon_schema_diff" {}
